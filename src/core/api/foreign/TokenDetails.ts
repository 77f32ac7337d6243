/** `GET /chains/{chainId}/currencies/{address}`: one currency with its price. */
import * as z from 'zod/mini';
import * as CurrencyAmount from '../schema/CurrencyAmount.js';

export type Parameters = z.output<typeof parameters>;
/** The currency as the service describes it, unverified. */
export type Response = z.output<typeof response>;

export const endpoint = { method: 'GET', path: '/chains/:chainId/currencies/:address' } as const;

export const parameters = z.strictObject({ chainId: z.int(), address: z.string() });

/** The service adds figures of the market if it has them: `marketCap`, `volume`, `priceChange`. */
export const response = z.extend(CurrencyAmount.currency, {
  vmType: z.optional(z.string()),
  /** US dollars per whole token, as a float. */
  price: z.nullish(z.number()),
});
