/** `POST /quote/v2`: prices a transfer and returns the steps to execute it. */
import * as z from 'zod/mini';
import * as QuoteRequest from './QuoteRequest.js';
import * as CurrencyAmount from './schema/CurrencyAmount.js';
import * as FeeBreakdown from './schema/FeeBreakdown.js';
import * as FeeSponsorship from './schema/FeeSponsorship.js';
import * as LegacyFees from './schema/LegacyFees.js';
import * as OrderData from './schema/OrderData.js';
import * as Primitives from './schema/Primitives.js';
import * as Step from './schema/Step.js';

/** The request body: spec 2.3. */
export type Request = z.output<typeof request>;
/** The response body, a quote: spec 2.4. */
export type Response = z.output<typeof response>;
/** The service's summary of the transfer: amounts, impact, route. Unverified. */
export type Details = z.output<typeof details>;
/** The order that the quote's steps are verified against. */
export type Protocol = z.output<typeof protocolV2>;
/** An impact in dollars and percent; a loss is negative. */
export type Impact = z.output<typeof impact>;
export type Slippage = z.output<typeof slippage>;
export type Route = z.output<typeof route>;

export const endpoint = { method: 'POST', path: '/quote/v2' } as const;

export const request = QuoteRequest.schema;

/** `usd` is a decimal; `percent` has two decimals: `-0.40`. */
const impact = Primitives.object({ usd: z.string(), percent: z.string() });

/** `value` is in base units. */
const slippage = Primitives.object({
  usd: z.optional(z.string()),
  value: z.optional(z.string()),
  percent: z.optional(z.string()),
});

const leg = Primitives.object({
  inputCurrency: CurrencyAmount.schema,
  outputCurrency: CurrencyAmount.schema,
  router: z.optional(z.string()),
});

const route = Primitives.object({ origin: z.nullish(leg), destination: z.nullish(leg) });

export const details = Primitives.object({
  operation: z.optional(z.string()),
  sender: z.string(),
  recipient: z.string(),
  currencyIn: CurrencyAmount.schema,
  currencyOut: CurrencyAmount.schema,
  refundCurrency: z.nullish(CurrencyAmount.schema),
  /** Native gas delivered on the destination in addition. */
  currencyGasTopup: z.nullish(CurrencyAmount.brief),
  totalImpact: impact,
  swapImpact: z.nullish(impact),
  expandedPriceImpact: FeeBreakdown.schema,
  /** Output tokens per input token, as a decimal. */
  rate: z.optional(z.string()),
  slippageTolerance: z.nullish(
    Primitives.object({
      origin: z.nullish(slippage),
      destination: z.nullish(slippage),
      /** Basis points. */
      total: z.nullish(z.string()),
    }),
  ),
  /** Seconds. */
  timeEstimate: z.nullish(z.number()),
  /** Base units. */
  userBalance: z.nullish(z.string()),
  isFixedRate: z.nullish(z.boolean()),
  fixedRateFee: z.nullish(Primitives.object({ usd: z.string() })),
  fallbackType: z.nullish(z.string()),
  route: z.nullish(route),
});

/** Its terms are hashed and held to each other, so none of it is optional. */
export const protocolV2 = Primitives.object({
  orderId: Primitives.bytes32,
  hubType: z.nullish(z.string()),
  orderData: OrderData.tolerant,
  /** The solver's signature over the order id. */
  orderSignature: z.nullish(z.string()),
  paymentDetails: Primitives.object({
    /** The chain's name in the order protocol. */
    chainId: z.string(),
    /** A contract address, or on the venue the account index that receives the payment. */
    depository: z.string(),
    currency: z.string(),
    amount: Primitives.digits,
  }),
});

export const response = Primitives.object({
  steps: z.array(Step.schema),
  requestId: z.optional(z.string()),
  /** Deprecated. */
  fees: z.nullish(LegacyFees.schema),
  feeSponsorship: z.nullish(FeeSponsorship.schema),
  details,
  /** Absent from a swap that needs no order. */
  protocol: z.nullish(Primitives.object({ v2: z.nullish(protocolV2) })),
});

/** The request id: the top-level one, else the first that a step has. */
export function requestIdOf({ requestId, steps }: Identified & { steps: readonly Identified[] }): string | undefined {
  return requestId ?? steps.find((step) => step.requestId)?.requestId ?? undefined;
}

type Identified = { requestId?: string | null | undefined };
