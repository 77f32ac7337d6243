/**
 * Prices a transfer: input, output and all fees. The input may be swapped on the origin chain first, to what the solver
 * takes. Fees are deducted from what the order is paid in; the rest is paid out, or swapped in the pools of the
 * destination chain (of the origin chain if the destination is the venue). The venue's activation fee comes off the
 * output.
 *
 * As live, and unlike the specification, such an order is paid in what the swap yields, and so are fees and refund. The
 * output is computed from the expected yield; from the least one if the output is exact or the fill swaps in turn. What
 * the swap yields more or less is more or less for the recipient. A fill below the order's minimum is refunded in what
 * was deposited; below its own minimum the swap reverts.
 */
import { divideUp } from '../../core/base/Amount.js';
import { accountAt, isNative, type VenueToken } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';
import * as Charges from './Charges.js';
import * as PoolRoute from './PoolRoute.js';
import { RefusalError } from './QuoteRefusal.js';
import type { PricedRequest, Side } from './QuoteTerms.js';
import * as Sponsorship from './Sponsorship.js';

export type Pricing = {
  /** Base units that the user pays. */
  input: bigint;
  /** Base units that the recipient is expected to receive, and is guaranteed to receive. */
  output: bigint;
  minimumOutput: bigint;
  /** The swap on the origin chain before the deposit; undefined if the input itself is deposited. */
  originSwap: OriginSwap | undefined;
  /** Base units of the payment currency that the order is expected to be paid. */
  paid: bigint;
  /** The part of `paid` that the output is computed from. */
  basis: bigint;
  charges: Charges.Charges;
  sponsored: Sponsorship.Sponsored | undefined;
  path: PoolRoute.Path;
  /** Base units of `path.from` that enter the path. */
  pathAmount: bigint;
  /** The activation fee that the venue charges for the recipient, in base units of the output. */
  activationFee: bigint;
};

export type OriginSwap = {
  path: PoolRoute.Path;
  /** The least that it is stated to yield, in base units of the payment currency. */
  minimum: bigint;
  /** The same as demanded of the aggregator, which the service rounds down by a unit for the native asset. */
  demanded: bigint;
};

/** Minimum input of a swap in the user's own transaction, in millionths of a US dollar. */
const minimumSwapUsd = 50_000n;

/**
 * Prices the given terms.
 *
 * @throws RefusalError
 */
export function from(terms: PricedRequest): Pricing {
  const route: RouteTerms = { path: pathOf(terms), origin: originPathOf(terms), activationFee: activationFee(terms) };
  const rates = Charges.rates(terms, route.path.route, route.origin?.route);
  const price = (input: bigint): Candidate => priceInput(terms, route, rates, input);
  const input = terms.tradeType === 'EXACT_INPUT' ? terms.amount : smallestInput(terms.amount, route.path, price);
  const result = price(input);
  if (result.remaining <= 0n) throw new RefusalError('AMOUNT_TOO_LOW', 'The fees exceed the input amount');
  if (result.output === 0n) throw new RefusalError('AMOUNT_TOO_LOW', 'Swap output amount is too small');
  const isExact = terms.tradeType === 'EXACT_OUTPUT';
  const output = isExact ? terms.amount : result.output;
  const { paid, basis, charges, sponsored, pathAmount, leastPaid } = result;
  const pricing = {
    ...{ paid, basis, charges, sponsored, pathAmount, path: route.path, activationFee: route.activationFee },
    input,
    output,
    minimumOutput: isExact ? output : divideUp(output * (10_000n - terms.slippageBps), 10_000n),
    originSwap: route.origin && originSwap(route.origin, leastPaid),
  };
  assertWorthwhile(terms, pricing);
  return pricing;
}

type RouteTerms = Pick<Pricing, 'path' | 'activationFee'> & { origin: PoolRoute.Path | undefined };

type Candidate = Pick<Pricing, 'paid' | 'basis'> & {
  leastPaid: bigint;
  charges: Charges.Charges;
  sponsored: Sponsorship.Sponsored | undefined;
  /** The payment less fees plus the sponsored amount; negative if the fees exceed the input. */
  remaining: bigint;
  pathAmount: bigint;
  output: bigint;
};

