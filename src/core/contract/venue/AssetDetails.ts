/** `GET /api/v1/assetDetails`: the venue's assets. Public. */
import * as z from 'zod/mini';
import * as Wire from '../Wire.js';
import * as VenueWire from './VenueWire.js';

export type Response = z.output<typeof response>;
export type Asset = z.output<typeof asset>;

export const endpoint = { method: 'GET', path: '/api/v1/assetDetails' } as const;

export const query = Wire.object({ asset_id: z.optional(Wire.digits) });

export const asset = Wire.object({
  asset_id: z.int(),
  symbol: z.string(),
  decimals: Wire.count,
  l1_decimals: z.optional(Wire.count),
  /** In whole units. */
  min_transfer_amount: z.optional(VenueWire.decimal),
  margin_mode: z.optional(z.string()),
});

export const response = Wire.object({
  code: VenueWire.code,
  message: z.optional(z.string()),
  asset_details: z.array(asset),
});
