/**
 * An answer of `POST /quote/v2` as the client takes it. What is paid, to whom and in what currencies is required; all
 * else was seen absent, null, or a number where a string is documented.
 */
import * as z from 'zod/mini';
import * as QuoteV2 from './QuoteV2.js';
import * as CurrencyAmount from './schema/CurrencyAmount.js';
import * as FeeBreakdown from './schema/FeeBreakdown.js';
import * as FeeSponsorship from './schema/FeeSponsorship.js';
import * as Primitives from './schema/Primitives.js';
import * as Step from './schema/Step.js';

export type Response = z.output<typeof response>;
/** The service's summary of the transfer. Unverified. */
export type Details = z.output<typeof details>;

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

export const response = Primitives.object({
  steps: z.array(Step.received).check(z.maxLength(20)),
  requestId: z.nullish(Primitives.requestId),
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
  protocol: z.nullish(Primitives.object({ v2: z.nullish(QuoteV2.protocolV2) })),
});
