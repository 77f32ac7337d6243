/** Sponsored fees. Amounts are in the input currency, USD in bigint millionths. */

import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import { bps } from '../../core/base/Amount.js';
import type { Token } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';
import { RefusalError } from './QuoteRefusal.js';

export type Component = (typeof components)[number];

/** Fee components, in the order in which the sponsor pays them. */
export const components = ['execution', 'swap', 'platform', 'app'] as const;

/** The service's own word for the platform's component. */
export const platformComponent = 'relay';

/** The sponsorship that a request asks for. */
export type Wanted = {
  selected: ReadonlySet<Component>;
  selectsRent: boolean;
  /** The sponsor's share of each selected component. */
  shareBps: bigint;
  hasShare: boolean;
  /** The sponsor's cap. */
  maxUsd: bigint | undefined;
};

export type Sponsored = {
  terms: Wanted;
  amount: bigint;
  usd: bigint;
  isCapped: boolean;
  parts: Readonly<Record<Component, { total: bigint; sponsored: bigint }>>;
};

/** Each component in full, and the part of it that a sponsor can pay. */
export type Totals = Readonly<Record<Component, { total: bigint; payable: bigint }>>;

/**
 * The sponsorship that a request asks for; undefined if none.
 *
 * @throws RefusalError
 */
export function terms(request: QuoteV2.Request, client: { hasKey: boolean; isBridge: boolean }): Wanted | undefined {
  const { sponsoredFeeComponents, subsidizationBps, maxSubsidizationAmount } = request;
  // The components alone ask for it, too.
  if (!(request.subsidizeFees ?? sponsoredFeeComponents !== undefined)) {
    const dependent = sponsoredFeeComponents ?? subsidizationBps ?? maxSubsidizationAmount;
    if (dependent !== undefined || request.subsidizeRent === true)
      throw new RefusalError('UNSUPPORTED_EXECUTION_TYPE', 'Sponsoring fees needs subsidizeFees to be true');
    return undefined;
  }
  if (!client.hasKey) throw new RefusalError('UNAUTHORIZED', 'Sponsoring fees needs a valid api key');
  if (subsidizationBps !== undefined && client.isBridge)
    throw new RefusalError('UNSUPPORTED_EXECUTION_TYPE', 'subsidizationBps is for swaps only');
  const chosen = sponsoredFeeComponents?.map(componentOf);
  return {
    selected: new Set(chosen ? components.filter((component) => chosen.includes(component)) : components),
    selectsRent: request.subsidizeRent === true || (sponsoredFeeComponents ?? []).some((word) => word === 'rent'),
    shareBps: BigInt(subsidizationBps ?? 10_000),
    hasShare: subsidizationBps !== undefined,
    maxUsd: maxSubsidizationAmount === undefined ? undefined : BigInt(maxSubsidizationAmount),
  };
}

/** The sponsored amounts; a cap is used up in component order. */
export function from(requested: Wanted, totals: Totals, currency: Token): Sponsored {
  const cap =
    requested.maxUsd === undefined
      ? undefined
      : (requested.maxUsd * 10n ** BigInt(currency.decimals)) / currency.priceUsd;
  let amount = 0n;
  let isCapped = false;
  const part = (component: Component) => {
    const { total, payable } = totals[component];
    const wanted = requested.selected.has(component) ? bps(payable, requested.shareBps) : 0n;
    const left = cap === undefined ? wanted : cap - amount;
    const sponsored = wanted < left ? wanted : left;
    if (sponsored < wanted) isCapped = true;
    amount += sponsored;
    return { total, sponsored };
  };
  const parts = { execution: part('execution'), swap: part('swap'), platform: part('platform'), app: part('app') };
  return { terms: requested, amount, usd: Valuation.toUsd(amount, currency), isCapped, parts };
}

/** Maps a component's name on the wire: the service's own word, or that of its specification. @throws RefusalError */
function componentOf(word: string): Component | undefined {
  if (word === 'rent') return undefined;
  if (word === platformComponent) return 'platform';
  const found = components.find((component) => component === word);
  if (found) return found;
  const words = `execution, swap, ${platformComponent}, app or rent`;
  throw new RefusalError('UNSUPPORTED_EXECUTION_TYPE', `sponsoredFeeComponents must name ${words}, not ${word}`);
}
