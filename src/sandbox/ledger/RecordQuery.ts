/** Filters, sorts and paginates request records. */
import type * as RequestsV2 from '../../core/api/RequestsV2.js';
import type * as RequestsV3 from '../../core/api/RequestsV3.js';
import * as Usd from '../../core/base/Usd.js';
import { HttpError, messageError } from '../http/HttpError.js';
import type { Entry } from './ledger.js';

/** Query parameters of both versions; v2 supports fewer, but adds `hash`. */
export type Query = RequestsV3.Query & Pick<RequestsV2.Query, 'hash'>;

export type Page = { entries: readonly Entry[]; continuation: string | undefined; total: number };

const defaultLimit = 20;

/**
 * The page of entries that a query selects.
 *
 * @throws HttpError with status 400 if the cursor or the filters are malformed
 */
export function page(entries: readonly Entry[], query: Query): Page {
  const { limit = defaultLimit, continuation } = query;
  const groups = query.filters === undefined ? undefined : groupsFrom(query.filters);
  const sorted = entries
    .filter((entry) => matches(entry, query) && (!groups || groups.some((group) => satisfies(entry, group))))
    .sort(comparison(query));
  const rest = continuation === undefined ? sorted : after(sorted, continuation, query);
  const pageEntries = rest.slice(0, limit);
  const last = pageEntries.at(-1);
  return {
    entries: pageEntries,
    continuation: last && rest.length > pageEntries.length ? cursorOf(last, query) : undefined,
    total: sorted.length,
  };
}

/** Searchable fields, each with its values as text. */
const facets = {
  id: (entry) => [entry.order.requestId],
  user: (entry) => [entry.order.user],
  sender: (entry) => [entry.order.user],
  recipient: (entry) => [entry.order.recipient],
  depositAddress: () => [],
  orderId: (entry) => (entry.order.protocol ? [entry.order.protocol.orderId] : []),
  depositTxHash: (entry) => entry.inTxs.map((tx) => tx.hash),
  fillTxHash: (entry) => entry.outTxs.map((tx) => tx.hash),
  refundTxHash: (entry) => entry.refundTxs.map((tx) => tx.hash),
  hash: (entry) => [...entry.inTxs, ...entry.outTxs, ...entry.refundTxs].map((tx) => tx.hash),
  originChainId: (entry) => [String(entry.order.origin.chainId)],
  destinationChainId: (entry) => [String(entry.order.destination.chainId)],
  chainId: (entry) => [String(entry.order.origin.chainId), String(entry.order.destination.chainId)],
  status: (entry) => (inFlight.has(entry.status) ? [entry.status, 'pending'] : [entry.status]),
  failReason: (entry) => texts(entry.failReason),
  refundFailReason: (entry) => texts(entry.refundFailReason),
  requestType: (entry) => [entry.order.requestType],
  referrer: (entry) => texts(entry.order.referrer),
  currencyInChainId: (entry) => [String(entry.order.origin.chainId)],
  currencyInAddress: (entry) => [entry.order.origin.token.address],
  currencyInSymbol: (entry) => [entry.order.origin.token.symbol],
  currencyOutChainId: (entry) => [String(entry.order.destination.chainId)],
  currencyOutAddress: (entry) => [entry.order.destination.token.address],
  currencyOutSymbol: (entry) => [entry.order.destination.token.symbol],
} as const satisfies Record<string, (entry: Entry) => readonly string[]>;

type Facet = keyof typeof facets;

const inFlight: ReadonlySet<string> = new Set(['pending', 'submitted', 'delayed']);

function matches(entry: Entry, query: Query): boolean {
  for (const facet of Object.keys(facets) as Facet[]) {
    const wanted = (query as Readonly<Record<string, string | number | undefined>>)[facet];
    if (wanted !== undefined && !isAmong(String(wanted), facets[facet](entry))) return false;
  }
  if (query.term !== undefined && !isTerm(entry, query.term)) return false;
  if (query.apiKey !== undefined && entry.apiKeyName === undefined) return false;
  if (query.features !== undefined && !hasFeatures(entry, query.features.split(','))) return false;

  const seconds = (query.sortBy === 'updatedAt' ? entry.updatedAtMs : entry.createdAtMs) / 1000;
  const fillSeconds = (entry.updatedAtMs - entry.createdAtMs) / 1000;
  const blocks = [...entry.inTxs, ...entry.outTxs, ...entry.refundTxs].map((tx) => tx.block);
  return (
    isBetween(seconds, query.startTimestamp, query.endTimestamp) &&
    isBetween(amountUsd(entry), usd(query.amountUsdMin), usd(query.amountUsdMax)) &&
    isBetween(-entry.order.fees.app.usd, usd(query.appFeesAmountUsdMin), usd(query.appFeesAmountUsdMax)) &&
    isBetween(fillSeconds, number(query.fillTimeMin), number(query.fillTimeMax)) &&
    ((query.startBlock === undefined && query.endBlock === undefined) ||
      blocks.some((block) => isBetween(block, query.startBlock, query.endBlock)))
  );
}

