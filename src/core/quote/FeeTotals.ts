/** The five fee components of spec section 8, as a quote states them in `expandedPriceImpact`. */
import * as Impact from '../api/schema/FeeBreakdown.js';
import * as Usd from '../base/Usd.js';

/** Fee components in millionths of a dollar: negative if the user pays, positive if a sponsor does. */
export type FeeTotals = {
  execution: bigint;
  swap: bigint;
  /** The service reports this component under its own brand name. */
  platform: bigint;
  app: bigint;
  sponsored: bigint;
};

/** Reads `expandedPriceImpact`. Undefined if a component is missing or is not a number. */
export function from(impact: Impact.Received): FeeTotals | undefined {
  const execution = Usd.from(impact.execution?.usd ?? '');
  const swap = Usd.from(impact.swap?.usd ?? '');
  const platform = Usd.from(Impact.platform(impact)?.component.usd ?? '');
  const app = Usd.from(impact.app?.usd ?? '0');
  const sponsored = Usd.from(impact.sponsored?.usd ?? '0');
  if (execution === undefined || swap === undefined || platform === undefined) return undefined;
  if (app === undefined || sponsored === undefined) return undefined;
  return { execution, swap, platform, app, sponsored };
}

/**
 * The sum of all components in millionths of a dollar, the sponsored amount added back: normally zero or negative.
 */
export function total(fees: FeeTotals): bigint {
  return fees.execution + fees.swap + fees.platform + fees.app + fees.sponsored;
}

/** Whether a total impact includes the sponsored amount (`inside`) or leaves it out (`beside`). */
export type Sponsoring = 'inside' | 'beside';

/**
 * Determines whether the total impact includes the sponsored amount. The service does either, so both are accepted.
 * The tolerance is one unit of the last printed digit per component.
 *
 * @returns undefined if the components add up to neither total
 */
export function sponsoring(fees: FeeTotals, totalImpact: bigint): Sponsoring | undefined {
  const tolerance = 5n;
  const near = (sum: bigint): boolean => {
    const off = sum - totalImpact;
    return (off < 0n ? -off : off) <= tolerance;
  };
  if (near(total(fees))) return 'inside';
  return near(total(fees) - fees.sponsored) ? 'beside' : undefined;
}

/** The fees as the service recommends displaying them, in millionths of a dollar, with the sponsored amount. */
export type Display = { providerFee: bigint; appFee: bigint; swapImpact: bigint; sponsored: bigint };

/** Maps components to display figures: platform is the provider fee; swap plus execution is the swap impact. */
export function display({ execution, swap, platform, app, sponsored }: FeeTotals): Display {
  return { providerFee: platform, appFee: app, swapImpact: swap + execution, sponsored };
}
