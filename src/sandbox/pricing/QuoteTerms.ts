/**
 * Validates a quote request and resolves everything it names against the market.
 *
 * The specification does not say what a deposit address is. The sandbox gives a strict one for `EXACT_OUTPUT` and for
 * `strict`, which the live service ignores by now, and refuses an open one. App fees on a wrap take it through the
 * router; on a send none are collected, as documented, and without an error.
 *
 * Forms of the live service that the sandbox never makes, asked for or not: steps for other kinds of chain (PSBTs,
 * instructions, `authorize` on Hyperliquid); open deposit addresses; Permit2, and authorizations to the solver; further
 * steps in the answer of `/execute/permits`; fallback routes, external liquidity, fast fills, child requests and
 * `supersededByRequestId`.
 */

import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import { type Address, isEqual, native } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import {
  accountAt,
  assetOf,
  type Chain,
  chainById,
  counterpart,
  type EvmChain,
  type EvmToken,
  isSolverCurrency,
  isWrapPair,
  type Market,
  nativeOf,
  poolAddress,
  type SvmChain,
  type SvmToken,
  tokenAt,
  type VenueChain,
  type VenueToken,
} from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import * as Classification from '../values/TransactionType.js';
import * as Valuation from '../values/Valuation.js';
import type * as Calldata from './Calldata.js';
import { type Code, RefusalError } from './QuoteRefusal.js';
import * as Sponsorship from './Sponsorship.js';

/** A request held to the rules, with everything that its price depends on. */
export type PricedRequest = Parties & {
  tradeType: QuoteV2.Request['tradeType'];
  /** Base units of the input for `EXACT_INPUT`, otherwise of the output. */
  amount: bigint;
  origin: Side;
  destination: Side;
  /** What an order is paid in: the input, or what the router swaps it to on the origin chain. */
  payment: Side;
  transactionType: Classification.TransactionType;
  execution: Execution;
  referrer?: string | undefined;
  forceRefund: boolean;
  slippageBps: bigint;
  appFees: readonly AppFee[];
  sponsorship?: Sponsorship.Wanted | undefined;
  /** Gas overhead of a gasless transaction on the origin, in addition to its calls; 0 if the user sends it. */
  originGasOverhead: bigint;
  /** The permit that the user pays with; undefined if the user sends transactions. */
  permit?: { validSeconds: number } | undefined;
  /** Whether the deposit is made by a strict deposit address, which anybody may pay. */
  byAddress: boolean;
  /** Seconds after the quote during which it may be filled. */
  ttlSeconds?: number | undefined;
  mayUsePools: boolean;
  ignoresImpact: boolean;
  wantsSignature: boolean;
  /** Calls that the router makes on the destination chain with the output. */
  calls: readonly Calldata.Call[];
  callGas: bigint;
  /** What the recipient gets in the native asset besides, in wei; 0 if nothing. */
  gasTopup: bigint;
};

export type Side = EvmSide | VenueSide | SvmSide;

export type EvmSide = { chain: EvmChain; token: EvmToken };

export type VenueSide = { chain: VenueChain; token: VenueToken };

export type SvmSide = { chain: SvmChain; token: SvmToken };

/** Who moves the funds: the solver after a deposit, or the user's own transaction. */
export type Execution = 'solver' | 'swap' | 'wrap' | 'unwrap' | 'send';

export type AppFee = { recipient: Address; bps: bigint };

/** The client identified by its API key; undefined without a valid key. */
export type Client = { sponsorBalanceUsd: bigint } | undefined;

const defaultSlippageBps = 200n;

const maxAmount = 2n ** 128n;

/** The documented test referrer, which forces a refund of every order and needs no API key. */
export const debugReferrer = 'debug-force-refund';

const defaultPermitSeconds = 600;

/**
 * The terms of a request.
 *
 * @throws RefusalError
 */
