/** Filters, sorts and paginates request records. */
import type * as RequestsV2 from '../../core/api/RequestsV2.js';
import type * as RequestsV3 from '../../core/api/RequestsV3.js';
import * as Usd from '../../core/base/Usd.js';
import { nameOf } from '../http/apiKey.js';
import { HttpError, messageError } from '../http/HttpError.js';
import type { Entry } from './Entry.js';
import type { Search } from './entryStore.js';
import { type Facet, facets, termsOf, word, wordsFor, wordsForTerm } from './RecordFacets.js';

/** Query parameters of both versions; v2 supports fewer, but adds `hash`. */
export type Query = RequestsV3.Query & Pick<RequestsV2.Query, 'hash'>;

/** `total` is of the whole answer; undefined unless the query asks for it. */
export type Page = { entries: readonly Entry[]; continuation: string | undefined; total: number | undefined };

/** What is searched: the ledger. */
type Searchable = { search(search: Search): Iterable<Entry>; byRequestId(id: string): Entry | undefined };

const defaultLimit = 20;

/**
 * The page of entries that a query selects. Entries are read one by one, and no more than the page needs.
 *
 * @throws HttpError with status 400 if the cursor or the filters are malformed
 */
export function page(ledger: Searchable, query: Query): Page {
  const { limit = defaultLimit, continuation } = query;
  const groups = query.filters === undefined ? undefined : groupsFrom(query.filters);
  const cursor = continuation === undefined ? undefined : cursorFrom(continuation);
  const entries: Entry[] = [];
  let total = 0;
  let hasMore = false;
  for (const entry of candidates(ledger, query, { groups, cursor })) {
    if (!matches(entry, query) || (groups && !groups.some((group) => satisfies(entry, group)))) continue;
    total += 1;
    if (cursor && direction(query) * compareKeys(sortKeyOf(entry, query), cursor) <= 0) continue;
    hasMore = entries.length === limit;
    if (!hasMore) entries.push(entry);
    else if (!query.includeTotal) break;
  }
  const last = entries.at(-1);
  return {
    entries,
    continuation: last && hasMore ? cursorOf(last, query) : undefined,
    total: query.includeTotal ? total : undefined,
  };
}

/** All entries that can match, in the order of the answer, and some that do not. */
function candidates(
  ledger: Searchable,
  query: Query,
  { groups = [], cursor }: { groups?: readonly Condition[][] | undefined; cursor: SortKey | undefined },
): Iterable<Entry> {
  if (query.id !== undefined) {
    const entry = ledger.byRequestId(query.id);
    return entry ? [entry] : [];
  }
  const isDescending = direction(query) === -1;
  const edge = cursor && !query.includeTotal ? Number(cursor.value) : undefined;
  return ledger.search({
    words: [...wordsOf(query), ...(groups.length === 1 ? (groups[0] ?? []).flatMap(wordsOfCondition) : [])],
    by: query.sortBy === 'amountUsd' ? 'weight' : query.sortBy === 'updatedAt' ? 'updatedAtMs' : 'createdAtMs',
    isDescending,
    from: isDescending ? undefined : edge,
    to: isDescending ? edge : undefined,
  });
}

/** Groups of words, of each of which a matching entry has one. */
function wordsOf(query: Query): string[][] {
  return [
    ...facetsIn(query).map(([facet, wanted]) => wordsFor(facet, wanted)),
    ...(query.term === undefined ? [] : [wordsForTerm(query.term)]),
    ...(query.apiKey === undefined ? [] : [keyNamesIn(query.apiKey).map((name) => word('apiKey', name))]),
  ];
}

/** The facets that a query asks for. */
function facetsIn(query: Query): [Facet, string][] {
  const wanted = query as Readonly<Record<string, string | number | undefined>>;
  return (Object.keys(facets) as Facet[]).flatMap((facet): [Facet, string][] =>
    wanted[facet] === undefined ? [] : [[facet, String(wanted[facet])]],
  );
}

function keyNamesIn(keys: string): string[] {
  return keys.split(',').flatMap((key) => nameOf(key.trim()) ?? []);
}

function wordsOfCondition({ facet, isNegated, values }: Condition): string[][] {
  const known = values.filter((value) => value !== null);
  if (isNegated || facet === 'id' || known.length === 0 || known.length < values.length) return [];
  return [known.flatMap((value) => wordsFor(facet, value))];
}

function matches(entry: Entry, query: Query): boolean {
  if (facetsIn(query).some(([facet, wanted]) => !isAmong(wanted, facets[facet](entry)))) return false;
  if (query.term !== undefined && !isTerm(entry, query.term)) return false;
  if (query.apiKey !== undefined && !keyNamesIn(query.apiKey).includes(entry.apiKeyName ?? '')) return false;
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
    ...(entry.order.gasTopup ? ['gas_top_up'] : []),
    ...(entry.order.appFees.length > 0 ? ['app_fees'] : []),
    ...(entry.order.depositAddress ? ['deposit_address'] : []),
  ];
}

function hasFeatures(entry: Entry, wanted: readonly string[]): boolean {
  const has = featuresOf(entry);
  return wanted.some((feature) => has.includes(feature.trim()));
}

function isTerm(entry: Entry, term: string): boolean {
  const where = ['id', 'orderId', 'hash', 'user', 'recipient'] as const;
  return isAmong(term, [...where.flatMap((facet) => facets[facet](entry)), ...termsOf(entry)]);
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

function cursorOf(entry: Entry, query: Query): string {
  const { value, sequence } = sortKeyOf(entry, query);
  return Buffer.from(`${value}.${sequence}`).toString('base64url');
}

function cursorFrom(continuation: string): SortKey {
  const match = /^(-?\d+)\.(\d+)$/.exec(Buffer.from(continuation, 'base64url').toString());
  if (!match) throw new HttpError(400, { message: 'Invalid continuation' });
  return { value: BigInt(match[1] ?? ''), sequence: Number(match[2]) };
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
