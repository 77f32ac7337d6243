/** `GET /api/v1/nextNonce`: the nonce that the next transaction of an API key must have. Public. */
import * as z from 'zod/mini';
import * as Wire from '../Wire.js';
import * as VenueWire from './VenueWire.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'GET', path: '/api/v1/nextNonce' } as const;

export const query = Wire.object({ account_index: Wire.digits, api_key_index: Wire.digits });

export const response = Wire.object({
  code: VenueWire.code,
  message: z.optional(z.string()),
  nonce: VenueWire.integer,
});
