/** `GET /requests/v2`: the deprecated request records, in which the service names the platform fee itself. */
import * as z from 'zod/mini';
import * as CurrencyAmount from './schema/CurrencyAmount.js';
import * as Primitives from './schema/Primitives.js';
import * as QueryParam from './schema/QueryParam.js';
import * as RequestRecord from './schema/RequestRecord.js';

export type Query = z.output<typeof query>;
export type Response = RequestRecord.Page<Record> & {
  /** Announces when the endpoint will be removed. */
  deprecation?: { message?: string | null | undefined; sunsetAt?: string | null | undefined } | null | undefined;
};
export type Record = z.output<typeof record>;
export type OldFees = z.output<typeof oldFees>;

export const endpoint = { method: 'GET', path: '/requests/v2' } as const;

const text = z.optional(z.string());
const integer = z.optional(QueryParam.integer());
const flag = z.optional(QueryParam.flag);
const received = Primitives.receivedText;

export const query = z.strictObject({
  limit: z.optional(QueryParam.integer({ minimum: 1, maximum: 50 })),
  continuation: text,
  user: text,
  /** A transaction on either side. */
  hash: text,
  id: text,
  orderId: text,
  depositAddress: text,
  originChainId: integer,
  destinationChainId: integer,
  chainId: integer,
  privateChainsToInclude: text,
  status: text,
  referrer: text,
  apiKey: text,
  /** Unix time in seconds. */
  startTimestamp: integer,
  endTimestamp: integer,
  startBlock: integer,
  endBlock: integer,
  sortBy: z.optional(z.enum(['createdAt', 'updatedAt'])),
  sortDirection: z.optional(z.enum(['asc', 'desc'])),
  includeChildRequests: flag,
  includeOrderData: flag,
});

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

export const record = Primitives.object({
  ...RequestRecord.shared,
  referrer: received,
  data: z.nullish(
    Primitives.object({
      ...RequestRecord.sharedData,
      feeCurrencyObject: RequestRecord.currency,
      appFeeCurrencyObject: RequestRecord.currency,
      fees: z.nullish(oldFees),
      feesUsd: z.nullish(oldFees),
      paidAppFees: RequestRecord.appFeeList,
      expandedPriceImpact: z.nullish(RequestRecord.impact),
      metadata: z.nullish(
        Primitives.object({
          sender: received,
          recipient: received,
          currencyIn: RequestRecord.amount,
          currencyOut: RequestRecord.amount,
          route: z.nullish(RequestRecord.route),
        }),
      ),
    }),
  ),
});

export const response = z.pipe(
  z.extend(RequestRecord.page, {
    /** Announces when the endpoint will be removed. */
    deprecation: z.nullish(Primitives.object({ message: received, sunsetAt: received })),
  }),
  z.transform(({ requests, ...rest }) => ({ ...rest, ...RequestRecord.each(record, requests) })),
);