/** Prices an input. The output is monotonic in the input, except for rounding of the sponsored amount. */
function priceInput(terms: PricedRequest, route: RouteTerms, rates: Charges.Rates, input: bigint): Candidate {
  const paid = route.origin ? PoolRoute.outputOf(route.origin.route, input) : input;
  const leastPaid = route.origin && route.origin.route.length > 0 ? lessSlippage(paid, terms) : paid;
  // What the solver swaps in turn, or owes exactly, must be there however little the first swap yields.
  const isCertain = route.path.route.length > 0 || terms.tradeType === 'EXACT_OUTPUT';
  const basis = isCertain ? leastPaid : paid;
  // The service's share is of what the input is worth, whatever the swap makes of it.
  const worth = Valuation.convert(input, terms.origin.token, terms.payment.token);
  const charges = Charges.from(rates, worth);
  const net = basis - Charges.total(charges);
  const sponsored = terms.sponsorship && sponsoredPart(terms, route, { charges, worth, net }, terms.sponsorship);
  const remaining = net + (sponsored?.amount ?? 0n);
  const pathAmount = pathAmountOf(terms, route.path, remaining);
  const reached = outputOf(terms, route, pathAmount);
  // The aggregator sells an input and buys no exact output, so its minimum must be enough.
  const isBought = terms.execution === 'swap' && terms.tradeType === 'EXACT_OUTPUT';
  const output = isBought ? lessSlippage(reached, terms) : reached;
  return { paid, leastPaid, basis, charges, sponsored, remaining, pathAmount, output };
}

function originSwap(path: PoolRoute.Path, minimum: bigint): OriginSwap {
  return { path, minimum, demanded: path.route.length > 0 && isNative(path.to) ? minimum - 1n : minimum };
}

function lessSlippage(amount: bigint, { slippageBps }: PricedRequest): bigint {
  return (amount * (10_000n - slippageBps)) / 10_000n;
}

/**
 * The sponsored part of the fees on an input. The pool loss of a swap in the user's own transaction, on one chain or
 * before the deposit, is not sponsorable: it goes to the pools.
 */
function sponsoredPart(
  terms: PricedRequest,
  route: RouteTerms,
  { charges, worth, net }: Pick<Candidate, 'charges'> & Record<'worth' | 'net', bigint>,
  requested: Sponsorship.Wanted,
): Sponsorship.Sponsored {
  const { token } = terms.payment;
  const { execution, platform, app } = Charges.components(charges);
  const output = outputOf(terms, route, pathAmountOf(terms, route.path, net));
  const received = Valuation.convert(output, terms.destination.token, token);
  // A gain over the reference prices offsets the rebalancing cost.
  const costOf = (before: bigint): bigint => {
    const cost = charges.rebalancing + before - received;
    return cost > 0n ? cost : 0n;
  };
  const swap = costOf(worth - Charges.total(charges));
  const onDestination = costOf(net);
  const isMore = onDestination > swap;
  const totals = {
    execution: { total: execution, payable: execution },
    swap: { total: swap, payable: terms.execution !== 'solver' ? 0n : isMore ? swap : onDestination },
    platform: { total: platform, payable: platform },
    app: { total: app, payable: app },
  };
  return Sponsorship.from(requested, totals, token);
}

/** Converts the remaining payment to base units of the path's input; 0 if nothing remains. */
function pathAmountOf(terms: PricedRequest, path: PoolRoute.Path, remaining: bigint): bigint {
  return remaining > 0n ? Valuation.rescale(remaining, terms.payment.token.decimals, path.from.decimals) : 0n;
}

/** The output of the path less the activation fee, in base units; 0 if the fee exceeds it. */
function outputOf(terms: PricedRequest, { path, activationFee }: RouteTerms, pathAmount: bigint): bigint {
  const reached = PoolRoute.outputOf(path.route, pathAmount);
  const output = Valuation.rescale(reached, path.to.decimals, terms.destination.token.decimals);
  return output > activationFee ? output - activationFee : 0n;
}

