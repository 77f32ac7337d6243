/** `POST /price`: what a quote would cost and yield, without steps. */
import * as z from 'zod/mini';
import * as QuoteRequest from '../QuoteRequest.js';
import * as CurrencyAmount from '../schema/CurrencyAmount.js';
import * as LegacyFees from '../schema/LegacyFees.js';
import * as Primitives from '../schema/Primitives.js';

/** The price of a transfer. */
export type Response = z.output<typeof response>;

export const endpoint = { method: 'POST', path: '/price' } as const;

/** The parameters of a quote that the endpoint knows. */
export const request = z.pick(QuoteRequest.schema, {
  user: true,
  recipient: true,
  originChainId: true,
  destinationChainId: true,
  originCurrency: true,
  destinationCurrency: true,
  amount: true,
  tradeType: true,
  txs: true,
  referrer: true,
  refundTo: true,
  refundOnOrigin: true,
  useExternalLiquidity: true,
  useFallbacks: true,
  usePermit: true,
  useDepositAddress: true,
  slippageTolerance: true,
  appFees: true,
});

/** `usd` is a decimal; `percent` has two decimals. */
const impact = Primitives.object({ usd: z.string(), percent: z.string() });

/** `value` is in base units. */
const slippage = z.nullish(
  Primitives.object({
    usd: z.optional(z.string()),
    value: z.optional(z.string()),
    percent: z.optional(z.string()),
  }),
);

export const response = Primitives.object({
  fees: LegacyFees.schema,
  details: Primitives.object({
    operation: z.optional(z.string()),
    sender: z.string(),
    recipient: z.string(),
    currencyIn: CurrencyAmount.schema,
    currencyOut: CurrencyAmount.schema,
    totalImpact: impact,
    swapImpact: z.nullish(impact),
    rate: z.optional(z.string()),
    slippageTolerance: z.nullish(
      Primitives.object({ origin: slippage, destination: slippage, total: z.nullish(z.string()) }),
    ),
    /** Seconds. */
    timeEstimate: z.nullish(z.number()),
    /** Base units. */
    userBalance: z.nullish(z.string()),
  }),
});
