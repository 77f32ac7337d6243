/** `GET /api/v1/tx`: what became of a transaction. Public. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as Envelope from './Envelope.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'GET', path: '/api/v1/tx' } as const;

export const query = Primitives.object({ by: z.enum(['hash', 'sequence_index']), value: z.string() });

/** The venue's own table. Other numbers are kept as they come. */
export const statuses = { failed: 0, pending: 1, executed: 2, final: 3 } as const;

export const response = Primitives.object({
  code: Envelope.code,
  message: z.optional(z.string()),
  hash: z.string(),
  type: z.int(),
  /** The transaction as JSON. */
  info: z.string(),
  /** JSON; `ae` is why the sequencer failed it. */
  event_info: z.optional(z.string()),
  status: z.int(),
  account_index: z.optional(Envelope.integer),
  nonce: z.optional(Envelope.integer),
  /** Unix time in milliseconds. */
  expire_at: z.optional(z.number()),
  block_height: z.optional(z.number()),
  queued_at: z.optional(z.number()),
  executed_at: z.optional(z.number()),
});
