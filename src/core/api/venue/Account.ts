/** `GET /api/v1/account`: an account in detail, or all accounts of a wallet. Public. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as AccountsByL1Address from './AccountsByL1Address.js';
import * as Envelope from './Envelope.js';

/** The requested accounts. */
export type Response = z.output<typeof response>;
/** An account with its assets. */
export type Account = z.output<typeof account>;

export const endpoint = { method: 'GET', path: '/api/v1/account' } as const;

export const query = Primitives.object({ by: z.enum(['index', 'l1_address']), value: z.string() });

/** An account's balances of one asset, in whole units. */
export const asset = Primitives.object({
  symbol: z.string(),
  asset_id: z.int(),
  /** On the spot route. */
  balance: Envelope.decimal,
  locked_balance: z.optional(Envelope.decimal),
  margin_mode: z.optional(z.string()),
  /** On the perps route. */
  margin_balance: z.optional(Envelope.decimal),
});

export const account = z.extend(AccountsByL1Address.account, { assets: z.optional(z.array(asset)) });

export const response = Primitives.object({
  code: Envelope.code,
  message: z.optional(z.string()),
  total: z.optional(z.int()),
  accounts: z.array(account),
  next_cursor: z.nullish(z.string()),
});
