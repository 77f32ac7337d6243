/** Accessors for the executable parts of a quote; the results may be modified in place. */
import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import type * as Step from '../../core/api/schema/Step.js';

export type Quote = QuoteV2.Response;

/** The order, if the solver takes part. */
export function order(quote: Quote) {
  return quote.protocol?.v2?.orderData;
}

/** The transactions to send, in order. */
export function transactions({ steps }: Quote): Record<string, unknown>[] {
  return steps.flatMap(({ items }) => items.flatMap(({ data }) => (data && 'to' in data ? [data] : [])));
}

/** The venue transfers. */
export function transfers({ steps }: Quote): Step.VenueTransfer['action']['parameters'][] {
  const all = steps.flatMap(({ items }) => items);
  return all.flatMap(({ data }) => (data && 'action' in data ? [(data as Step.VenueTransfer).action.parameters] : []));
}

/** The transactions that grant allowances. */
export function approvals(quote: Quote): Record<string, unknown>[] {
  return transactions(quote).filter(({ data }) => String(data).startsWith('0x095ea7b3'));
}

export type SignatureRequest = {
  sign: { primaryType?: string; types?: Record<string, unknown>; value?: Record<string, unknown> };
  post?: { endpoint: string; body?: Record<string, unknown> };
};

/** The signature requests. */
export function signatures({ steps }: Quote): SignatureRequest[] {
  return steps.flatMap(({ items }) =>
    items.flatMap(({ data }) => (data && 'sign' in data ? [data as SignatureRequest] : [])),
  );
}
