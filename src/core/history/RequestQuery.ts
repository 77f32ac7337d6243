/** Queries for the service's request records, built from the flags of `ferry requests list`. */

import type * as RequestsV2 from '../api/RequestsV2.js';
import type * as RequestsV3 from '../api/RequestsV3.js';
import { isMapping } from '../api/schema/Mapping.js';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import * as Network from '../network/Network.js';
import * as Currency from '../quote/Currency.js';
import * as JsonText from '../text/JsonText.js';
import * as TerminalText from '../text/TerminalText.js';

export type RequestQuery = RequestsV3.Query;

/** The flags of `ferry requests list` that filter and sort requests, as typed. */
export type Typed = {
  status?: string | undefined;
  origin?: string | undefined;
  destination?: string | undefined;
  type?: string | undefined;
  recipient?: string | undefined;
  referrer?: string | undefined;
  currencyIn?: string | undefined;
  currencyOut?: string | undefined;
  minUsd?: string | undefined;
  maxUsd?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  sort?: string | undefined;
  order?: string | undefined;
  filters?: string | undefined;
};

export type QueryContext = {
  network: Network.Network;
  /** The user whose requests are listed; undefined for all users. */
  user: string | undefined;
  /** Unix time in milliseconds. */
  nowMs: number;
};

/** The values of `--status`, `--type`, `--sort` and `--order`. */
export const statuses = ['success', 'failure', 'refund', 'pending', 'depositing'] as const;
export const kinds = ['bridge', 'crosschain-swap', 'same-chain-swap', 'send', 'wrap', 'unwrap', 'call'] as const;
export const sorts = ['created', 'updated', 'usd'] as const;
export const orders = ['asc', 'desc'] as const;

/**
 * Builds the query.
 *
 * @throws usage.invalid · request.unknown-chain · request.unknown-token · request.invalid-*
 */
export function from(typed: Typed, { network, user, nowMs }: QueryContext): RequestQuery {
  const { status, type, origin, destination, currencyIn, currencyOut, sort, order } = typed;
  if (sort === 'usd' && (typed.since ?? typed.until) !== undefined)
    throw new BaseError('usage.invalid', '--since and --until cannot be combined with --sort usd.', {
      hint: 'They apply to the time that the service sorts by: created or updated.',
    });
  const paid = currencyIn === undefined ? undefined : currencyOf(currencyIn, network);
  const received = currencyOut === undefined ? undefined : currencyOf(currencyOut, network);
  return defined({
    user,
    recipient: typed.recipient === undefined ? undefined : party(typed.recipient, 'recipient'),
    originChainId: origin === undefined ? undefined : Network.chain(network, origin).id,
    destinationChainId: destination === undefined ? undefined : Network.chain(network, destination).id,
    status: status as RequestQuery['status'],
    requestType: type === undefined ? undefined : kindOnWire(type),
    currencyInChainId: paid?.chainId,
    currencyInAddress: paid?.address,
    currencyOutChainId: received?.chainId,
    currencyOutAddress: received?.address,
    amountUsdMin: typed.minUsd === undefined ? undefined : dollars(typed.minUsd, '--min-usd'),
    amountUsdMax: typed.maxUsd === undefined ? undefined : dollars(typed.maxUsd, '--max-usd'),
    startTimestamp: typed.since === undefined ? undefined : Math.floor(time(typed.since, '--since', nowMs) / 1000),
    // The service filters by whole seconds: rounding outward may repeat a request but never misses one.
    endTimestamp: typed.until === undefined ? undefined : Math.ceil(time(typed.until, '--until', nowMs) / 1000),
    sortBy:
      sort === undefined
        ? undefined
        : ({ created: 'createdAt', updated: 'updatedAt', usd: 'amountUsd' } as const)[sort as (typeof sorts)[number]],
    sortDirection: (order ?? (sort === 'usd' ? 'desc' : undefined)) as RequestQuery['sortDirection'],
    referrer: typed.referrer,
    // The service returns a referrer's requests only to that referrer's API key.
    apiKey: typed.referrer === undefined ? undefined : network.apiKey,
    filters: typed.filters === undefined ? undefined : groups(typed.filters),
  });
}

