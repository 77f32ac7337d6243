/**
 * What a transfer costs: the input, the output and every fee between them. All fees are taken from the input, in the
 * input currency; what is left is handed over or swapped in the pools of the destination chain, on the way to the venue
 * of the origin. What the venue itself charges for an account's first credit comes off the output.
 */
import { divideUp } from '../../core/base/Amount.js';
import { accountAt } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';
import * as Charges from './Charges.js';
import * as PoolRoute from './PoolRoute.js';
import { RefusalError } from './QuoteRefusal.js';
import type { Side, Terms } from './QuoteTerms.js';
import * as Sponsorship from './Sponsorship.js';

export type Pricing = {
  /** Base units that the user pays. */
  input: bigint;
  /** Base units that the recipient is to get, and gets at least. */
  output: bigint;
  minimumOutput: bigint;
  charges: Charges.Charges;
  sponsored: Sponsorship.Sponsored | undefined;
  path: PoolRoute.Path;
  /** Base units of `path.from` that enter the path. */
  pathAmount: bigint;
  /** Base units of the output that the venue is to charge for the recipient's first credit. */
  activationFee: bigint;
};

/** Below this a swap in the user's own transaction is not quoted, in millionths of a dollar. */
const minimumSwapUsd = 50_000n;

/**
 * The price of the terms.
 *
 * @throws RefusalError
 */
export function from(terms: Terms): Pricing {
  const way: Way = { path: pathOf(terms), activationFee: activationFee(terms) };
  const rates = Charges.rates(terms, way.path.route);
  const price = (input: bigint): Priced => priced(terms, way, rates, input);
  const input = terms.tradeType === 'EXACT_INPUT' ? terms.amount : smallestInput(terms.amount, way.path, price);
  const result = price(input);
  if (result.left <= 0n) throw new RefusalError('AMOUNT_TOO_LOW', 'The fees exceed the input amount');
  if (result.output === 0n) throw new RefusalError('AMOUNT_TOO_LOW', 'Swap output amount is too small');
  const isExact = terms.tradeType === 'EXACT_OUTPUT';
  const output = isExact ? terms.amount : result.output;
  const pricing = {
    input,
    output,
    minimumOutput: isExact ? output : divideUp(output * (10_000n - terms.slippageBps), 10_000n),
    charges: result.charges,
    sponsored: result.sponsored,
    ...way,
    pathAmount: result.pathAmount,
  };
  assertWorthwhile(terms, pricing);
  return pricing;
}

type Way = Pick<Pricing, 'path' | 'activationFee'>;

type Priced = {
  charges: Charges.Charges;
  sponsored: Sponsorship.Sponsored | undefined;
  /** What is left of the input after the fees, with what the sponsor adds; negative where the fees exceed it. */
  left: bigint;
  pathAmount: bigint;
  output: bigint;
};

/** The forward function: what so much input gives. More input never gives less output, unless a sponsor rounds. */
function priced(terms: Terms, way: Way, rates: Charges.Rates, input: bigint): Priced {
  const charges = Charges.from(rates, input);
  const kept = input - Charges.total(charges);
  const sponsored = terms.sponsorship && sponsoredPart(terms, way, charges, kept, terms.sponsorship);
  const left = kept + (sponsored?.amount ?? 0n);
  const pathAmount = pathAmountOf(terms, way.path, left);
  return { charges, sponsored, left, pathAmount, output: outputOf(terms, way, pathAmount) };
}

/**
 * What the sponsor pays of the fees on an input. What a swap in the user's own transaction loses in the pools is the
 * pools', and nobody can pay it in the user's place.
 */
function sponsoredPart(
  terms: Terms,
  way: Way,
  charges: Charges.Charges,
  kept: bigint,
  asked: Sponsorship.Terms,
): Sponsorship.Sponsored {
  const { token } = terms.origin;
  const { execution, platform, app } = Charges.components(charges);
  const output = outputOf(terms, way, pathAmountOf(terms, way.path, kept));
  const loss = kept - Valuation.convert(output, terms.destination.token, token);
  // What the pools give beyond the reference prices goes against the rebalancing.
  const cost = charges.rebalancing + loss;
  const swap = cost > 0n ? cost : 0n;
  const totals = {
    execution: { total: execution, payable: execution },
    swap: { total: swap, payable: terms.execution === 'solver' ? swap : 0n },
    platform: { total: platform, payable: platform },
    app: { total: app, payable: app },
  };
  return Sponsorship.from(asked, totals, token);
}

