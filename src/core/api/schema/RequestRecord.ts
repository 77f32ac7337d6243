/**
 * What the records of `GET /requests/v3` and the deprecated `GET /requests/v2` share. A record needs an id and a status;
 * all else was seen absent, null, or a number where a string is documented. Fields that ferry does not read may hold
 * anything. Each record is read by itself, so an odd one leaves the others readable.
 */
import * as z from 'zod/mini';
import * as CurrencyAmount from './CurrencyAmount.js';
import * as Decode from './Decode.js';
import * as FeeBreakdown from './FeeBreakdown.js';
import * as FeeSponsorship from './FeeSponsorship.js';
import * as Primitives from './Primitives.js';

export type Route = z.output<typeof route>;
export type AppFee = z.output<typeof appFee>;
/** Fees by component: as quoted and as charged, or the breakdown itself. */
export type Impact = z.output<typeof impact>;

/** A page: the records that can be read, and those that cannot. */
export type Page<T> = {
  requests: T[];
  odd: Odd[];
  /** Absent from the last page. */
  continuation?: string | null | undefined;
};

/** A record that cannot be read: its place in the page, what is odd about it, and the value itself. */
export type Odd = { index: number; problems: readonly Decode.Problem[]; value: unknown };

const text = Primitives.receivedText;
const number = Primitives.receivedNumber;
const integer = Primitives.receivedInteger;
export const currency = z.nullish(CurrencyAmount.currencyReceived);
export const amount = z.nullish(CurrencyAmount.briefReceived);
const breakdown = z.nullish(FeeBreakdown.received);

export const impact = z.catchall(
  z.object({ ...FeeBreakdown.received.shape, quoted: breakdown, actual: breakdown }),
  z.unknown(),
);

const appFee = Primitives.object({ recipient: text, bps: text, amount: text, amountFormatted: text, amountUsd: text });

export const appFeeList = z.nullish(z.array(appFee));

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

export const route = Primitives.object({ origin: leg, destination: leg });

const settled = z.nullish(z.array(Primitives.object({ transactionId: text })));

export const shared = {
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

export const sharedData = {
  failReason: text,
  refundFailReason: text,
  appFees,
  feeSponsorship: z.nullish(FeeSponsorship.received),
  inTxs: transactions,
  outTxs: transactions,
};

/** A page: its records are read each by itself. The last one has no continuation. */
export const page = Primitives.object({ requests: z.array(z.unknown()), continuation: text });

/** What was quoted and what was charged; a breakdown by itself was quoted. */
export function phases(stated: Impact | null | undefined): Pick<Impact, 'quoted' | 'actual'> {
  if (!stated || stated.quoted || stated.actual) return { quoted: stated?.quoted, actual: stated?.actual };
  return stated.swap || stated.execution ? { quoted: stated, actual: undefined } : {};
}

/** The records that can be read, and those that cannot. */
export function each<S extends z.core.$ZodType>(schema: S, items: readonly unknown[]) {
  const requests: z.core.output<S>[] = [];
  const odd: Odd[] = [];
  for (const [index, value] of items.entries()) {
    const decoding = Decode.from(schema, value);
    if (decoding.ok) requests.push(decoding.value);
    else odd.push({ index, problems: decoding.problems, value });
  }
  return { requests, odd };
}