export function from(request: QuoteV2.Request, market: Market, client: Client): PricedRequest {
  assertKnownReferrer(request, client);
  assertSupported(request);
  const origin = side(market, request.originChainId, request.originCurrency, 'INVALID_INPUT_CURRENCY');
  const destination = side(market, request.destinationChainId, request.destinationCurrency, 'INVALID_OUTPUT_CURRENCY');
  if (!isEvm(origin) && !isEvm(destination))
    throw new RefusalError('UNSUPPORTED_ROUTE', 'A transfer within the venue needs no service');
  const parties = partiesOf(request, { origin: origin.chain, destination: destination.chain });
  const { user, recipient } = parties;
  const amount = amountOf(request.amount);
  if (origin.chain === destination.chain && origin.token === destination.token && isEqual(user, recipient))
    throw new RefusalError('UNSUPPORTED_ROUTE', 'The input and the output are the same currency of the same account');
  const transactionType = Classification.classify(origin, destination);
  const execution = executionOf(request, origin, destination);
  const payment = execution === 'solver' ? paymentOf(request, origin, destination) : origin;
  return {
    ...{ amount, origin, destination, payment, transactionType, execution, ...parties },
    tradeType: request.tradeType,
    // Empty counts as none.
    referrer: request.referrer || undefined,
    forceRefund: request.referrer === debugReferrer,
    slippageBps: slippage(request.slippageTolerance),
    // The service collects none on sends, and says so by stating none.
    appFees: execution === 'send' ? [] : appFees(request.appFees),
    sponsorship: Sponsorship.terms(request, { hasKey: client !== undefined, isBridge: transactionType === 'bridge' }),
    originGasOverhead: originGas(request, origin),
    permit: permitOf(request, origin, execution),
    byAddress: byAddress(request, { origin, payment, execution }),
    ttlSeconds: request.ttl,
    mayUsePools: mayUsePools(request),
    ignoresImpact: request.overridePriceImpact === true,
    wantsSignature: request.includeProtocolData === true,
    calls: callsOf(request, destination),
    callGas: gasOf(request),
    gasTopup: topupOf(request, destination),
  };
}

function assertKnownReferrer(request: QuoteV2.Request, client: Client): void {
  if (!request.referrer || request.referrer === debugReferrer || client) return;
  throw new RefusalError('UNAUTHORIZED_QUOTE', 'Please provide an api key');
}

export function isEvm(side: Side): side is EvmSide {
  return side.chain.vm === 'evm';
}

/**
 * The calls on the destination. Their targets are not looked at: they are simulated with the fill, before the quote and
 * when it is filled.
 */
function callsOf({ txs = [] }: QuoteV2.Request, destination: Side): readonly Calldata.Call[] {
  if (txs.length > 0 && !isEvm(destination))
    throw new RefusalError('EXTRA_TXS_NOT_SUPPORTED', 'The venue makes no calls (txs)');
  return txs.map(({ to, data, value }) => {
    if (!/^0x([0-9a-fA-F]{2})*$/.test(data) || !/^\d{1,77}$/.test(value))
      throw new RefusalError('UNSUPPORTED_EXECUTION_TYPE', 'A call (txs) has invalid data or an invalid value');
    return { to: address(to, 'txs'), data: data.toLowerCase() as Hex, value: BigInt(value) };
  });
}

/** Default of a gas top-up, in millionths of a dollar. */
const defaultTopupUsd = '2000000';

function topupOf(request: QuoteV2.Request, destination: Side): bigint {
  if (request.topupGas !== true) return 0n;
  if (!isEvm(destination) || isEqual(destination.token.address, native))
    throw new RefusalError('UNSUPPORTED_EXECUTION_TYPE', 'A gas top-up (topupGas) goes with a token of an EVM chain');
  return Valuation.fromUsd(BigInt(request.topupGasAmount ?? defaultTopupUsd), nativeOf(destination.chain));
}

