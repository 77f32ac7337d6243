/** `GET /api/v1/nextNonce`: the nonce for an API key's next transaction. Public. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as Envelope from './Envelope.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'GET', path: '/api/v1/nextNonce' } as const;

export const query = Primitives.object({ account_index: Primitives.digits, api_key_index: Primitives.digits });

export const response = Primitives.object({
  code: Envelope.code,
  message: z.optional(z.string()),
  nonce: Envelope.integer,
});
