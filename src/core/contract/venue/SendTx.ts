/**
 * `POST /api/v1/sendTx`, form-urlencoded: hands in a signed transaction. An answer of 200 says that it was accepted;
 * the sequencer may still fail it.
 */
import * as z from 'zod/mini';
import * as Wire from '../Wire.js';
import * as VenueWire from './VenueWire.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'POST', path: '/api/v1/sendTx' } as const;

/** The type of a transfer. */
export const transferType = 12;

/** The form's fields. */
export const request = Wire.object({
  tx_type: Wire.digits,
  /** JSON, as the transaction's own format has it. */
  tx_info: z.string(),
  price_protection: z.optional(z.enum(['true', 'false'])),
});

export const response = Wire.object({
  code: VenueWire.code,
  message: z.optional(z.string()),
  tx_hash: z.string(),
  predicted_execution_time_ms: z.optional(z.number()),
  volume_quota_remaining: z.nullish(z.number()),
});