/** What a call is taken to need unless the request says how much all of them do. */
const gasOfCall = 100_000n;

function gasOf({ txs = [], txsGasLimit }: QuoteV2.Request): bigint {
  return txsGasLimit === undefined ? gasOfCall * BigInt(txs.length) : BigInt(Math.max(0, Math.ceil(txsGasLimit)));
}

/** Whether the service sends the origin transaction and charges for its gas. */
export function isGasless({ originGasOverhead, permit }: Pick<PricedRequest, 'originGasOverhead' | 'permit'>): boolean {
  return originGasOverhead > 0n || permit !== undefined;
}

function originGas(request: QuoteV2.Request, origin: Side): bigint {
  const units = BigInt(Math.max(0, Math.ceil(request.originGasOverhead ?? 0)));
  if (units > 0n && !isEvm(origin))
    throw new RefusalError('UNSUPPORTED_EXECUTION_TYPE', 'A transfer on the venue takes no gas (originGasOverhead)');
  return units;
}

function permitOf(request: QuoteV2.Request, { token }: Side, execution: Execution): PricedRequest['permit'] {
  if (request.usePermit !== true) return undefined;
  if (token.takesPermits !== true)
    throw new RefusalError('UNSUPPORTED_EXECUTION_TYPE', `${token.symbol} takes no permits (usePermit)`);
  if (execution !== 'solver')
    throw new RefusalError('UNSUPPORTED_EXECUTION_TYPE', 'A permit (usePermit) pays for what the solver executes only');
  const validSeconds = request.permitExpiry ?? defaultPermitSeconds;
  if (!(validSeconds >= 1)) throw new RefusalError('UNSUPPORTED_EXECUTION_TYPE', 'permitExpiry must be at least 1');
  return { validSeconds };
}

/** An address takes what the solver takes as it is, and only an order of the solver has one. */
function byAddress(
  request: QuoteV2.Request,
  { origin, payment, execution }: Pick<PricedRequest, 'origin' | 'payment' | 'execution'>,
): boolean {
  if (request.useDepositAddress !== true) return false;
  const refuse = (why: string) => new RefusalError('UNSUPPORTED_EXECUTION_TYPE', why);
  if (request.strict !== true && request.tradeType !== 'EXACT_OUTPUT')
    throw refuse('Open deposit addresses are not supported: ask for strict, or for EXACT_OUTPUT');
  if (!isEvm(origin)) throw refuse('The venue has no deposit addresses (useDepositAddress)');
  if (execution !== 'solver' || payment !== origin)
    throw refuse(`A deposit address takes no ${origin.token.symbol} for this (useDepositAddress)`);
  if (request.usePermit || (request.originGasOverhead ?? 0) > 0)
    throw refuse('A deposit address is paid by a plain transfer, not by permit or by the service');
  if (request.refundTo === undefined) throw refuse('A strict deposit address needs refundTo');
  return true;
}

function side(
  market: Market,
  chainId: number,
  currency: string,
  unknown: 'INVALID_INPUT_CURRENCY' | 'INVALID_OUTPUT_CURRENCY',
): Side {
  const chain = chainById(market, chainId);
  if (!chain) throw new RefusalError('UNSUPPORTED_CHAIN', `Chain ${chainId} is not supported`);
  const token = tokenAt(chain, currency);
  if (!token) throw new RefusalError(unknown, 'Invalid input or output currency');
  return { chain, token } as Side;
}

function executionOf(request: QuoteV2.Request, origin: Side, destination: Side): Execution {
  const { chain, token } = origin;
  if (chain.vm !== 'evm' || chain.id !== destination.chain.id || request.forceSolverExecution) return 'solver';
  if (isEqual(token.address, destination.token.address)) return 'send';
  if (isWrapPair(chain, token, destination.token)) return isEqual(token.address, native) ? 'wrap' : 'unwrap';
  return request.disableOriginSwaps ? 'solver' : 'swap';
}