/** The request's features, as documented. */
export function featuresOf(entry: Entry): string[] {
  return [
    ...(entry.relay ? ['gasless_execution'] : []),
    ...(entry.relay?.by === 'permit' ? ['gasless_swap'] : []),
    ...(entry.order.appFees.length > 0 ? ['app_fees'] : []),
  ];
}

function hasFeatures(entry: Entry, wanted: readonly string[]): boolean {
  const has = featuresOf(entry);
  return wanted.every((feature) => has.includes(feature.trim()));
}

function isTerm(entry: Entry, term: string): boolean {
  const where = ['id', 'orderId', 'hash', 'user', 'recipient'] as const;
  const deposits = entry.deposits.flatMap((deposit) => [deposit.hash, deposit.depositor]);
  return isAmong(term, [...where.flatMap((facet) => facets[facet](entry)), ...deposits]);
}

type Value = string | null;
type Condition = { facet: Facet; isNegated: boolean; values: readonly Value[] };

/** Parses filters in disjunctive form: an entry must satisfy every condition of at least one group. */
function groupsFrom(filters: string): Condition[][] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(filters);
  } catch {
    throw messageError(400, 'filters must be valid JSON');
  }
  if (!Array.isArray(parsed)) throw messageError(400, 'filters must be an array of groups');
  return parsed.map((group) => {
    if (typeof group !== 'object' || group === null || Array.isArray(group)) {
      throw messageError(400, 'filters must be an array of groups');
    }
    return Object.entries(group).map(([key, value]) => conditionFrom(key, value));
  });
}

function conditionFrom(key: string, value: unknown): Condition {
  const isNegatedKey = key.startsWith('not:');
  const facet = isNegatedKey ? key.slice(4) : key;
  if (!Object.hasOwn(facets, facet)) throw messageError(400, `filters has an unknown field: ${facet}`);
  const values = (Array.isArray(value) ? value : [value]).map((one): Value => (one === null ? null : String(one)));
  if (values.includes(null) && values.length > 1) throw messageError(400, 'filters must not mix null with values');
  const isNegatedValue = values.length > 0 && values.every((one) => one?.startsWith('not:'));
  return {
    facet: facet as Facet,
    isNegated: isNegatedKey !== isNegatedValue,
    values: isNegatedValue ? values.map((one) => one?.slice(4) ?? null) : values,
  };
}

function satisfies(entry: Entry, group: readonly Condition[]): boolean {
  return group.every(({ facet, isNegated, values }) => {
    const has = facets[facet](entry);
    const holds = values.some((value) => (value === null ? has.length === 0 : isAmong(value, has)));
    return holds !== isNegated;
  });
}

type SortKey = { value: bigint; sequence: number };

function sortKeyOf(entry: Entry, query: Query): SortKey {
  const { sortBy = 'createdAt' } = query;
  const value =
    sortBy === 'amountUsd' ? amountUsd(entry) : BigInt(sortBy === 'updatedAt' ? entry.updatedAtMs : entry.createdAtMs);
  return { value, sequence: entry.sequence };
}

function direction(query: Query): 1 | -1 {
  return (query.sortDirection ?? (query.sortBy === 'amountUsd' ? 'asc' : 'desc')) === 'asc' ? 1 : -1;
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  return a.sequence - b.sequence;
}

function comparison(query: Query): (a: Entry, b: Entry) => number {
  const sign = direction(query);
  return (a, b) => sign * compareKeys(sortKeyOf(a, query), sortKeyOf(b, query));
}

function cursorOf(entry: Entry, query: Query): string {
  const { value, sequence } = sortKeyOf(entry, query);
  return Buffer.from(`${value}.${sequence}`).toString('base64url');
}

function after(sorted: readonly Entry[], continuation: string, query: Query): readonly Entry[] {
  const match = /^(-?\d+)\.(\d+)$/.exec(Buffer.from(continuation, 'base64url').toString());
  if (!match) throw new HttpError(400, { message: 'Invalid continuation' });
  const key = { value: BigInt(match[1] ?? ''), sequence: Number(match[2]) };
  return sorted.filter((entry) => direction(query) * compareKeys(sortKeyOf(entry, query), key) > 0);
}

function amountUsd(entry: Entry): bigint {
  return Usd.from(entry.quote.details.currencyIn.amountUsd) ?? 0n;
}

function usd(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : Usd.from(text);
}

function number(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function isBetween(value: number | bigint, minimum?: number | bigint, maximum?: number | bigint): boolean {
  return (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum);
}

function isAmong(wanted: string, texts: readonly string[]): boolean {
  return texts.some((text) => text.toLowerCase() === wanted.toLowerCase());
}

function texts(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}
