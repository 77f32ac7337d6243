/** `GET /requests/v3`: the outcome and cost of requests. Requires an API key. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';
import * as QueryParam from './schema/QueryParam.js';
import * as RequestRecord from './schema/RequestRecord.js';

export type Query = z.output<typeof query>;
export type Response = z.output<typeof response>;
export type Record = z.output<typeof record>;

export const endpoint = { method: 'GET', path: '/requests/v3' } as const;

export const headers = Primitives.object({ 'x-api-key': z.string() });

const text = z.optional(z.string());
const integer = z.optional(QueryParam.integer());
const decimal = z.optional(QueryParam.decimal);
const flag = z.optional(QueryParam.flag);
const received = Primitives.receivedText;

export const query = z.strictObject({
  ...RequestRecord.query,
  includeTotal: flag,
  recipient: text,
  /** Any id, hash or wallet. */
  term: text,
  depositTxHash: text,
  fillTxHash: text,
  refundTxHash: text,
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
  sortBy: z.optional(z.enum(['createdAt', 'updatedAt', 'amountUsd'])),
  includeAuthenticatedData: flag,
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