/**
 * The solver takes the native asset, USDC, and whatever it pays out again. Anything else is swapped first: to the native
 * asset if it is wrapped or if that is bought, else to USDC.
 */
function paymentOf(request: QuoteV2.Request, origin: Side, destination: Side): Side {
  const { chain, token } = origin;
  if (!isEvm(origin) || chain.vm !== 'evm' || chain.id === destination.chain.id || request.disableOriginSwaps)
    return origin;
  if (isSolverCurrency(token) || assetOf(token) === assetOf(destination.token)) return origin;
  const own = nativeOf(chain);
  const isWrapped = isEqual(token.address, chain.contracts.wrapped);
  const bought = counterpart(chain, destination.token);
  const isForNative =
    isWrapped || (bought !== undefined && isEqual(poolAddress(chain, bought), chain.contracts.wrapped));
  const taken = isForNative ? own : chain.tokens.find((each) => isSolverCurrency(each) && each !== own);
  return taken && (mayUsePools(request) || isWrapped) ? { chain, token: taken } : origin;
}

function amountOf(digits: string): bigint {
  if (/^0*$/.test(digits)) throw new RefusalError('AMOUNT_TOO_LOW', 'The amount must be greater than 0');
  // Far above every balance in the sandbox, and low enough for sums to fit into 32 bytes.
  const amount = digits.length > 40 ? maxAmount : BigInt(digits);
  if (amount >= maxAmount) throw new RefusalError('INSUFFICIENT_LIQUIDITY', 'Insufficient liquidity');
  return amount;
}

function slippage(text: string | undefined): bigint {
  if (text === undefined) return defaultSlippageBps;
  const bps = /^\d{1,5}$/.test(text) ? BigInt(text) : undefined;
  if (bps === undefined || bps > 10_000n)
    throw new RefusalError('INVALID_SLIPPAGE_TOLERANCE', `Invalid slippage tolerance ${text}`);
  return bps;
}

function appFees(fees: QuoteV2.Request['appFees']): readonly AppFee[] {
  return (fees ?? []).map((fee) => {
    if (!/^\d{1,5}$/.test(fee.fee) || BigInt(fee.fee) > 10_000n)
      throw new RefusalError('UNSUPPORTED_EXECUTION_TYPE', `Invalid app fee ${fee.fee}`);
    return { recipient: address(fee.recipient, 'appFees recipient'), bps: BigInt(fee.fee) };
  });
}

function mayUsePools(request: QuoteV2.Request): boolean {
  const included = [
    request.includedSwapSources,
    request.includedOriginSwapSources,
    request.includedDestinationSwapSources,
  ];
  if (included.some((sources) => sources !== undefined && !sources.includes(swapSource))) return false;
  return !request.excludedSwapSources?.includes(swapSource);
}

type Parties = {
  user: PartyAccount.Account;
  recipient: PartyAccount.Account;
  /** Undefined if the request names none; then the user is refunded. */
  refundTo?: PartyAccount.Account | undefined;
};

/**
 * The parties of a request: user and refund account on the origin, recipient on the destination.
 *
 * @throws RefusalError
 */
export function partiesOf(
  request: QuoteV2.Request,
  { origin, destination }: { origin: Chain; destination: Chain },
): Parties {
  const { refundTo } = request;
  if (origin.vm === 'svm')
    throw new RefusalError('UNSUPPORTED_ROUTE', `Deposits on ${origin.displayName} are not supported`);
  const user = accountOf(request.user, origin, 'user');
  if (request.recipient === undefined && origin.vm !== destination.vm)
    throw new RefusalError('INVALID_RECIPIENT', 'A recipient is required: the user has no account on the destination');
  return {
    user,
    recipient: recipientOf(request.recipient ?? user, destination),
    refundTo: refundTo === undefined ? undefined : accountOf(refundTo, origin, 'refundTo'),
  };
}

