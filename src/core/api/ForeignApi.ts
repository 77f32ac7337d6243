/** The service's endpoints that only other clients than ferry ask. */
import * as z from 'zod/mini';
import * as QuoteRequest from './QuoteRequest.js';
import * as CurrencyAmount from './schema/CurrencyAmount.js';
import * as Primitives from './schema/Primitives.js';

export type ConfigV2 = z.output<typeof configV2.response>;
export type StatusV2 = z.output<typeof statusV2.response>;
export type TokenDetails = z.output<typeof tokenDetails.response>;

/** The first form of the quote endpoint: as `QuoteV2`, but for the request id, which only the steps have. */
export const quoteV1 = { method: 'POST', path: '/quote' } as const;

/** What a quote would cost and yield, without steps. */
export const price = {
  method: 'POST',
  path: '/price',
  /** The parameters of a quote that the endpoint knows. */
  request: z.pick(QuoteRequest.schema, {
    user: true,
    recipient: true,
    originChainId: true,
    destinationChainId: true,
    originCurrency: true,
    destinationCurrency: true,
    amount: true,
    tradeType: true,
    txs: true,
    referrer: true,
    refundTo: true,
    refundOnOrigin: true,
    useExternalLiquidity: true,
    useFallbacks: true,
    usePermit: true,
    useDepositAddress: true,
    slippageTolerance: true,
    appFees: true,
  }),
} as const;

/** Whether two chains are connected, at which fee and up to which amount. Amounts are in base units of the currency. */
export const configV2 = {
  method: 'GET',
  path: '/config/v2',
  query: z.strictObject({
    originChainId: z.string(),
    destinationChainId: z.string(),
    /** With a user, the answer has the user's balance. */
    user: z.optional(z.string()),
    /** The id of a currency: `usdc`. Defaults to the native currency of the destination chain. */
    currency: z.optional(z.string()),
  }),
  response: Primitives.object({
    enabled: z.boolean(),
    user: z.optional(
      Primitives.object({
        /** On the origin chain. */
        balance: Primitives.digits,
        /** What the user can bridge after fees. */
        maxBridgeAmount: Primitives.digits,
      }),
    ),
    /** The total fee of a bridge. */
    fee: z.optional(Primitives.digits),
    solver: z.optional(
      Primitives.object({
        address: z.string(),
        /** On the destination chain. */
        balance: Primitives.digits,
        /** The most that one request can bridge. */
        capacityPerRequest: Primitives.digits,
      }),
    ),
    supportsExternalLiquidity: z.optional(z.boolean()),
  }),
} as const;

/** The status of a request, before v3. */
export const statusV2 = {
  method: 'GET',
  path: '/intents/status/v2',
  query: z.strictObject({ requestId: z.string() }),
  response: Primitives.object({
    /** The words of v3 without `submitted`. */
    status: z.string(),
    details: z.optional(z.string()),
    inTxHashes: z.optional(z.array(z.string())),
    txHashes: z.optional(z.array(z.string())),
    /** Unix time in milliseconds of the last change. */
    time: z.optional(z.number()),
    originChainId: z.optional(z.int()),
    destinationChainId: z.optional(z.int()),
    /** Unix time in milliseconds. */
    quoteCreatedAt: z.optional(z.number()),
  }),
} as const;

/** One currency with its price, as the service describes it. */
export const tokenDetails = {
  method: 'GET',
  path: '/chains/:chainId/currencies/:address',
  parameters: z.strictObject({ chainId: z.int(), address: z.string() }),
  /** The service adds figures of the market if it has them: `marketCap`, `volume`, `priceChange`. */
  response: z.extend(CurrencyAmount.currency, {
    vmType: z.optional(z.string()),
    /** US dollars per whole token, as a float. */
    price: z.nullish(z.number()),
  }),
} as const;

export const depositAddresses = {
  method: 'GET',
  path: '/deposit-addresses/v1',
  /** One of both. */
  query: z.strictObject({ address: z.optional(z.string()), requestId: z.optional(z.string()) }),
} as const;

/** Has the service look again at what an address holds: of another currency than the order's, too. */
export const reindex = {
  method: 'POST',
  path: '/transactions/deposit-address/reindex',
  request: z.strictObject({
    chainId: z.int(),
    depositAddress: z.string(),
    targetChainId: z.optional(z.int()),
    /** By default the order's currency, and the chain's own. */
    currency: z.optional(z.string()),
  }),
} as const;
