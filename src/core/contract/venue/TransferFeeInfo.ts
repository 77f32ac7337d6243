/** `GET /api/v1/transferFeeInfo`: what the venue asks for a transfer between two accounts. Needs an auth token. */
import * as z from 'zod/mini';
import * as Wire from '../Wire.js';
import * as VenueWire from './VenueWire.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'GET', path: '/api/v1/transferFeeInfo' } as const;

export const query = Wire.object({
  account_index: Wire.digits,
  to_account_index: Wire.digits,
  /** The token, where it does not stand in the `authorization` header. */
  auth: z.optional(z.string()),
});

export const response = Wire.object({
  code: VenueWire.code,
  message: z.optional(z.string()),
  /** Millionths of USDC. */
  transfer_fee_usdc: VenueWire.integer,
});
