/**
 * Fees deducted from what an order is paid in, in base units of that currency: the input, or what it is swapped to.
 *
 * By the specification the flat fee and gas on the destination are always charged. As live, wraps and sends have no
 * flat fee, and on one chain there is no fill and so no gas of one. Swaps on one chain do have the flat fee here.
 */

import * as GasLimits from '../values/GasLimits.js';
import { assetOf, type Chain, counterpart, isNative, nativeOf } from '../values/Market.js';
import * as TransactionType from '../values/TransactionType.js';
import * as Valuation from '../values/Valuation.js';
import type { Route } from './PoolRoute.js';
import { isGasless, type PricedRequest } from './QuoteTerms.js';
import type { Component } from './Sponsorship.js';

export type Charges = {
  flat: bigint;
  /** Gas that the service pays for the user: the fill's, a top-up, and the origin's if the transaction is gasless. */
  gas: bigint;
  platform: bigint;
  /** Cost of moving the solver's funds back to the destination chain. */
  rebalancing: bigint;
  /** One per app fee. */
  app: readonly bigint[];
};

/** Everything the charges depend on except the input. */
export type Rates = {
  flat: bigint;
  gas: bigint;
  platformBps: bigint;
  rebalancingBps: bigint;
  appBps: readonly bigint[];
};

/** The flat part of the execution fee: 0.02 US dollars, in millionths. */
export const flatUsd = 20_000n;

const crossChainRebalancingBps = 1n;

/**
 * The rates for the given terms and the routes on both sides. Of wraps, unwraps and transfers in the user's own
 * transaction only the app takes a fee.
 */
export function rates(terms: PricedRequest, route: Route, swap?: Route | undefined): Rates {
  const { origin, destination, payment, execution } = terms;
  if (execution !== 'solver' && execution !== 'swap')
    return { flat: 0n, gas: 0n, platformBps: 0n, rebalancingBps: 0n, appBps: terms.appFees.map((fee) => fee.bps) };
  const currency = payment.token;
  // The venue has no gas.
  const gas = (chain: Chain, units: bigint): bigint =>
    chain.vm === 'evm' ? Valuation.convertUp(units * chain.gasPriceWei, nativeOf(chain), currency) : 0n;
  return {
    flat: Valuation.fromUsd(flatUsd, currency),
    gas:
      gas(destination.chain, execution === 'solver' ? fillGas(terms, route) : 0n) +
      (terms.gasTopup > 0n ? Valuation.convertUp(terms.gasTopup, nativeOf(destination.chain), currency) : 0n) +
      gas(origin.chain, originGas(terms, route, swap)),
    platformBps: TransactionType.platformBps[terms.transactionType],
    rebalancingBps: origin.chain.id === destination.chain.id ? 0n : crossChainRebalancingBps,
    appBps: terms.appFees.map((fee) => fee.bps),
  };
}

function fillGas({ destination, payment, calls, callGas, gasTopup }: PricedRequest, route: Route): bigint {
  const { chain, token } = destination;
  const from = counterpart(chain, payment.token) ?? payment.token;
  const isTransfer = route.length === 0 && assetOf(token) === assetOf(from);
  return isTransfer && calls.length === 0 && gasTopup === 0n
    ? GasLimits.transfer(token)
    : callGas + GasLimits.multicall({ from, to: token, hops: route.length });
}

/** Gas of the relayer's transaction on the origin; 0 if the user sends it. */
function originGas(terms: PricedRequest, route: Route, swap: Route | undefined): bigint {
  const { originGasOverhead, permit, execution, payment } = terms;
  const { token } = terms.origin;
  if (!isGasless(terms)) return 0n;
  if (permit) return GasLimits.permit + originGasOverhead;
  const approval = isNative(token) ? 0n : GasLimits.approve;
  const deposit = swap
    ? GasLimits.swapDeposit({ from: token, to: payment.token, hops: swap.length })
    : GasLimits.deposit(token);
  const main =
    execution === 'solver'
      ? deposit
      : GasLimits.multicall({ from: token, to: terms.destination.token, hops: route.length });
  return approval + main + originGasOverhead;
}

/**
 * The charges on an input. Their sum grows by at most one base unit per base unit of it.
 *
 * @param input what it is worth in the currency of the payment
 */
export function from(rates: Rates, input: bigint): Charges {
  // Each share is the difference of two rounded cumulative shares, so that the sum is rounded only once.
  let bps = 0n;
  const share = (nextBps: bigint) => {
    const before = (input * bps) / 10_000n;
    bps += nextBps;
    return (input * bps) / 10_000n - before;
  };
  const app = rates.appBps.map(share);
  return {
    flat: rates.flat,
    gas: rates.gas,
    app,
    platform: share(rates.platformBps),
    rebalancing: share(rates.rebalancingBps),
  };
}

export function total(charges: Charges): bigint {
  return serviceTotal(charges) + appTotal(charges);
}

/** The service's charges, gas included. */
export function serviceTotal({ flat, gas, platform, rebalancing }: Charges): bigint {
  return flat + gas + platform + rebalancing;
}

export function appTotal({ app }: Charges): bigint {
  return app.reduce((sum, amount) => sum + amount, 0n);
}

/** The charges by fee component; rebalancing counts toward the swap. */
export function components(charges: Charges): Record<Exclude<Component, 'swap'>, bigint> {
  return { execution: charges.flat + charges.gas, platform: charges.platform, app: appTotal(charges) };
}
