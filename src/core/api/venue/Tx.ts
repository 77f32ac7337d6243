/** `GET /api/v1/tx`: the status of a transaction. Public. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as Envelope from './Envelope.js';

export type Response = z.output<typeof response>;
/** A transaction as lists contain it. */
export type Listed = z.output<typeof listed>;

export const endpoint = { method: 'GET', path: '/api/v1/tx' } as const;

export const query = Primitives.object({ by: z.enum(['hash', 'sequence_index']), value: z.string() });

/** The documented values of `status`. Other values are kept as received. */
export const statuses = { failed: 0, pending: 1, executed: 2, final: 3 } as const;

export const listed = Primitives.object({
  hash: z.string(),
  type: z.int(),
  /** The transaction as JSON. */
  info: z.string(),
  /** JSON; `ae` is the reason why the sequencer failed the transaction. */
  event_info: z.optional(z.string()),
  status: z.int(),
  transaction_index: z.optional(z.number()),
  l1_address: z.optional(z.string()),
  account_index: z.optional(Envelope.integer),
  nonce: z.optional(Envelope.integer),
  /** Unix time in milliseconds. */
  expire_at: z.optional(z.number()),
  block_height: z.optional(z.number()),
  queued_at: z.optional(z.number()),
  executed_at: z.optional(z.number()),
  sequence_index: z.optional(z.number()),
  parent_hash: z.optional(z.string()),
  api_key_index: z.optional(z.int()),
  /** Unix time in microseconds. */
  transaction_time: z.optional(z.number()),
});

export const response = z.extend(listed, {
  code: Envelope.code,
  message: z.optional(z.string()),
  committed_at: z.optional(z.number()),
  verified_at: z.optional(z.number()),
});