/** What enters the path of so much input, in its own base units; nothing of nothing. */
function pathAmountOf(terms: Terms, path: PoolRoute.Path, left: bigint): bigint {
  return left > 0n ? Valuation.rescale(left, terms.origin.token.decimals, path.from.decimals) : 0n;
}

/** What comes out of the path, in base units of the output; nothing where the venue would charge more. */
function outputOf(terms: Terms, { path, activationFee }: Way, pathAmount: bigint): bigint {
  const reached = PoolRoute.outputOf(path.route, pathAmount);
  const output = Valuation.rescale(reached, path.to.decimals, terms.destination.token.decimals);
  return output > activationFee ? output - activationFee : 0n;
}

function activationFee({ destination, recipient }: Terms): bigint {
  const { chain } = destination;
  return chain.vm === 'lvm' ? (accountAt(chain, recipient)?.activationFee ?? 0n) : 0n;
}

/** The smallest input that gives at least the wanted output, by halving between one that does and one that does not. */
function smallestInput(wanted: bigint, path: PoolRoute.Path, price: (input: bigint) => Priced): bigint {
  const limit = PoolRoute.limitOf(path.route);
  if (limit !== undefined && wanted >= limit) throw tooLittleLiquidity();
  let low = 0n;
  let high = 1n;
  while (price(high).output < wanted) {
    if (high >= 2n ** 200n) throw tooLittleLiquidity();
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

function pathOf(terms: Terms): PoolRoute.Path {
  const path = PoolRoute.pathOf(terms);
  if (!path || (path.route.length > 0 && !terms.mayUsePools))
    throw new RefusalError('NO_SWAP_ROUTES_FOUND', 'No routes found');
  return path;
}

function assertWorthwhile(terms: Terms, pricing: Pricing): void {
  const { input, output, path, pathAmount, activationFee } = pricing;
  const { destination } = terms;
  const inputUsd = Valuation.toUsd(input, terms.origin.token);
  if (terms.execution === 'swap' && inputUsd < minimumSwapUsd)
    throw new RefusalError('AMOUNT_TOO_LOW', 'Swap output amount is too small');
  if (isBelowTransfer(terms, pricing))
    throw new RefusalError('AMOUNT_TOO_LOW', 'The venue transfers no amount so small');
  if (terms.execution === 'solver' && isBeyondSolver(terms, pricing)) throw tooLittleLiquidity();
  if (path.route.length === 0 || terms.ignoresImpact) return;
  const entering = Valuation.toUsd(pathAmount, path.from);
  if (2n * Valuation.toUsd(output + activationFee, destination.token) < entering)
    throw new RefusalError('SWAP_IMPACT_TOO_HIGH', 'Swap impact is too high');
}

/** Whether the venue would refuse the user's transfer or the solver's. */
function isBelowTransfer({ origin, destination }: Terms, { input, minimumOutput }: Pricing): boolean {
  const least = ({ chain }: Side): bigint => (chain.vm === 'lvm' ? chain.leastTransfer : 0n);
  return input < least(origin) || minimumOutput < least(destination);
}

/** Whether the solver lacks what it hands over: on a chain what enters the path, on the venue what comes out of it. */
function isBeyondSolver({ origin, destination }: Terms, { path, ...pricing }: Pricing): boolean {
  if (pricing.input > largestTransfer && origin.chain.vm === 'lvm') return true;
  const [token, amount] =
    destination.chain.vm === 'lvm'
      ? [destination.token, pricing.output + pricing.activationFee]
      : [path.from, pricing.pathAmount];
  return token.solverBalance !== undefined && amount > token.solverBalance;
}

/** A step names the amount of a transfer on the venue as a number. */
const largestTransfer = BigInt(Number.MAX_SAFE_INTEGER);

function tooLittleLiquidity(): RefusalError {
  return new RefusalError('INSUFFICIENT_LIQUIDITY', 'Insufficient liquidity');
}