/** An address on any kind of chain, or an account of the venue; EVM addresses are validated. @throws request.invalid-address */
export function party(text: string, what: string): string {
  if (/^0x/i.test(text)) return Address.from(text, what);
  if (/^(\d{1,16}|[0-9A-Za-z:_-]{26,128})$/.test(text)) return text;
  throw new Address.InvalidAddressError(TerminalText.escape(text), what);
}

/** The query for the deprecated records, or the flags that they do not support. */
export function toV2(query: RequestQuery): { query: RequestsV2.Query } | { lacking: readonly string[] } {
  const { sortBy, depositTxHash, apiKey: _, ...rest } = query;
  const lacking = Object.keys(rest).flatMap((name) => (name in flagsOfV3 ? [flagsOfV3[name] ?? name] : []));
  if (sortBy === 'amountUsd') lacking.push('--sort usd');
  if (lacking.length > 0 || sortBy === 'amountUsd') return { lacking: [...new Set(lacking)] };
  return { query: defined({ ...rest, sortBy, hash: depositTxHash }) as RequestsV2.Query };
}

/** Parameters that only requests/v3 supports, with their flags. */
const flagsOfV3: Readonly<Record<string, string>> = {
  recipient: '--recipient',
  requestType: '--type',
  currencyInChainId: '--currency-in',
  currencyInAddress: '--currency-in',
  currencyOutChainId: '--currency-out',
  currencyOutAddress: '--currency-out',
  amountUsdMin: '--min-usd',
  amountUsdMax: '--max-usd',
  filters: '--filters',
};

function currencyOf(text: string, network: Network.Network): { chainId: number; address: string } {
  const { chain, token } = Currency.parse(text, network);
  return { chainId: chain.id, address: typeof token === 'string' ? token : token.address };
}

/** `crosschain-swap` is "Crosschain Swap" on the wire, and `same-chain-swap` "Same-chain Swap". */
function kindOnWire(kind: string): string {
  return kind.replace(/-swap$/, ' Swap').replace(/^./, (letter) => letter.toUpperCase());
}

function dollars(text: string, flag: string): string {
  const match = /^\$?(\d{1,15}(?:\.\d{1,6})?)$/.exec(text);
  if (!match?.[1]) throw invalidFilter(flag, text, 'Give an amount in US dollars, such as 2.50.');
  return match[1];
}

const spanMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Unix time in milliseconds of a date, an instant, Unix seconds or a span before now. */
function time(text: string, flag: string, nowMs: number): number {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * spanMs[unit as keyof typeof spanMs];
  if (/^\d{9,10}$/.test(text)) return Number(text) * 1000;
  const [, date, clock = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  const ms = Date.parse(`${date}T${clock}${zone}`);
  // Date.parse would read the 31st of June as the 1st of July.
  if (!Number.isNaN(ms) && new Date(`${date}T00:00Z`).toISOString().startsWith(date ?? '-')) return ms;
  throw invalidFilter(
    flag,
    text,
    'Give a date such as 2026-09-01 or 2026-09-01T12:00 (UTC), Unix seconds, or an age: 90m, 12h, 7d, 2w.',
  );
}

function groups(text: string): string {
  const parsed = JsonText.read(text);
  if (Array.isArray(parsed) && parsed.length > 0 && parsed.every(isMapping)) return JSON.stringify(parsed);
  throw invalidFilter(
    '--filters',
    text,
    'Give a JSON array of groups. A request must match all fields of at least one group: [{"status":"failure"},{"status":"refund"}].',
  );
}

function defined<T extends object>(query: T): T {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as T;
}

function invalidFilter(flag: string, text: string, hint: string): BaseError {
  const shown = TerminalText.escape(text.length > 80 ? `${text.slice(0, 80)}…` : text);
  return new BaseError('usage.invalid', `${flag} cannot be "${shown}".`, { hint });
}
