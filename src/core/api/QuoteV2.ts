/**
 * `POST /quote/v2`: prices a transfer and returns the steps to execute it. What is paid, to whom and in what currencies
 * is required of an answer; all else was seen absent, null, or a number where a string is documented.
 */
import * as z from 'zod/mini';
import * as QuoteRequest from './QuoteRequest.js';
import * as CurrencyAmount from './schema/CurrencyAmount.js';
import * as FeeBreakdown from './schema/FeeBreakdown.js';
import * as FeeSponsorship from './schema/FeeSponsorship.js';
import * as OrderData from './schema/OrderData.js';
import * as Primitives from './schema/Primitives.js';
import * as Step from './schema/Step.js';

/** The request body: spec 2.3. */
export type Request = z.output<typeof request>;
/** The response body, a quote: spec 2.4. */
export type Response = z.output<typeof response>;
/** The service's summary of the transfer. Unverified. */
export type Details = z.output<typeof details>;
/** The order that the quote's steps are verified against. */
export type Protocol = z.output<typeof protocolV2>;

export const endpoint = { method: 'POST', path: '/quote/v2' } as const;

export const request = QuoteRequest.schema;

const text = z.nullish(Primitives.decimalText);

/** A deprecated amount, which decides nothing: one of another form counts as absent. */
const amount = z.catch(z.nullish(CurrencyAmount.received), undefined);

const impact = z.nullish(Primitives.object({ usd: text, percent: text }));

const leg = z.nullish(
  Primitives.object({
    inputCurrency: z.nullish(CurrencyAmount.received),
    outputCurrency: z.nullish(CurrencyAmount.received),
    router: z.nullish(z.string()),
  }),
);

const details = Primitives.object({
  sender: z.string(),
  recipient: z.string(),
  currencyIn: CurrencyAmount.received,
  currencyOut: CurrencyAmount.received,
  /** The native asset that the recipient gets besides; one of another form counts as absent. */
  currencyGasTopup: z.catch(z.nullish(CurrencyAmount.briefReceived), undefined),
  totalImpact: impact,
  swapImpact: impact,
  expandedPriceImpact: z.nullish(FeeBreakdown.received),
  rate: text,
  timeEstimate: z.nullish(z.number()),
  userBalance: text,
  route: z.nullish(Primitives.object({ origin: leg, destination: leg })),
});

/** Its terms are hashed and held to each other, so none of it is optional. */
const protocolV2 = Primitives.object({
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
  steps: z.array(Step.received).check(z.maxLength(20)),
  requestId: z.nullish(Primitives.requestId),
  /** Deprecated. */
  fees: z.nullish(
    Primitives.object({
      gas: amount,
      relayer: amount,
      relayerGas: amount,
      relayerService: amount,
      app: amount,
      subsidized: amount,
    }),
  ),
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
