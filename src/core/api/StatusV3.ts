/** `GET /intents/status/v3`: the status of a request. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';

export type Response = z.output<typeof response>;
/** A documented status. */
export type State = (typeof states)[number];

export const endpoint = { method: 'GET', path: '/intents/status/v3' } as const;

/** The documented states. `failure` is not always final: a refund may follow. */
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

/** A field that decides nothing: one of an unknown form counts as absent. */
const lax = <S extends z.core.$ZodType>(schema: S) => z.catch(z.nullish(schema), undefined);

/** Each is asked for at a node, and kept: no chain has longer ones. */
const hashes = z.array(z.string().check(z.maxLength(200))).check(z.maxLength(100));

/** An explanation, which is shown and decides nothing. */
const words = lax(Primitives.decimalText.check(z.maxLength(10_000)));

/** A fresh quote has a status and little else, and numbers may be strings. */
export const response = Primitives.object({
  /** An open set; `states` are the documented ones. */
  status: z.string().check(z.maxLength(100)),
  details: words,
  inTxHashes: z.nullish(hashes),
  txHashes: z.nullish(hashes),
  /** Unix time in milliseconds. */
  updatedAt: lax(Primitives.receivedNumber),
  originChainId: lax(Primitives.receivedInteger),
  destinationChainId: lax(Primitives.receivedInteger),
  /** `N/A` if there is none, like the next. */
  failReason: words,
  refundFailReason: words,
});

/** The path and query that a step item's `check` refers to. */
export function path(requestId: string): string {
  return `${endpoint.path}?requestId=${encodeURIComponent(requestId)}`;
}
