/** `GET /config/v2`: whether two chains are connected, at which fee and up to which amount. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';

export type Query = z.output<typeof query>;
/** Amounts are in base units of the currency. */
export type Response = z.output<typeof response>;

export const endpoint = { method: 'GET', path: '/config/v2' } as const;

export const query = z.strictObject({
  originChainId: z.string(),
  destinationChainId: z.string(),
  /** With a user, the answer has the user's balance. */
  user: z.optional(z.string()),
  /** The id of a currency: `usdc`. Defaults to the native currency of the destination chain. */
  currency: z.optional(z.string()),
});

export const response = Primitives.object({
  enabled: z.boolean(),
  user: z.optional(
    Primitives.object({
      /** On the origin chain. */
      balance: Primitives.digits,
      /** What the user can bridge after fees. */
      maxBridgeAmount: Primitives.digits,
    }),
  ),
  /** The total fee of a bridge. */
  fee: z.optional(Primitives.digits),
  solver: z.optional(
    Primitives.object({
      address: z.string(),
      /** On the destination chain. */
      balance: Primitives.digits,
      /** The most that one request can bridge. */
      capacityPerRequest: Primitives.digits,
    }),
  ),
  supportsExternalLiquidity: z.optional(z.boolean()),
});
