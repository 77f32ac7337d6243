/**
 * Pages of `GET /requests/v3` and the deprecated `GET /requests/v2` as the client takes them. A record needs an id and a
 * status; all else was seen absent, null, or a number where a string is documented. Fields that ferry does not read may
 * hold anything. Each record is read by itself, so an odd one leaves the others readable.
 */
import * as z from 'zod/mini';
import * as CurrencyAmount from './schema/CurrencyAmount.js';
import * as Decode from './schema/Decode.js';
import * as FeeBreakdown from './schema/FeeBreakdown.js';
import * as FeeSponsorship from './schema/FeeSponsorship.js';
import * as Primitives from './schema/Primitives.js';

/** A page: the records that can be read, and those that cannot. */
export type Page<T> = {
  requests: T[];
  odd: Odd[];
  /** Absent from the last page. */
  continuation?: string | null | undefined;
};
export type ResponseV3 = Page<RecordV3>;
export type ResponseV2 = Page<RecordV2> & {
  /** Announces when the endpoint will be removed. */
  deprecation?: { message?: string | null | undefined; sunsetAt?: string | null | undefined } | null | undefined;
};
export type RecordV3 = z.output<typeof recordV3>;
export type RecordV2 = z.output<typeof recordV2>;
export type Route = z.output<typeof route>;
export type AppFee = z.output<typeof appFee>;
export type OldFees = z.output<typeof oldFees>;
/** Fees by component: as quoted and as charged, or the breakdown itself. */
export type Impact = z.output<typeof impact>;

/** A record that cannot be read: its place in the page, what is odd about it, and the value itself. */
export type Odd = { index: number; problems: readonly Decode.Problem[]; value: unknown };

const text = Primitives.receivedText;
const number = Primitives.receivedNumber;
const integer = Primitives.receivedInteger;
const currency = z.nullish(CurrencyAmount.currencyReceived);
const amount = z.nullish(CurrencyAmount.briefReceived);
const breakdown = z.nullish(FeeBreakdown.received);

const impact = z.catchall(
  z.object({ ...FeeBreakdown.received.shape, quoted: breakdown, actual: breakdown }),
  z.unknown(),
);

/** A deprecated fee: base units or dollars, or an amount with its currency. */
const oldFee = z.nullish(z.union([Primitives.decimalText, CurrencyAmount.briefReceived]));

const oldFees = Primitives.object({
  gas: oldFee,
  fixed: oldFee,
  price: oldFee,
  gateway: oldFee,
  relayer: oldFee,
  relayerGas: oldFee,
  relayerService: oldFee,
  app: oldFee,
  subsidized: oldFee,
});

const appFee = Primitives.object({ recipient: text, bps: text, amount: text, amountFormatted: text, amountUsd: text });

const appFeeList = z.nullish(z.array(appFee));

/** A list, or one list as quoted and one as charged. */
const appFees = z.nullish(
  z.union([z.array(appFee), Primitives.object({ quoted: appFeeList, actual: appFeeList, currency })]),
);

const transactions = z.nullish(
  z.array(
    Primitives.object({
      hash: text,
      txHash: text,
      chainId: integer,
      status: text,
      block: number,
      /** Unix time in seconds. */
      timestamp: number,
      /** Wei. */
      fee: text,
      feeUsd: text,
    }),
  ),
);

const leg = z.nullish(Primitives.object({ inputCurrency: amount, outputCurrency: amount }));

const route = Primitives.object({ origin: leg, destination: leg });

const settled = z.nullish(z.array(Primitives.object({ transactionId: text })));

const shared = {
  id: z.string(),
  /** An open set; `StatusV3.states` are the documented ones. */
  status: z.string(),
  user: text,
  recipient: text,
  depositAddress: z.nullish(Primitives.object({ address: text })),
  protocol: z.nullish(
    Primitives.object({
      orderId: text,
      deposit: z.nullish(
        Primitives.object({
          origin: z.nullish(Primitives.object({ amount: text, chainId: integer, currency: text })),
        }),
      ),
      settlement: z.nullish(
        Primitives.object({
          destination: z.nullish(Primitives.object({ fills: settled, refunds: settled })),
        }),
      ),
    }),
  ),
  /** The order, which `OrderId` reads; a record has it only if it was asked for. */
  orderData: z.optional(z.unknown()),
  /** ISO 8601. */
  createdAt: text,
  /** ISO 8601. */
  updatedAt: text,
};

const sharedData = {
  failReason: text,
  refundFailReason: text,
  appFees,
  feeSponsorship: z.nullish(FeeSponsorship.received),
  inTxs: transactions,
  outTxs: transactions,
};

export const recordV3 = Primitives.object({
  ...shared,
  refundTo: text,
  supersededByRequestId: text,
  requestType: text,
  features: z.nullish(z.array(z.string())),
  data: z.nullish(
    Primitives.object({
      ...sharedData,
      failedTxHash: text,
      fees: z.nullish(z.catchall(z.object({ ...impact.shape, currency }), z.unknown())),
      route: z.nullish(Primitives.object({ quoted: z.nullish(route), actual: z.nullish(route) })),
      referrer: text,
      refundCurrencyData: z.optional(z.unknown()),
    }),
  ),
});

export const recordV2 = Primitives.object({
  ...shared,
  referrer: text,
  data: z.nullish(
    Primitives.object({
      ...sharedData,
      feeCurrencyObject: currency,
      appFeeCurrencyObject: currency,
      fees: z.nullish(oldFees),
      feesUsd: z.nullish(oldFees),
      paidAppFees: appFeeList,
      expandedPriceImpact: z.nullish(impact),
      metadata: z.nullish(
        Primitives.object({
          sender: text,
          recipient: text,
          currencyIn: amount,
          currencyOut: amount,
          route: z.nullish(route),
        }),
      ),
    }),
  ),
});

const page = { requests: z.array(z.unknown()), continuation: text };

export const responseV3 = z.pipe(
  Primitives.object(page),
  z.transform(({ requests, ...rest }) => ({ ...rest, ...each(recordV3, requests) })),
);

export const responseV2 = z.pipe(
  Primitives.object({
    ...page,
    /** Announces when the endpoint will be removed. */
    deprecation: z.nullish(Primitives.object({ message: text, sunsetAt: text })),
  }),
  z.transform(({ requests, ...rest }) => ({ ...rest, ...each(recordV2, requests) })),
);

/** What was quoted and what was charged; a breakdown by itself was quoted. */
export function phases(stated: Impact | null | undefined): Pick<Impact, 'quoted' | 'actual'> {
  if (!stated || stated.quoted || stated.actual) return { quoted: stated?.quoted, actual: stated?.actual };
  return stated.swap || stated.execution ? { quoted: stated, actual: undefined } : {};
}

/** The records that can be read, and those that cannot. */
function each<S extends z.core.$ZodType>(schema: S, items: readonly unknown[]) {
  const requests: z.core.output<S>[] = [];
  const odd: Odd[] = [];
  for (const [index, value] of items.entries()) {
    const decoding = Decode.from(schema, value);
    if (decoding.ok) requests.push(decoding.value);
    else odd.push({ index, problems: decoding.problems, value });
  }
  return { requests, odd };
}
