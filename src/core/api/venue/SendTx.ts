/**
 * `POST /api/v1/sendTx`, form-urlencoded: hands in a signed transaction. An answer of 200 says that it was accepted;
 * the sequencer may still fail it.
 */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as Envelope from './Envelope.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'POST', path: '/api/v1/sendTx' } as const;

/** The type of a transfer. */
export const transferType = 12;

/** The form's fields. */
export const request = Primitives.object({
  tx_type: Primitives.digits,
  /** JSON, as the transaction's own format has it. */
  tx_info: z.string(),
  price_protection: z.optional(z.enum(['true', 'false'])),
});

export const response = Primitives.object({
  code: Envelope.code,
  message: z.optional(z.string()),
  tx_hash: z.string(),
  predicted_execution_time_ms: z.optional(z.number()),
  volume_quota_remaining: z.nullish(z.number()),
});