/** @throws RefusalError */
function address(text: string, what: string): Address {
  const found = PartyAccount.toAddress(text);
  if (!found) throw new RefusalError('INVALID_ADDRESS', `Invalid address ${text} for ${what}`);
  return found;
}

function recipientOf(text: string, chain: Chain): PartyAccount.Account {
  if (chain.vm === 'lvm') return venueAccount(text, chain, 'recipient', 'INVALID_RECIPIENT');
  const recipient = chain.vm === 'svm' ? key(text) : address(text, 'recipient');
  if (tokenAt(chain, recipient))
    throw new RefusalError('INVALID_RECIPIENT', `The recipient ${recipient} is a currency, not an account`);
  return recipient;
}

function accountOf(text: string, chain: Chain, what: string): PartyAccount.Account {
  return chain.vm === 'lvm' ? venueAccount(text, chain, what, 'INVALID_ADDRESS') : address(text, what);
}

function key(text: string): PartyAccount.Key {
  const found = PartyAccount.toKey(text);
  if (!found) throw new RefusalError('INVALID_ADDRESS', `Invalid address ${text} for recipient`);
  return found;
}

/** An existing account other than the service's own. */
function venueAccount(text: string, chain: VenueChain, what: string, missing: Code): PartyAccount.Index {
  const index = PartyAccount.toIndex(text);
  if (index === undefined)
    throw new RefusalError(
      'INVALID_ADDRESS',
      `Invalid address ${text} for ${what}: ${chain.displayName} has account indexes`,
    );
  if (!accountAt(chain, index))
    throw new RefusalError(missing, `${chain.displayName} has no account ${index} (${what})`);
  if (index === chain.relayer) throw new RefusalError(missing, `The account ${index} is the service's own (${what})`);
  return index;
}

/** The sandbox's pools as a swap source. */
const swapSource = 'sandbox-pools';

type Unsupported = readonly [isAsked: (request: QuoteV2.Request) => boolean, message: string, code?: Code];

/** Quote options that the sandbox does not support. They are rejected, rather than ignored. */
const unsupported: readonly Unsupported[] = [
  [
    (r) => hasAny(r.txs) && (r.originChainId === r.destinationChainId || r.useDepositAddress === true),
    'Destination calls (txs) need another chain as the destination and no deposit address',
    'EXTRA_TXS_NOT_SUPPORTED',
  ],
  [(r) => hasAny(r.authorizationList), 'Authorizations on the destination chain (authorizationList) are not supported'],
  [
    (r) => r.gasLimitForDepositSpecifiedTxs !== undefined,
    'The deposit runs no transactions of the client (gasLimitForDepositSpecifiedTxs)',
    'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS',
  ],
  [
    (r) => r.useDepositAddress === true && hasAny(r.sponsoredFeeComponents),
    'Deposit addresses do not support sponsoredFeeComponents',
  ],
  [(r) => r.recoveryAddress !== undefined, 'A recoveryAddress is not supported'],
  [(r) => r.explicitDeposit === false, 'Deposits by a bare transfer (explicitDeposit: false) are not supported'],
  [
    (r) => r.topupGas === true && (r.originChainId === r.destinationChainId || hasAny(r.txs)),
    'Gas top-ups (topupGas) need another chain as the destination and no destination calls',
  ],
  [(r) => r.fixedRate !== undefined, 'Fixed rates (fixedRate) are not supported'],
  [(r) => r.indicativeQuote === true, 'Quotes for a preview only (indicativeQuote) are not supported'],
];

/**
 * Rejects a request with an unsupported option that would affect the result.
 *
 * @throws RefusalError
 */
function assertSupported(request: QuoteV2.Request): void {
  for (const [isRequested, message, code = 'UNSUPPORTED_EXECUTION_TYPE'] of unsupported)
    if (isRequested(request)) throw new RefusalError(code, message);
}

function hasAny(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}
