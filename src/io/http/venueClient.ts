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

type VenueRequest = {
  method: 'GET' | 'POST';
  path: string;
  purpose: string;
  params?: Readonly<Record<string, string>>;
  form?: Readonly<Record<string, string>>;
  token?: string;
};

/** Creates the client of a network's venue. @throws venue.unconfigured if the venue's URL is not known */
export function createVenue(options: RemoteOptions): Venue {
  const { baseUrl, read, readOnce } = createExchange(options);

  /** Accounts with their balances; empty if none match. */
  const detailed = async (
    params: z.output<typeof VenueApi.account.query>,
  ): Promise<readonly VenueAccount.VenueAccount[]> => {
    const asked = { ...VenueApi.account, purpose: 'to return the account', params };
    const answer = await unless(unknownAccount, read(asked, VenueApi.account.response));
    return (answer?.accounts ?? []).flatMap((each) => VenueAccount.from(each) ?? []);
  };

  return {
    baseUrl,
    accountsOf: (wallet) => accountsOf(wallet, read),
    firstAccountOf: async (wallet) => (await detailed({ by: 'l1_address', value: wallet }))[0],
    account: async (index) =>
      (await detailed({ by: 'index', value: String(index) })).find((each) => each.index === index),
    async apiKeys(index) {
      const params = { account_index: String(index), api_key_index: String(VenueApi.apiKeys.all) };
      const asked = { ...VenueApi.apiKeys, purpose: 'to return the keys', params };
      const answer = await unless([...unknownAccount, 21_109], read(asked, VenueApi.apiKeys.response));
      return (answer?.api_keys ?? [])
        .filter(({ public_key }) => publicKeyForm.test(public_key))
        .map((key) => ({
          index: key.api_key_index,
          publicKey: key.public_key.replace(/^0x/, '').toLowerCase(),
          nonce: BigInt(key.nonce),
        }));
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
        const { tx_hash } = await readOnce(asked, VenueApi.sendTx.response);
        return { verdict: 'accepted', hash: TerminalText.brief(tx_hash) };
      } catch (error) {
        if (!(error instanceof VenueError)) throw error;
        return { verdict: error.verdict, error, venueCode: error.venueCode };
      }
    },
    async transaction(hash) {
      const asked = { ...VenueApi.tx, purpose: 'to return the transaction', params: { by: 'hash', value: hash } };
      const answer = await unless([unknownTransaction], read(asked, VenueApi.tx.response));
      if (!answer) return undefined;
      return { hash: answer.hash, status: answer.status, failure: failureOf(answer.event_info), info: answer.info };
    },
  };
}

type Read = <S extends z.core.$ZodType>(asked: VenueRequest, response: S) => Promise<z.core.output<S>>;

/** What each endpoint is asked by: again where that is safe, or once. @throws venue.unconfigured */
function createExchange({ fetch, network, clock, random, signal }: RemoteOptions) {
  const baseUrl = network.venue?.baseUrl;
  if (baseUrl === undefined) throw noVenue(network);
  const base: string = baseUrl;
  const retry = { ...ofReads, clock, random, signal };

  const read: Read = (asked, response) =>
    withRetries(
      retry,
      (error) => (error instanceof VenueError ? error : { again: false }),
      (withinMs) => readOnce(asked, response, { withinMs }),
    );

  async function readOnce<S extends z.core.$ZodType>(
    asked: VenueRequest,
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

  return { baseUrl: base, read, readOnce };
}

/** All accounts of a wallet, without their balances; none if the venue does not know the wallet. */
async function accountsOf(wallet: string, read: Read): Promise<VenueAccount.VenueAccount[]> {
  const asked = { ...VenueApi.accountsByL1Address, purpose: 'to look up the wallet' };
  const accounts: VenueAccount.VenueAccount[] = [];
  let cursor: string | undefined;
  // Bounded, because a server may return cursors forever.
  for (let page = 0; page === 0 || (cursor !== undefined && page < maxPages); page++) {
    const params = { l1_address: wallet, ...(cursor === undefined ? {} : { cursor }) };
    const answer = await unless(unknownAccount, read({ ...asked, params }, VenueApi.accountsByL1Address.response));
    if (!answer) return [];
    accounts.push(...answer.sub_accounts.flatMap((each) => VenueAccount.from(each) ?? []));
    cursor = answer.next_cursor || undefined;
  }
  return accounts;
}

/** An answer; undefined if the venue refused with one of these codes, by which it says that there is nothing. */
async function unless<T>(codes: readonly number[], answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof VenueError && error.venueCode !== undefined && codes.includes(error.venueCode))
      return undefined;
    throw error;
  });
}

const maxPages = 20;

const publicKeyForm = /^(?:0x)?[0-9a-fA-F]{80}$/;

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
