/**
 * What a transfer costs: the input, the output and every fee between them. All fees are taken from the input, in the
 * input currency; what is left is handed over or swapped in the pools of the destination chain.
 */
import { divideUp } from '../core/Amount.js';
import * as Charges from './Charges.js';
import { counterpart, type Token } from './Market.js';
import { RefusalError } from './Refusal.js';
import * as Route from './Route.js';
import * as Sponsorship from './Sponsorship.js';
import type { Terms } from './Terms.js';
import * as Valuation from './Valuation.js';

export type Pricing = {
  /** Base units that the user pays. */
  input: bigint;
  /** Base units that the recipient is to get, and gets at least. */
  output: bigint;
  minimumOutput: bigint;
  charges: Charges.Charges;
  sponsored: Sponsorship.Sponsored | undefined;
  path: Path;
  /** Base units of `path.token` that enter the path. */
  pathAmount: bigint;
};

/** What becomes of the input once the fees are off it. */
export type Path = {
  /** The input currency on the destination chain, or on the one chain. */
  token: Token;
  route: Route.Route;
};

/** Below this a swap in the user's own transaction is not quoted, in millionths of a dollar. */
const minimumSwapUsd = 50_000n;

/**
 * The price of the terms.
 *
 * @throws RefusalError
 */
export function from(terms: Terms): Pricing {
  const path = pathOf(terms);
  const rates = Charges.rates(terms, path.route);
  const price = (input: bigint): Priced => priced(terms, path, rates, input);
  const input = terms.tradeType === 'EXACT_INPUT' ? terms.amount : smallestInput(terms.amount, path, price);
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
    path,
    pathAmount: result.pathAmount,
  };
  assertWorthwhile(terms, pricing);
  return pricing;
}

type Priced = {
  charges: Charges.Charges;
  sponsored: Sponsorship.Sponsored | undefined;
  /** What is left of the input after the fees, with what the sponsor adds; negative where the fees exceed it. */
  left: bigint;
  pathAmount: bigint;
  output: bigint;
};

/** The forward function: what so much input gives. More input never gives less output, unless a sponsor rounds. */
function priced(terms: Terms, path: Path, rates: Charges.Rates, input: bigint): Priced {
  const charges = Charges.from(rates, input);
  const kept = input - Charges.total(charges);
  const sponsored = terms.sponsorship && sponsoredPart(terms, path, charges, kept, terms.sponsorship);
  const left = kept + (sponsored?.amount ?? 0n);
  const pathAmount = pathAmountOf(terms, path, left);
  return { charges, sponsored, left, pathAmount, output: outputOf(terms, path, pathAmount) };
}

/**
 * What the sponsor pays of the fees on an input. What a swap in the user's own transaction loses in the pools is the
 * pools', and nobody can pay it in the user's place.
 */
function sponsoredPart(
  terms: Terms,
  path: Path,
  charges: Charges.Charges,
  kept: bigint,
  asked: Sponsorship.Terms,
): Sponsorship.Sponsored {
  const { token } = terms.origin;
  const { execution, platform, app } = Charges.components(charges);
  const output = outputOf(terms, path, pathAmountOf(terms, path, kept));
  const loss = kept - Valuation.convert(output, terms.destination.token, token);
  const swap = charges.rebalancing + (loss > 0n ? loss : 0n);
  const totals = {
    execution: { total: execution, payable: execution },
    swap: { total: swap, payable: terms.execution === 'solver' ? swap : 0n },
    platform: { total: platform, payable: platform },
    app: { total: app, payable: app },
  };
  return Sponsorship.from(asked, totals, token);
}

/** What enters the path of so much input, in its own base units; nothing of nothing. */
function pathAmountOf(terms: Terms, path: Path, left: bigint): bigint {
  return left > 0n ? Valuation.rescale(left, terms.origin.token.decimals, path.token.decimals) : 0n;
}

function outputOf(terms: Terms, path: Path, pathAmount: bigint): bigint {
  if (path.route.length > 0) return Route.outputOf(path.route, pathAmount);
  return Valuation.rescale(pathAmount, path.token.decimals, terms.destination.token.decimals);
}

/** The smallest input that gives at least the wanted output, by halving between one that does and one that does not. */
function smallestInput(wanted: bigint, path: Path, price: (input: bigint) => Priced): bigint {
  const limit = Route.limitOf(path.route);
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

function pathOf(terms: Terms): Path {
  const { origin, destination } = terms;
  const token = counterpart(destination.chain, origin.token);
  const route = token && Route.find(destination.chain, token, destination.token);
  if (!token || !route || (route.length > 0 && !terms.mayUsePools))
    throw new RefusalError('NO_SWAP_ROUTES_FOUND', 'No routes found');
  return { token, route };
}

function assertWorthwhile(terms: Terms, pricing: Pricing): void {
  const { input, output, path, pathAmount } = pricing;
  const inputUsd = Valuation.toUsd(input, terms.origin.token);
  if (terms.execution === 'swap' && inputUsd < minimumSwapUsd)
    throw new RefusalError('AMOUNT_TOO_LOW', 'Swap output amount is too small');
  const { solverBalance } = path.token;
  if (terms.execution === 'solver' && solverBalance !== undefined && pathAmount > solverBalance)
    throw tooLittleLiquidity();
  if (path.route.length === 0 || terms.ignoresImpact) return;
  const entering = Valuation.toUsd(pathAmount, path.token);
  if (2n * Valuation.toUsd(output, terms.destination.token) < entering)
    throw new RefusalError('SWAP_IMPACT_TOO_HIGH', 'Swap impact is too high');
}

function tooLittleLiquidity(): RefusalError {
  return new RefusalError('INSUFFICIENT_LIQUIDITY', 'Insufficient liquidity');
}
