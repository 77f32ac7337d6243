/** `GET /api/v1/transferFeeInfo`: the venue's fee for a transfer between two accounts. Requires an auth token. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as Envelope from './Envelope.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'GET', path: '/api/v1/transferFeeInfo' } as const;

export const query = Primitives.object({
  account_index: Primitives.digits,
  /** -1, as if it were absent, for no account in particular. */
  to_account_index: z.optional(z.string().check(z.regex(/^(-1|[0-9]+)$/))),
  /** The auth token, if it is not in the `authorization` header. */
  auth: z.optional(z.string()),
  authorization: z.optional(z.string()),
});

export const response = Primitives.object({
  code: Envelope.code,
  message: z.optional(z.string()),
  /** Millionths of USDC. */
  transfer_fee_usdc: Envelope.integer,
});
