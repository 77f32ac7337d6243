/**
 * `POST /api/v1/sendTx`, as a form (`multipart/form-data` or URL-encoded) or with query parameters: submits a signed
 * transaction. A 200 means that it was accepted; the sequencer may still fail it.
 */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as Envelope from './Envelope.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'POST', path: '/api/v1/sendTx' } as const;

/** The `tx_type` of a transfer. */
export const transferType = 12;

/** The fields of the form, or the query parameters. */
export const request = Primitives.object({
  tx_type: Primitives.digits,
  /** The transaction as JSON, in the format of its type. */
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
