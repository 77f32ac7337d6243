/** `GET /api/v1/apikeys`: the API keys that can sign for an account. Public. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as Envelope from './Envelope.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'GET', path: '/api/v1/apikeys' } as const;

/** The index that requests all keys of an account. */
export const all = 255;

export const query = Primitives.object({
  account_index: Primitives.digits,
  api_key_index: z.optional(Primitives.digits),
});

export const apiKey = Primitives.object({
  account_index: Envelope.integer,
  api_key_index: z.int(),
  nonce: Envelope.integer,
  /** 80 hexadecimal digits without a prefix. */
  public_key: z.string(),
  /** Unix time in microseconds. */
  transaction_time: z.optional(z.number()),
});

export const response = Primitives.object({
  code: Envelope.code,
  message: z.optional(z.string()),
  api_keys: z.array(apiKey),
});
