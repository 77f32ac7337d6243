/** The fields of a request that it can be searched for. */
import * as Step from '../../core/api/schema/Step.js';
import type { Entry } from './Entry.js';

/** Searchable fields, each with its values as text. */
export const facets = {
  id: (entry) => [entry.order.requestId],
  user: (entry) => [entry.order.user],
  sender: (entry) => [entry.order.user],
  recipient: (entry) => [entry.order.recipient],
  depositAddress: (entry) => texts(entry.order.depositAddress),
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

export type Facet = keyof typeof facets;

const inFlight: ReadonlySet<string> = new Set(['pending', 'submitted', 'delayed']);

/** Facets that hold for a request whenever a narrower one does; the index has the narrower ones. */
const narrower: Readonly<Partial<Record<Facet, readonly Facet[]>>> = {
  sender: ['user'],
  hash: ['depositTxHash', 'fillTxHash', 'refundTxHash'],
  chainId: ['originChainId', 'destinationChainId'],
  currencyInChainId: ['originChainId'],
  currencyOutChainId: ['destinationChainId'],
};

const indexed = (Object.keys(facets) as Facet[]).filter((facet) => !(facet in narrower) && facet !== 'id');

/** What else requests are indexed by: who takes app fees, the name of the API key, the chain of a deposit address. */
type OtherWord = 'appFee' | 'apiKey' | 'depositAddressOn' | 'term' | 'step';

/** The word of a facet, or of something else, with a value. */
export function word(facet: Facet | OtherWord, value: string | number): string {
  return `${facet}=${value}`.toLowerCase();
}

/** The words that a request is indexed by. */
export function wordsOf(entry: Entry): string[] {
  const own = indexed.flatMap((facet) => facets[facet](entry).map((value) => word(facet, value)));
  const fees = entry.order.appFees.map(({ recipient }) => word('appFee', recipient));
  const key = entry.apiKeyName === undefined ? [] : [word('apiKey', entry.apiKeyName)];
  const place = entry.order.depositAddress ? [word('depositAddressOn', entry.order.origin.chainId)] : [];
  const steps = entry.order.execution === 'solver' ? [] : stepsOf(entry).map(stepWord);
  const terms = termsOf(entry).map((value) => word('term', value));
  return [...new Set([...steps, ...place, ...own, ...fees, ...key, ...terms])];
}

/** One of these words has every request with a value of a facet. */
export function wordsFor(facet: Facet, value: string): string[] {
  return (narrower[facet] ?? [facet]).map((each) => word(each, value));
}

/** One of these words has every request that a term finds. */
export function wordsForTerm(term: string): string[] {
  const facetsOfTerm = (['orderId', 'hash', 'user', 'recipient'] as const).flatMap((facet) => wordsFor(facet, term));
  return [...facetsOfTerm, word('term', term)];
}

/** The word of a transaction that the user sends, as the quote has it. */
export function stepWord({ from, to, data }: { from: string; to?: string | undefined; data: string }): string {
  return word('step', `${from}:${to ?? ''}:${data}`);
}

/** What a term finds besides the facets. */
export function termsOf({ order, deposits }: Entry): string[] {
  return [order.requestId, ...deposits.flatMap((deposit) => [deposit.hash, deposit.depositor])];
}

function stepsOf({ quote }: Entry) {
  return quote.steps.flatMap(({ items }) =>
    items.flatMap(({ data }) => {
      const read = Step.evmTransaction.safeParse(data);
      return read.success ? [read.data] : [];
    }),
  );
}

function texts(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}
