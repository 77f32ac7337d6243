/** The parts of a quote that carry it out, to read and to change in place. */
import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import type * as Step from '../../core/api/schema/Step.js';

export type Quote = QuoteV2.Response;

/** The order, where the solver takes part. */
export function order(quote: Quote) {
  return quote.protocol?.v2?.orderData;
}

/** What would be sent, in order. */
export function sent({ steps }: Quote): Record<string, unknown>[] {
  return steps.flatMap(({ items }) => items.flatMap(({ data }) => (data && 'to' in data ? [data] : [])));
}

/** What would be transferred on the venue. */
export function transfers({ steps }: Quote): Step.VenueTransfer['action']['parameters'][] {
  const all = steps.flatMap(({ items }) => items);
  return all.flatMap(({ data }) => (data && 'action' in data ? [(data as Step.VenueTransfer).action.parameters] : []));
}

/** The transactions among them that let somebody take a token. */
export function approvals(quote: Quote): Record<string, unknown>[] {
  return sent(quote).filter(({ data }) => String(data).startsWith('0x095ea7b3'));
}

export type Signing = { sign: { value?: Record<string, unknown> } };

/** What would be signed without a transaction. */
export function signatures({ steps }: Quote): Signing[] {
  return steps.flatMap(({ items }) => items.flatMap(({ data }) => (data && 'sign' in data ? [data as Signing] : [])));
}
