/** `GET /requests/v3`: the outcome and cost of requests. Requires an API key. */
import * as z from 'zod/mini';
import * as CurrencyAmount from './schema/CurrencyAmount.js';
import * as FeeBreakdown from './schema/FeeBreakdown.js';
import * as FeeSponsorship from './schema/FeeSponsorship.js';
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

/** Decodes query string values. */
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

const transaction = Primitives.object({ txHash: z.nullish(z.string()), ...RequestRecord.transaction });

const appFee = Primitives.object({
  recipient: z.optional(z.string()),
  bps: z.optional(z.string()),
  amount: z.optional(z.string()),
  amountFormatted: z.optional(z.string()),
  amountUsd: z.optional(z.string()),
});

const fees = Primitives.object({
  /** At quote time. */
  quoted: z.nullish(FeeBreakdown.schema),
  /** At fill time; often in dollars only. */
  actual: z.nullish(FeeBreakdown.schema),
  currency: z.nullish(CurrencyAmount.briefCurrency),
});

const sources = z.nullish(z.array(z.string()));

const data = Primitives.object({
  /** Basis points. */
  slippageTolerance: z.nullish(z.string()),
  failReason: z.nullish(z.string()),
  refundFailReason: z.nullish(z.string()),
  failedTxHash: z.nullish(z.string()),
  failedTxBlockNumber: z.nullish(z.number()),
  failedCallData: z.nullish(RequestRecord.call),
  usesExternalLiquidity: z.nullish(z.boolean()),
  /** Seconds. */
  timeEstimate: z.nullish(z.number()),
  triggeredByFastFill: z.nullish(z.boolean()),
  inTxs: z.nullish(z.array(transaction)),
  outTxs: z.nullish(z.array(transaction)),
  appFees: z.nullish(
    Primitives.object({
      quoted: z.nullish(z.array(appFee)),
      actual: z.nullish(z.array(appFee)),
      currency: z.nullish(CurrencyAmount.briefCurrency),
    }),
  ),
  fees: z.nullish(fees),
  feeSponsorship: z.nullish(FeeSponsorship.schema),
  route: z.nullish(
    Primitives.object({
      includedSwapSources: sources,
      includedOriginSwapSources: sources,
      includedDestinationSwapSources: sources,
      quoted: z.nullish(RequestRecord.route),
      actual: z.nullish(RequestRecord.route),
    }),
  ),
  platformFee: z.optional(z.unknown()),
  referrer: z.nullish(z.string()),
  apiKeyName: z.nullish(z.string()),
  quoteOraclePrice: z.optional(z.unknown()),
  refundCurrencyData: z.optional(z.unknown()),
  externalMetadata: z.nullish(Primitives.object({ moonpayId: z.nullish(z.string()) })),
});

export const record = Primitives.object({
  id: z.string(),
  /** An open set; `StatusV3.states` are the documented ones. */
  status: z.string(),
  user: z.nullish(z.string()),
  sender: z.nullish(z.string()),
  recipient: z.nullish(z.string()),
  refundTo: z.nullish(z.string()),
  supersededByRequestId: z.nullish(z.string()),
  depositAddress: z.nullish(RequestRecord.depositAddress),
  requestType: z.nullish(z.string()),
  features: z.nullish(z.array(z.string())),
  data: z.optional(data),
  protocol: z.nullish(RequestRecord.protocol),
  /** ISO 8601. */
  createdAt: z.optional(z.string()),
  /** ISO 8601. */
  updatedAt: z.optional(z.string()),
});

export const response = Primitives.object({
  requests: z.array(record),
  /** Absent from the last page. */
  continuation: z.nullish(z.string()),
  /** Present only if `includeTotal` was set. */
  total: z.nullish(z.number()),
});
