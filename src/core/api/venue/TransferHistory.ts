/** `GET /api/v1/transfer/history`: the executed transfers of an account, latest first. Requires an auth token. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as Envelope from './Envelope.js';

export type Response = z.output<typeof response>;
export type Item = z.output<typeof item>;

export const endpoint = { method: 'GET', path: '/api/v1/transfer/history' } as const;

export const query = Primitives.object({
  account_index: Primitives.digits,
  /** The `cursor` of the page before. */
  cursor: z.optional(z.string()),
  type: z.optional(z.enum(['all', 'L2Transfer', 'L2MintShares', 'L2BurnShares', 'L2StakeAssets', 'L2UnstakeAssets'])),
  /** The auth token, if it is not in the `authorization` header. */
  auth: z.optional(z.string()),
  authorization: z.optional(z.string()),
});

export const item = Primitives.object({
  id: z.string(),
  asset_id: z.int(),
  /** In whole units. */
  amount: Envelope.decimal,
  /** In whole USDC. */
  fee: Envelope.decimal,
  /** Unix time in milliseconds. */
  timestamp: z.int(),
  /** `L2TransferInflow` or `L2TransferOutflow`; the set is open. */
  type: z.string(),
  from_l1_address: z.string(),
  to_l1_address: z.string(),
  from_account_index: Envelope.integer,
  to_account_index: Envelope.integer,
  /** `perps` or `spot`. */
  from_route: z.string(),
  to_route: z.string(),
  tx_hash: z.string(),
});

export const response = Primitives.object({
  code: Envelope.code,
  message: z.optional(z.string()),
  transfers: z.array(item),
  /** Empty on the last page. */
  cursor: z.optional(z.string()),
});
