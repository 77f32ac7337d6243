/** `GET /requests/v3`: the outcome and cost of requests. Requires an API key. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';
import * as QueryParam from './schema/QueryParam.js';
import * as RequestRecord from './schema/RequestRecord.js';

export type Query = z.output<typeof query>;
export type Response = RequestRecord.Page<Record>;
export type Record = z.output<typeof record>;

export const endpoint = { method: 'GET', path: '/requests/v3' } as const;

export const headers = Primitives.object({ 'x-api-key': z.string() });

const text = z.optional(z.string());
const integer = z.optional(QueryParam.integer());
const decimal = z.optional(QueryParam.decimal);
const flag = z.optional(QueryParam.flag);
const received = Primitives.receivedText;

export const query = z.strictObject({
  limit: z.optional(QueryParam.integer({ minimum: 1, maximum: 50 })),
  continuation: text,
  includeTotal: flag,
  user: text,
  recipient: text,
  depositAddress: text,
  /** Any id, hash or wallet. */
  term: text,
  id: text,
  orderId: text,
  depositTxHash: text,
  fillTxHash: text,
  refundTxHash: text,
  originChainId: integer,
  destinationChainId: integer,
  chainId: integer,
  privateChainsToInclude: text,
  status: z.optional(z.enum(['success', 'failure', 'refund', 'pending', 'depositing'])),
  failReason: text,
  refundFailReason: text,
  /** Case-insensitive: Bridge, Crosschain Swap, Same-chain Swap, Send, Wrap, Unwrap, Call. */
  requestType: text,
  /** Comma-separated feature names. */
  features: text,
  currencyInChainId: integer,
  currencyInAddress: text,
  currencyInSymbol: text,
  currencyOutChainId: integer,
  currencyOutAddress: text,
  currencyOutSymbol: text,
  amountUsdMin: decimal,
  amountUsdMax: decimal,
  appFeesAmountUsdMin: decimal,
  appFeesAmountUsdMax: decimal,
  /** Seconds. */
  fillTimeMin: decimal,
  fillTimeMax: decimal,
  /** Unix time in seconds, compared with the `sortBy` field. */
  startTimestamp: integer,
  endTimestamp: integer,
  startBlock: integer,
  endBlock: integer,
  sortBy: z.optional(z.enum(['createdAt', 'updatedAt', 'amountUsd'])),
  sortDirection: z.optional(z.enum(['asc', 'desc'])),
  includeAuthenticatedData: flag,
  includeChildRequests: flag,
  /** Comma-separated API keys. */
  apiKey: text,
  /** Accepted only with the API key it belongs to. */
  referrer: z.optional(z.string().check(z.minLength(1))),
  /** JSON: groups of conditions. */
  filters: text,
});

export const record = Primitives.object({
  ...RequestRecord.shared,
  refundTo: received,
  supersededByRequestId: received,
  requestType: received,
  features: z.nullish(z.array(z.string())),
  data: z.nullish(
    Primitives.object({
      ...RequestRecord.sharedData,
      failedTxHash: received,
      fees: z.nullish(
        z.catchall(z.object({ ...RequestRecord.impact.shape, currency: RequestRecord.currency }), z.unknown()),
      ),
      route: z.nullish(
        Primitives.object({ quoted: z.nullish(RequestRecord.route), actual: z.nullish(RequestRecord.route) }),
      ),
      referrer: received,
      refundCurrencyData: z.optional(z.unknown()),
    }),
  ),
});

export const response = z.pipe(
  RequestRecord.page,
  z.transform(({ requests, ...rest }) => ({ ...rest, ...RequestRecord.each(record, requests) })),
);
