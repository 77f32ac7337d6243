/** `POST /currencies/v2`: finds currencies by name, symbol or address. */
import * as z from 'zod/mini';
import * as CurrencyAmount from '../schema/CurrencyAmount.js';

export type Request = z.output<typeof request>;
export type Response = z.output<typeof response>;
/** A currency as the service describes it, unverified. */
export type Currency = Response[number];

export const endpoint = { method: 'POST', path: '/currencies/v2' } as const;

export const request = z.strictObject({
  defaultList: z.optional(z.boolean()),
  chainIds: z.optional(z.array(z.int())),
  /** Part of a name or symbol, or an address. */
  term: z.optional(z.string()),
  address: z.optional(z.string()),
  currencyId: z.optional(z.string()),
  /** `chainId:address`. */
  tokens: z.optional(z.array(z.string())),
  verified: z.optional(z.boolean()),
  /** Defaults to 20. */
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  includeAllChains: z.optional(z.boolean()),
  useExternalSearch: z.optional(z.boolean()),
  depositAddressOnly: z.optional(z.boolean()),
});

export const response = z.array(
  z.extend(CurrencyAmount.currency, {
    /** `evm`, `lvm`, `svm` and so on. */
    vmType: z.optional(z.string()),
  }),
);
