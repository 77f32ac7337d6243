/** The old `fees` object of a quote and of requests/v2. New code reads the breakdown instead. */
import * as z from 'zod/mini';
import * as CurrencyAmount from './CurrencyAmount.js';
import * as Primitives from './Primitives.js';

export type DeprecatedFees = z.output<typeof schema>;

export const schema = Primitives.object({
  /** Gas that the user pays on the origin. */
  gas: z.optional(CurrencyAmount.schema),
  /** The sum of the two that follow. */
  relayer: z.optional(CurrencyAmount.schema),
  relayerGas: z.optional(CurrencyAmount.schema),
  relayerService: z.optional(CurrencyAmount.schema),
  app: z.optional(CurrencyAmount.schema),
  subsidized: z.optional(CurrencyAmount.schema),
});
