/** The venue over HTTP: asks, tries again where that is harmless, and reads every answer with the contract. */
import type * as z from 'zod/mini';
import * as VenueAccount from '../../core/accounts/VenueAccount.js';
import * as Decode from '../../core/api/schema/Decode.js';
import * as Account from '../../core/api/venue/Account.js';
import * as AccountsByL1Address from '../../core/api/venue/AccountsByL1Address.js';
import * as ApiKeys from '../../core/api/venue/ApiKeys.js';
import * as NextNonce from '../../core/api/venue/NextNonce.js';
import * as SendTx from '../../core/api/venue/SendTx.js';
import * as TransferFeeInfo from '../../core/api/venue/TransferFeeInfo.js';
import * as Tx from '../../core/api/venue/Tx.js';
import { BaseError } from '../../core/base/Errors.js';
import * as Url from '../../core/base/Url.js';
import type { Network } from '../../core/network/Network.js';
import type { Clock, Venue } from '../../core/ports/Ports.js';
import type { Fetch, Init } from './httpClient.js';
import { NetworkError } from './networkError.js';
import { retryAfterMs, withRetries } from './retry.js';
import { brief, malformed, refused, unanswered, VenueError } from './venueError.js';

export type VenueOptions = {
  /** Undici's, or a server's own handler in the same process. */
  fetch: Fetch;
  network: Network;
  clock: Clock;
  /** From 0 up to 1; spreads what is tried again. */
  random: () => number;
  /** Ends the pauses between attempts. */
  signal?: AbortSignal | undefined;
};

/** Its numbers for what is not there. */
const unknownAccount: readonly number[] = [21_100, 21_102, 29_404];
const unknownTransaction = 21_500;

type Asked = {
  method: 'GET' | 'POST';
  path: string;
  purpose: string;
  params?: Readonly<Record<string, string>>;
  form?: Readonly<Record<string, string>>;
  token?: string;
};