function activationFee({ destination, recipient }: PricedRequest): bigint {
  const { chain } = destination;
  return chain.vm === 'lvm' ? (accountAt(chain, recipient)?.activationFee ?? 0n) : 0n;
}

/** Binary search for the smallest input that yields at least the wanted output. */
function smallestInput(wanted: bigint, path: PoolRoute.Path, price: (input: bigint) => Candidate): bigint {
  const limit = PoolRoute.limitOf(path.route);
  if (limit !== undefined && wanted >= limit) throw insufficientLiquidity();
  let low = 0n;
  let high = 1n;
  while (price(high).output < wanted) {
    if (high >= 2n ** 200n) throw insufficientLiquidity();
    low = high;
    high *= 2n;
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (price(middle).output < wanted) low = middle;
    else high = middle;
  }
  return high;
}

function pathOf(terms: PricedRequest): PoolRoute.Path {
  return usable(terms, PoolRoute.pathOf({ origin: terms.payment, destination: terms.destination }));
}

/** The swap of the input into the payment currency; undefined if they are the same. */
function originPathOf(terms: PricedRequest): PoolRoute.Path | undefined {
  const { origin, payment } = terms;
  if (origin.token === payment.token || origin.chain.vm !== 'evm') return undefined;
  return usable(terms, PoolRoute.pathThrough(origin.chain, origin.token, payment.token));
}

function usable(terms: PricedRequest, path: PoolRoute.Path | undefined): PoolRoute.Path {
  if (!path || (path.route.length > 0 && !terms.mayUsePools))
    throw new RefusalError('NO_SWAP_ROUTES_FOUND', 'No routes found');
  return path;
}

function assertWorthwhile(terms: PricedRequest, pricing: Pricing): void {
  const { input, output, paid, path, pathAmount, activationFee } = pricing;
  const { destination, payment } = terms;
  const inputUsd = Valuation.toUsd(input, terms.origin.token);
  if (terms.execution === 'swap' && inputUsd < minimumSwapUsd)
    throw new RefusalError('AMOUNT_TOO_LOW', 'Swap output amount is too small');
  if (isBelowMinimum(terms, pricing))
    throw new RefusalError('AMOUNT_TOO_LOW', 'The venue transfers no amount so small');
  if (terms.execution === 'solver' && exceedsSolverBalance(terms, pricing)) throw insufficientLiquidity();
  if (terms.ignoresImpact) return;
  if (2n * Valuation.toUsd(paid, payment.token) < inputUsd)
    throw new RefusalError('SWAP_IMPACT_TOO_HIGH', 'Swap impact is too high');
  if (path.route.length === 0) return;
  const entering = Valuation.toUsd(pathAmount, path.from);
  if (2n * Valuation.toUsd(output + activationFee, destination.token) < entering)
    throw new RefusalError('SWAP_IMPACT_TOO_HIGH', 'Swap impact is too high');
}

/** Whether a venue transfer of the user or the solver would be below the venue's minimum. */
function isBelowMinimum({ origin, destination }: PricedRequest, { input, minimumOutput }: Pricing): boolean {
  const minimum = ({ chain }: Side): bigint => (chain.vm === 'lvm' ? chain.minTransfer : 0n);
  return input < minimum(origin) || minimumOutput < minimum(destination);
}

/** Whether the payout exceeds what the relayer has on the venue. */
function exceedsSolverBalance(
  { origin, destination }: PricedRequest,
  { input, output, activationFee }: Pricing,
): boolean {
  if (input > largestTransfer && origin.chain.vm === 'lvm') return true;
  const { solverBalance } = destination.token as VenueToken;
  return solverBalance !== undefined && output + activationFee > solverBalance;
}

/** Steps encode venue amounts as JSON numbers. */
const largestTransfer = BigInt(Number.MAX_SAFE_INTEGER);

function insufficientLiquidity(): RefusalError {
  return new RefusalError('INSUFFICIENT_LIQUIDITY', 'Insufficient liquidity');
}
