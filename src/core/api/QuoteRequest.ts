/** The request of `POST /quote/v2`. Strict: a parameter that is not listed is rejected. */
import * as z from 'zod/mini';
import * as Authorization from './schema/Authorization.js';
import * as Primitives from './schema/Primitives.js';

export const tradeTypes = ['EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'] as const;

const basisPoints = z.string().check(z.regex(/^([0-9]{1,4}|10000)$/));

/** A call on the destination chain. `value` is in wei. */
const call = z.strictObject({
  to: z.string(),
  value: z.string(),
  data: z.string(),
  originalTxValue: z.optional(z.string()),
});

const appFee = z.strictObject({
  /** Always an EVM address. */
  recipient: Primitives.address,
  /** Basis points of the input. */
  fee: Primitives.digits,
});

const required = {
  /** The sender's address, or an account index when the origin is the venue. */
  user: z.string(),
  originChainId: z.int(),
  destinationChainId: z.int(),
  originCurrency: z.string(),
  destinationCurrency: z.string(),
  tradeType: z.enum(tradeTypes),
  /** Base units of the input for EXACT_INPUT, else of the output. */
  amount: Primitives.digits,
};

const parties = {
  /** Defaults to the user. */
  recipient: z.optional(z.string()),
  refundTo: z.optional(z.string()),
  recoveryAddress: z.optional(z.string()),
  /** Needs an API key. */
  referrer: z.optional(z.string()),
  referrerAddress: z.optional(Primitives.address),
  appFees: z.optional(z.array(appFee)),
};

const calls = {
  txs: z.optional(z.array(call)),
  txsGasLimit: z.optional(z.number()),
  authorizationList: z.optional(z.array(Authorization.schema)),
  additionalData: z.optional(z.strictObject({ userPublicKey: z.optional(z.string()) })),
  gasLimitForDepositSpecifiedTxs: z.optional(z.number()),
  /** The extra gas units that a gasless call costs. */
  originGasOverhead: z.optional(z.number()),
};

const terms = {
  slippageTolerance: z.optional(basisPoints),
  latePaymentSlippageTolerance: z.optional(basisPoints),
  topupGas: z.optional(z.boolean()),
  /** Millionths of a dollar. */
  topupGasAmount: z.optional(Primitives.digits),
  enableTrueExactOutput: z.optional(z.boolean()),
  indicativeQuote: z.optional(z.boolean()),
  /** The fixed rate: `1:1`. */
  fixedRate: z.optional(z.string()),
  /** Seconds until an unfilled request is refunded. */
  ttl: z.optional(z.number()),
  overridePriceImpact: z.optional(z.boolean()),
  /** Deprecated. */
  refundOnOrigin: z.optional(z.boolean()),
};

const payment = {
  explicitDeposit: z.optional(z.boolean()),
  usePermit: z.optional(z.boolean()),
  /** Seconds. */
  permitExpiry: z.optional(z.number()),
  useDepositAddress: z.optional(z.boolean()),
  /** Deprecated and ignored. */
  strict: z.optional(z.boolean()),
  includeProtocolData: z.optional(z.boolean()),
  protocolVersion: z.optional(z.enum(['v2', 'preferV2'])),
};

const sponsorship = {
  subsidizeFees: z.optional(z.boolean()),
  /** Names of fee components. The service names the platform component itself, so the list is open. */
  sponsoredFeeComponents: z.optional(z.array(z.string()).check(z.minLength(1))),
  /** Millionths of a dollar. */
  maxSubsidizationAmount: z.optional(Primitives.digits),
  subsidizationBps: z.optional(z.int().check(z.minimum(0), z.maximum(10_000))),
  /** Deprecated: adds `rent`. */
  subsidizeRent: z.optional(z.boolean()),
};

const sources = z.optional(z.array(z.string()));

const routing = {
  useExternalLiquidity: z.optional(z.boolean()),
  useFallbacks: z.optional(z.boolean()),
  forceSolverExecution: z.optional(z.boolean()),
  includedSwapSources: sources,
  excludedSwapSources: sources,
  includedOriginSwapSources: sources,
  includedDestinationSwapSources: sources,
  disableSwapProviderPreference: z.optional(z.boolean()),
  disableOriginSwaps: z.optional(z.boolean()),
  depositFeePayer: z.optional(z.string()),
  maxRouteLength: z.optional(z.number()),
  useSharedAccounts: z.optional(z.boolean()),
  includeComputeUnitLimit: z.optional(z.boolean()),
};

export const schema = z.strictObject({
  ...required,
  ...parties,
  ...calls,
  ...terms,
  ...payment,
  ...sponsorship,
  ...routing,
});
