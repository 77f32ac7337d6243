/** `GET /intents/status/v3`: where a request stands. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';

/** The parameters of the query. */
export type Query = z.output<typeof query>;
/** Where the request stands, in the service’s words. */
export type Response = z.output<typeof response>;
/** A documented word. */
export type State = (typeof states)[number];

export const endpoint = { method: 'GET', path: '/intents/status/v3' } as const;

/** The documented states. `failure` is not always the end: a refund may follow. */
export const states = [
  'waiting',
  'depositing',
  'pending',
  'submitted',
  'delayed',
  'success',
  'refund',
  'failure',
] as const;

export const query = z.strictObject({ requestId: z.string() });

export const response = Primitives.object({
  /** Any word; those that are documented are `states`. */
  status: z.string(),
  details: z.nullish(z.string()),
  inTxHashes: z.nullish(z.array(z.string())),
  txHashes: z.nullish(z.array(z.string())),
  /** Unix time in milliseconds. */
  updatedAt: z.nullish(z.number()),
  originChainId: z.nullish(z.int()),
  destinationChainId: z.nullish(z.int()),
  /** Unix time in milliseconds. */
  quoteCreatedAt: z.nullish(z.union([z.number(), z.string()])),
  /** `N/A` where there is none. */
  failReason: z.nullish(z.string()),
  /** `N/A` where there is none. */
  refundFailReason: z.nullish(z.string()),
});

/** Whether the word is documented. */
export function isState(word: string): word is State {
  return (states as readonly string[]).includes(word);
}

/** The path that a step item's `check` names. */
export function path(requestId: string): string {
  return `${endpoint.path}?requestId=${encodeURIComponent(requestId)}`;
}
