/** `GET /api/v1/assetDetails`: the venue's assets. Public. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as Envelope from './Envelope.js';

export type Response = z.output<typeof response>;
export type Asset = z.output<typeof asset>;

export const endpoint = { method: 'GET', path: '/api/v1/assetDetails' } as const;

export const query = Primitives.object({ asset_id: z.optional(Primitives.digits) });

export const asset = Primitives.object({
  asset_id: z.int(),
  symbol: z.string(),
  decimals: Primitives.decimals,
  l1_decimals: z.optional(Primitives.decimals),
  /** In whole units. */
  min_transfer_amount: z.optional(Envelope.decimal),
  min_withdrawal_amount: z.optional(Envelope.decimal),
  margin_mode: z.optional(z.string()),
  /** In dollars. */
  index_price: z.optional(Envelope.decimal),
  /** The token on Ethereum; zero for ether. */
  l1_address: z.optional(z.string()),
});

export const response = Primitives.object({
  code: Envelope.code,
  message: z.optional(z.string()),
  asset_details: z.array(asset),
});
