/** `GET /api/v1/apikeys`: the keys that may sign for an account. Public. */
import * as z from 'zod/mini';
import * as Wire from '../Wire.js';
import * as VenueWire from './VenueWire.js';

export type Response = z.output<typeof response>;
export type ApiKey = z.output<typeof apiKey>;

export const endpoint = { method: 'GET', path: '/api/v1/apikeys' } as const;

/** The index that asks for all keys of an account. */
export const all = 255;

export const query = Wire.object({ account_index: Wire.digits, api_key_index: z.optional(Wire.digits) });

export const apiKey = Wire.object({
  account_index: VenueWire.integer,
  api_key_index: z.int(),
  nonce: VenueWire.integer,
  /** 80 hexadecimal digits without a prefix. */
  public_key: z.string(),
  /** Unix time in microseconds. */
  transaction_time: z.optional(z.number()),
});

export const response = Wire.object({
  code: VenueWire.code,
  message: z.optional(z.string()),
  api_keys: z.array(apiKey),
});
