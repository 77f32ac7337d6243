/** `GET /api/v1/accountsByL1Address`: the accounts of a wallet, its master account first. Public. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as Envelope from './Envelope.js';

export type Response = z.output<typeof response>;
export type Account = z.output<typeof account>;

export const endpoint = { method: 'GET', path: '/api/v1/accountsByL1Address' } as const;

export const query = Primitives.object({ l1_address: z.string(), cursor: z.optional(z.string()) });

/** The venue's documentation has three names for the index; ferry calls it `index`. */
export const account = Primitives.object({
  /** 0 for a master account, 1 for a sub-account. */
  account_type: z.optional(z.int()),
  index: z.optional(Envelope.integer),
  account_index: z.optional(Envelope.integer),
  accountIndex: z.optional(Envelope.integer),
  l1_address: z.string(),
  /** In whole USDC. */
  available_balance: z.optional(z.string()),
  collateral: z.optional(z.string()),
  /** 1 if active, 0 if inactive. */
  status: z.optional(z.int()),
  /** Unix time in microseconds. */
  transaction_time: z.optional(z.number()),
});

export const response = Primitives.object({
  code: Envelope.code,
  message: z.optional(z.string()),
  l1_address: z.string(),
  sub_accounts: z.array(account),
  next_cursor: z.nullish(z.string()),
});