/** The venue of a network. @throws venue.unconfigured where it is not known where it is */
export function createVenue({ fetch, network, clock, random, signal }: VenueOptions): Venue {
  const baseUrl = network.venue?.baseUrl;
  if (baseUrl === undefined) throw new NoVenueError(network);
  const retry = { attempts: 3, baseMs: 250, maxWaitMs: 10_000, overallMs: 60_000, clock, random, signal };
  const base: string = baseUrl;

  async function read<S extends z.core.$ZodType>(asked: Asked, response: S): Promise<z.core.output<S>> {
    return withRetries(
      retry,
      (error) => (error instanceof VenueError ? error : { again: false }),
      (withinMs) => once(asked, response, { withinMs }),
    );
  }

  async function once<S extends z.core.$ZodType>(
    asked: Asked,
    response: S,
    bounds: Pick<Init, 'withinMs'> = {},
  ): Promise<z.core.output<S>> {
    const at = { network, baseUrl: base, ...asked };
    const url = Url.join(base, asked.path);
    for (const [name, value] of Object.entries(asked.params ?? {})) url.searchParams.append(name, value);
    const answer = await fetch(url.href, {
      method: asked.method,
      headers: {
        accept: 'application/json',
        ...(asked.form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(asked.token === undefined ? {} : { authorization: asked.token }),
      },
      ...(asked.form ? { body: new URLSearchParams(asked.form).toString() } : {}),
      ...bounds,
    }).catch((error: unknown) => {
      throw error instanceof NetworkError ? unanswered(error, at) : error;
    });
    const body = await answer.text();
    const json = parse(body);
    const { code } = (json ?? {}) as { code?: unknown };
    // The status alone does not tell: an answer of 200 may carry another code.
    if (answer.status < 200 || answer.status > 299 || (typeof code === 'number' && code !== 200))
      throw refused(
        { status: answer.status, body, json, waitMs: retryAfterMs(answer.headers.get('retry-after'), clock.now()) },
        at,
      );
    const decoding = Decode.from(response, json);
    if (!decoding.ok) throw malformed(body, decoding.problems, at);
    return decoding.value;
  }

  /** Accounts with what they have; none where there is nobody. */
  async function detailed(params: z.output<typeof Account.query>): Promise<readonly VenueAccount.VenueAccount[]> {
    try {
      const answer = await read({ ...Account.endpoint, purpose: 'to show the account', params }, Account.response);
      return answer.accounts.flatMap((each) => VenueAccount.from(each) ?? []);
    } catch (error) {
      if (isUnknown(error, unknownAccount)) return [];
      throw error;
    }
  }

  return {
    baseUrl: base,
    async accountsOf(wallet) {
      const asked = { ...AccountsByL1Address.endpoint, purpose: 'to look the wallet up' };
      const accounts: VenueAccount.VenueAccount[] = [];
      let cursor: string | undefined;
      try {
        // A cursor that never ends would be followed for ever.
        for (let page = 0; page === 0 || (cursor !== undefined && page < mostPages); page++) {
          const params = { l1_address: wallet, ...(cursor === undefined ? {} : { cursor }) };
          const answer = await read({ ...asked, params }, AccountsByL1Address.response);
          accounts.push(...answer.sub_accounts.flatMap((each) => VenueAccount.from(each) ?? []));
          cursor = answer.next_cursor || undefined;
        }
      } catch (error) {
        if (isUnknown(error, unknownAccount)) return [];
        throw error;
      }
      return accounts;
    },
    firstAccountOf: async (wallet) => (await detailed({ by: 'l1_address', value: wallet }))[0],
    account: async (index) =>
      (await detailed({ by: 'index', value: String(index) })).find((each) => each.index === index),
    async apiKeys(index) {
      const params = { account_index: String(index), api_key_index: String(ApiKeys.all) };
      try {
        const answer = await read({ ...ApiKeys.endpoint, purpose: 'to show the keys', params }, ApiKeys.response);
        return answer.api_keys
          .filter(({ public_key }) => publicKeyForm.test(public_key))
          .map((key) => ({
            index: key.api_key_index,
            publicKey: key.public_key.replace(/^0x/, '').toLowerCase(),
            nonce: BigInt(key.nonce),
          }));
      } catch (error) {
        if (isUnknown(error, [...unknownAccount, 21_109])) return [];
        throw error;
      }
    },
    async nextNonce(index, apiKeyIndex) {
      const params = { account_index: String(index), api_key_index: String(apiKeyIndex) };
      const answer = await read({ ...NextNonce.endpoint, purpose: 'to tell the nonce', params }, NextNonce.response);
      return BigInt(answer.nonce);
    },
    async transferFee(from, to, token) {
      const params = { account_index: String(from), to_account_index: String(to) };
      const asked = { ...TransferFeeInfo.endpoint, purpose: 'to tell the fee', params, token };
      return BigInt((await read(asked, TransferFeeInfo.response)).transfer_fee_usdc);
    },
    async send(txInfo) {
      const form = { tx_type: String(SendTx.transferType), tx_info: txInfo, price_protection: 'true' };
      const asked = { ...SendTx.endpoint, purpose: 'the transfer', form };
      try {
        return { verdict: 'accepted', hash: brief((await once(asked, SendTx.response)).tx_hash) };
      } catch (error) {
        if (!(error instanceof VenueError)) throw error;
        return { verdict: error.verdict, error, venueCode: error.venueCode };
      }
    },
    async transaction(hash) {
      const params = { by: 'hash', value: hash };
      try {
        const answer = await read({ ...Tx.endpoint, purpose: 'to show the transaction', params }, Tx.response);
        return { hash: answer.hash, status: answer.status, failure: failureOf(answer.event_info), info: answer.info };
      } catch (error) {
        if (isUnknown(error, [unknownTransaction])) return undefined;
        throw error;
      }
    },
  };
}

/** More than that many pages of one wallet's accounts are not read. */
const mostPages = 20;

/** A public key in the venue's own form. */
const publicKeyForm = /^(?:0x)?[0-9a-fA-F]{80}$/;

function isUnknown(error: unknown, codes: readonly number[]): boolean {
  return error instanceof VenueError && error.venueCode !== undefined && codes.includes(error.venueCode);
}

/** `ae` within the event, or the whole event where that is not how it is written. */
function failureOf(event: string | undefined): string | undefined {
  const { ae } = (parse(event ?? '') ?? {}) as { ae?: unknown };
  return typeof ae === 'string' && ae !== '' ? brief(ae) : undefined;
}

/** Undefined for what is not JSON. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

export class NoVenueError extends BaseError {
  override name = 'NoVenueError';
  constructor({ name, venue }: Network) {
    super('venue.unconfigured', `ferry does not know where the venue of ${name} is.`, {
      hint: 'Set FERRY_VENUE_URL, or write its address and what its signatures are bound to into your configuration.',
      next: venue
        ? `ferry config set networks.${name}.venue.baseUrl <url>`
        : `ferry config set networks.${name}.venue.signingChainId <id>`,
    });
  }
}
