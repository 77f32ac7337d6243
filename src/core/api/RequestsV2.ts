/** `GET /requests/v2`: the deprecated request records, in which the service names the platform fee itself. */
import * as z from 'zod/mini';
import * as CurrencyAmount from './schema/CurrencyAmount.js';
import * as FeeBreakdown from './schema/FeeBreakdown.js';
import * as FeeSponsorship from './schema/FeeSponsorship.js';
import * as OrderData from './schema/OrderData.js';
import * as Primitives from './schema/Primitives.js';
import * as QueryParam from './schema/QueryParam.js';
import * as RequestRecord from './schema/RequestRecord.js';

export type Query = z.output<typeof query>;
export type Response = z.output<typeof response>;
export type Record = z.output<typeof record>;
export type Data = z.output<typeof data>;
/** The deprecation notice, with the successor endpoint. */
export type Deprecation = z.output<typeof deprecation>;

export const endpoint = { method: 'GET', path: '/requests/v2' } as const;

const text = z.optional(z.string());
const integer = z.optional(QueryParam.integer());
const flag = z.optional(QueryParam.flag);

/** Decodes query string values. */
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

const transaction = Primitives.object({ hash: z.nullish(z.string()), ...RequestRecord.transaction });

/** In base units under `fees`, in dollars under `feesUsd`. */
const oldFees = Primitives.object({
  gas: z.nullish(z.string()),
  fixed: z.nullish(z.string()),
  price: z.nullish(z.string()),
  gateway: z.nullish(z.string()),
});

const appFee = Primitives.object({
  recipient: z.optional(z.string()),
  bps: z.optional(z.string()),
  amount: z.optional(z.string()),
  amountUsd: z.optional(z.string()),
  amountUsdCurrent: z.optional(z.string()),
});

const paid = Primitives.object({
  amount: z.optional(z.string()),
  address: z.optional(z.string()),
  chainId: z.optional(z.int()),
});

const metadata = Primitives.object({
  sender: z.nullish(z.string()),
  recipient: z.nullish(z.string()),
  currencyIn: z.nullish(CurrencyAmount.brief),
  currencyOut: z.nullish(CurrencyAmount.brief),
  /** What the recipient gets in the native asset besides. */
  currencyGasTopup: z.optional(CurrencyAmount.brief),
  rate: z.nullish(z.string()),
  route: z.nullish(RequestRecord.route),
});

const data = Primitives.object({
  slippageTolerance: z.nullish(z.string()),
  /** `N/A` if there is none. */
  failReason: z.nullish(z.string()),
  /** `N/A` if there is none. */
  refundFailReason: z.nullish(z.string()),
  subsidizedRequest: z.nullish(z.boolean()),
  price: z.nullish(z.string()),
  currency: z.nullish(z.string()),
  currencyObject: z.nullish(CurrencyAmount.briefCurrency),
  feeCurrency: z.nullish(z.string()),
  feeCurrencyObject: z.nullish(CurrencyAmount.briefCurrency),
  appFeeCurrencyObject: z.nullish(CurrencyAmount.briefCurrency),
  fees: z.nullish(oldFees),
  feesUsd: z.nullish(oldFees),
  appFees: z.nullish(z.array(appFee)),
  paidAppFees: z.nullish(z.array(appFee)),
  subsidizedFee: z.nullish(
    Primitives.object({
      origin: z.nullish(paid),
      sponsor: z.nullish(paid),
      amountUsd: z.optional(z.string()),
      amountUsdCurrent: z.optional(z.string()),
    }),
  ),
  expandedPriceImpact: z.nullish(
    Primitives.object({ quoted: z.nullish(FeeBreakdown.schema), actual: z.nullish(FeeBreakdown.schema) }),
  ),
  feeSponsorship: z.nullish(FeeSponsorship.schema),
  inTxs: z.nullish(z.array(transaction)),
  outTxs: z.nullish(z.array(transaction)),
  usesExternalLiquidity: z.nullish(z.boolean()),
  /** Seconds. */
  timeEstimate: z.nullish(z.number()),
  metadata: z.nullish(metadata),
});

export const record = Primitives.object({
  id: z.string(),
  /** An open set; `StatusV3.states` are the documented ones. */
  status: z.string(),
  user: z.nullish(z.string()),
  recipient: z.nullish(z.string()),
  depositAddress: z.nullish(RequestRecord.depositAddress),
  moonpayId: z.nullish(z.string()),
  referrer: z.nullish(z.string()),
  data: z.optional(data),
  protocol: z.nullish(RequestRecord.protocol),
  /** The order's terms, if they were asked for. */
  orderData: z.optional(OrderData.tolerant),
  /** ISO 8601. */
  createdAt: z.optional(z.string()),
  /** ISO 8601. */
  updatedAt: z.optional(z.string()),
});

/** Announces when the endpoint will be removed. */
const deprecation = Primitives.object({
  message: z.optional(z.string()),
  deprecatedAt: z.optional(z.string()),
  throttledFrom: z.optional(z.string()),
  sunsetAt: z.optional(z.string()),
  successor: z.optional(z.string()),
  migrationGuide: z.optional(z.string()),
});

export const response = Primitives.object({
  requests: z.array(record),
  /** Absent from the last page. */
  continuation: z.nullish(z.string()),
  deprecation: z.nullish(deprecation),
});
