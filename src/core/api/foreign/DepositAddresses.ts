/** `GET /deposit-addresses/v1` and `POST /transactions/deposit-address/reindex`. */
import * as z from 'zod/mini';

export const endpoint = { method: 'GET', path: '/deposit-addresses/v1' } as const;

/** One of both. */
export const query = z.strictObject({
  address: z.optional(z.string()),
  requestId: z.optional(z.string()),
});

/** Has the service look again at what an address holds: of another currency than the order's, too. */
export const reindex = { method: 'POST', path: '/transactions/deposit-address/reindex' } as const;

export const reindexRequest = z.strictObject({
  chainId: z.int(),
  depositAddress: z.string(),
  targetChainId: z.optional(z.int()),
  /** By default the order's currency, and the chain's own. */
  currency: z.optional(z.string()),
});
