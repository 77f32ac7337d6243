/** The deprecated `fees` object of quotes and of requests/v2. New code reads `FeeBreakdown` instead. */
import * as z from 'zod/mini';
import * as CurrencyAmount from './CurrencyAmount.js';
import * as Primitives from './Primitives.js';

export type DeprecatedFees = z.output<typeof schema>;

export const schema = Primitives.object({
  /** The gas that the user pays on the origin chain. */
  gas: z.optional(CurrencyAmount.schema),
  /** The sum of `relayerGas` and `relayerService`. */
  relayer: z.optional(CurrencyAmount.schema),
  relayerGas: z.optional(CurrencyAmount.schema),
  relayerService: z.optional(CurrencyAmount.schema),
  app: z.optional(CurrencyAmount.schema),
  subsidized: z.optional(CurrencyAmount.schema),
});
