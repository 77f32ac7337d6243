/** `GET /api/v1/transferFeeInfo`: what the venue asks for a transfer between two accounts. Needs an auth token. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as Envelope from './Envelope.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'GET', path: '/api/v1/transferFeeInfo' } as const;

export const query = Primitives.object({
  account_index: Primitives.digits,
  to_account_index: Primitives.digits,
  /** The token, where it does not stand in the `authorization` header. */
  auth: z.optional(z.string()),
});

export const response = Primitives.object({
  code: Envelope.code,
  message: z.optional(z.string()),
  /** Millionths of USDC. */
  transfer_fee_usdc: Envelope.integer,
});
