/** `GET /intents/status/v2`: the status of a request, before v3. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'GET', path: '/intents/status/v2' } as const;

export const query = z.strictObject({ requestId: z.string() });

export const response = Primitives.object({
  /** The words of v3 without `submitted`. */
  status: z.string(),
  details: z.optional(z.string()),
  inTxHashes: z.optional(z.array(z.string())),
  txHashes: z.optional(z.array(z.string())),
  /** Unix time in milliseconds of the last change. */
  time: z.optional(z.number()),
  originChainId: z.optional(z.int()),
  destinationChainId: z.optional(z.int()),
  /** Unix time in milliseconds. */
  quoteCreatedAt: z.optional(z.number()),
});
