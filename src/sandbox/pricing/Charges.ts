/** The fees that are taken from the input, in base units of the input currency. */

import * as GasLimits from '../values/GasLimits.js';
import { assetOf, type Chain, counterpart, isNative, nativeOf } from '../values/Market.js';
import * as TransactionType from '../values/TransactionType.js';
import * as Valuation from '../values/Valuation.js';
import type { Route } from './PoolRoute.js';
import { isGasless, type Terms } from './QuoteTerms.js';
import type { Component } from './Sponsorship.js';

export type Charges = {
  /** The flat part of the execution fee. */
  flat: bigint;
  /** Gas that the solver pays for the user: the fill's, and the origin's where the transaction is gasless. */
  gas: bigint;
  platform: bigint;
  /** For bringing the solver's funds back to the chain they were paid out on. */
  rebalancing: bigint;
  /** One for each fee that the app asks for. */
  app: readonly bigint[];
};

/** What the charges depend on beside the input. */
export type Rates = {
  flat: bigint;
  gas: bigint;
  platformBps: bigint;
  rebalancingBps: bigint;
  appBps: readonly bigint[];
};

/** The flat part of the execution fee: 0.02 dollars, in millionths. */
export const flatUsd = 20_000n;

const crossChainRebalancingBps = 1n;

/** The rates of the terms. A wrap, an unwrap or a transfer that the user makes alone is free of fees. */
export function rates(terms: Terms, route: Route): Rates {
  const { origin, destination, execution } = terms;
  if (execution !== 'solver' && execution !== 'swap')
    return { flat: 0n, gas: 0n, platformBps: 0n, rebalancingBps: 0n, appBps: [] };
  const currency = origin.token;
  // On the venue nobody pays for gas.
  const gas = (chain: Chain, units: bigint): bigint =>
    chain.vm === 'evm' ? Valuation.convertUp(units * chain.gasPriceWei, nativeOf(chain), currency) : 0n;
  return {
    flat: Valuation.fromUsd(flatUsd, currency),
    gas:
      gas(destination.chain, execution === 'solver' ? fillGas(terms, route) : 0n) +
      gas(origin.chain, originGas(terms, route)),
    platformBps: TransactionType.platformBps(terms.transactionType),
    rebalancingBps: origin.chain.id === destination.chain.id ? 0n : crossChainRebalancingBps,
    appBps: terms.appFees.map((fee) => fee.bps),
  };
}

/** Units of gas of the solver's one transaction on a chain. */
export function fillGas({ destination, origin }: Terms, route: Route): bigint {
  const { chain, token } = destination;
  const from = counterpart(chain, origin.token) ?? origin.token;
  const isHandedOver = route.length === 0 && assetOf(token) === assetOf(from);
  return isHandedOver ? GasLimits.transfer(token) : GasLimits.multicall({ from, to: token, hops: route.length });
}

/** Units of gas of the transaction that the relayer sends for the user: none where the user sends it. */
export function originGas(terms: Terms, route: Route): bigint {
  const { originGasOverhead, permit, execution } = terms;
  const { token } = terms.origin;
  if (!isGasless(terms)) return 0n;
  if (permit) return GasLimits.permit[permit.kind] + originGasOverhead;
  const approval = isNative(token) ? 0n : GasLimits.approve;
  const main =
    execution === 'solver'
      ? GasLimits.deposit(token)
      : GasLimits.multicall({ from: token, to: terms.destination.token, hops: route.length });
  return approval + main + originGasOverhead;
}

/** The charges on an input. Their sum grows by at most one base unit with each base unit of input. */
export function from(rates: Rates, input: bigint): Charges {
  // Each share is rounded down together with those before it, so that their sum is rounded only once.
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

/** Everything that is taken. */
export function total(charges: Charges): bigint {
  return relayer(charges) + appTotal(charges);
}

/** What the service takes, the gas included. */
export function relayer({ flat, gas, platform, rebalancing }: Charges): bigint {
  return flat + gas + platform + rebalancing;
}

/** What the app takes. */
export function appTotal({ app }: Charges): bigint {
  return app.reduce((sum, amount) => sum + amount, 0n);
}

/** The charges by component; the rebalancing belongs to the swap. */
export function components(charges: Charges): Record<Exclude<Component, 'swap'>, bigint> {
  return { execution: charges.flat + charges.gas, platform: charges.platform, app: appTotal(charges) };
}
