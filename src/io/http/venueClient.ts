/** HTTP client of the venue: retries what is safe to repeat and decodes every response with the wire schemas. */

import type * as z from 'zod/mini';
import * as VenueAccount from '../../core/accounts/VenueAccount.js';
import * as Decode from '../../core/api/schema/Decode.js';
import * as VenueApi from '../../core/api/VenueApi.js';
import { BaseError } from '../../core/base/Errors.js';
import * as Redaction from '../../core/base/Redaction.js';
import * as Url from '../../core/base/Url.js';
import type { Network } from '../../core/network/Network.js';
import type { Venue } from '../../core/ports/Ports.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import type { Init } from './httpClient.js';
import { NetworkError } from './networkError.js';
import { readJson } from './responseJson.js';
import { ofReads, retryAfterMs, withRetries } from './retry.js';
import type { RemoteOptions } from './serviceClient.js';
import { malformed, refused, unanswered, VenueError } from './venueError.js';

/** The venue's error codes for unknown accounts and transactions. */
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

/** Creates the client of a network's venue. @throws venue.unconfigured if the venue's URL is not known */
export function createVenue({ fetch, network, clock, random, signal }: RemoteOptions): Venue {
  const baseUrl = network.venue?.baseUrl;
  if (baseUrl === undefined) throw noVenue(network);
  const retry = { ...ofReads, clock, random, signal };
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
    // What was sent with the request must not come back into an error or a file.
    const redact = Redaction.of([...Url.secrets(base), ...(asked.token === undefined ? [] : [asked.token])]);
    const text = await answer.text();
    const body = redact(text);
    const json = readJson(text, redact);
    const { code } = (json ?? {}) as { code?: unknown };
    // The status alone is not enough: a 200 response may carry another code.
    if (answer.status < 200 || answer.status > 299 || (typeof code === 'number' && code !== 200))
      throw refused(
        { status: answer.status, body, json, waitMs: retryAfterMs(answer.headers.get('retry-after'), clock.now()) },
        at,
      );
    const decoding = Decode.from(response, json);
    if (!decoding.ok) throw malformed(body, decoding.problems, at);
    return decoding.value;
  }

  /** Accounts with their balances; empty if none match. */
  async function detailed(
    params: z.output<typeof VenueApi.account.query>,
  ): Promise<readonly VenueAccount.VenueAccount[]> {
    try {
      const answer = await read(
        { ...VenueApi.account, purpose: 'to return the account', params },
        VenueApi.account.response,
      );
      return answer.accounts.flatMap((each) => VenueAccount.from(each) ?? []);
    } catch (error) {
      if (isUnknown(error, unknownAccount)) return [];
      throw error;
    }
  }

  return {
    baseUrl: base,
    async accountsOf(wallet) {
      const asked = { ...VenueApi.accountsByL1Address, purpose: 'to look up the wallet' };
      const accounts: VenueAccount.VenueAccount[] = [];
      let cursor: string | undefined;
      try {
        // Bounded, because a server may return cursors forever.
        for (let page = 0; page === 0 || (cursor !== undefined && page < maxPages); page++) {
          const params = { l1_address: wallet, ...(cursor === undefined ? {} : { cursor }) };
          const answer = await read({ ...asked, params }, VenueApi.accountsByL1Address.response);
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
      const params = { account_index: String(index), api_key_index: String(VenueApi.apiKeys.all) };
      try {
        const answer = await read(
          { ...VenueApi.apiKeys, purpose: 'to return the keys', params },
          VenueApi.apiKeys.response,
        );
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
      const answer = await read(
        { ...VenueApi.nextNonce, purpose: 'to return the nonce', params },
        VenueApi.nextNonce.response,
      );
      return BigInt(answer.nonce);
    },
    async transferFee(from, to, token) {
      const params = { account_index: String(from), to_account_index: String(to) };
      const asked = { ...VenueApi.transferFeeInfo, purpose: 'to return the fee', params, token };
      return BigInt((await read(asked, VenueApi.transferFeeInfo.response)).transfer_fee_usdc);
    },
    async send(txInfo) {
      const form = { tx_type: String(VenueApi.sendTx.transferType), tx_info: txInfo, price_protection: 'true' };
      const asked = { ...VenueApi.sendTx, purpose: 'the transfer', form };
      try {
        return { verdict: 'accepted', hash: TerminalText.brief((await once(asked, VenueApi.sendTx.response)).tx_hash) };
      } catch (error) {
        if (!(error instanceof VenueError)) throw error;
        return { verdict: error.verdict, error, venueCode: error.venueCode };
      }
    },
    async transaction(hash) {
      const params = { by: 'hash', value: hash };
      try {
        const answer = await read(
          { ...VenueApi.tx, purpose: 'to return the transaction', params },
          VenueApi.tx.response,
        );
        return { hash: answer.hash, status: answer.status, failure: failureOf(answer.event_info), info: answer.info };
      } catch (error) {
        if (isUnknown(error, [unknownTransaction])) return undefined;
        throw error;
      }
    },
  };
}

/** Limit on pages of one wallet's accounts. */
const maxPages = 20;

/** A public key in the venue's own form. */
const publicKeyForm = /^(?:0x)?[0-9a-fA-F]{80}$/;

function isUnknown(error: unknown, codes: readonly number[]): boolean {
  return error instanceof VenueError && error.venueCode !== undefined && codes.includes(error.venueCode);
}

/** The `ae` field of the event, where the venue reports why it failed. */
function failureOf(event: string | undefined): string | undefined {
  const { ae } = (readJson(event ?? '', (text) => text) ?? {}) as { ae?: unknown };
  return typeof ae === 'string' && ae !== '' ? TerminalText.brief(ae) : undefined;
}

function noVenue({ name, venue }: Network): BaseError {
  return new BaseError('venue.unconfigured', `The URL of the venue of ${name} is not configured.`, {
    hint: 'Set FERRY_VENUE_URL, or set the venue’s base URL and signing chain id in your configuration.',
    next: venue
      ? ShellCommand.line`ferry config set networks.${name}.venue.baseUrl <url>`
      : ShellCommand.line`ferry config set networks.${name}.venue.signingChainId <id>`,
  });
}
