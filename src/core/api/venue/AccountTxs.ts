/** `GET /api/v1/accountTxs`: the transactions that an account has sent, latest first. Public. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as Envelope from './Envelope.js';
import * as Tx from './Tx.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'GET', path: '/api/v1/accountTxs' } as const;

export const query = Primitives.object({
  by: z.enum(['account_index']),
  value: Primitives.digits,
  /** 1 to 100. */
  limit: z.string().check(z.regex(/^([1-9][0-9]?|100)$/)),
  /** How many to skip. */
  index: z.optional(Primitives.digits),
  /** Transaction types: `12`, `12,13` or `[12,13]`. */
  types: z.optional(z.string().check(z.regex(/^\[?[0-9]+( *, *[0-9]+)*\]?$/))),
  /** The auth token, if it is not in the `authorization` header. */
  auth: z.optional(z.string()),
  authorization: z.optional(z.string()),
});

export const response = Primitives.object({
  code: Envelope.code,
  message: z.optional(z.string()),
  txs: z.array(Tx.listed),
});
