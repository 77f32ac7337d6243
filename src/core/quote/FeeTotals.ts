/** The five fee components of spec section 8, as the quote's `expandedPriceImpact` states them. */
import * as Impact from '../api/schema/FeeBreakdown.js';
import * as Usd from '../base/Usd.js';

/** Millionths of a dollar: negative where the user pays, positive where a sponsor does. */
export type Breakdown = {
  execution: bigint;
  swap: bigint;
  /** The service prints it under a word of its own. */
  platform: bigint;
  app: bigint;
  sponsored: bigint;
};

/** Reads `expandedPriceImpact`. Undefined where a component is missing or is no number. */
export function from(impact: Impact.Breakdown): Breakdown | undefined {
  const execution = Usd.from(impact.execution.usd);
  const swap = Usd.from(impact.swap.usd);
  const platform = Usd.from(Impact.platform(impact)?.component.usd ?? '');
  const app = Usd.from(impact.app?.usd ?? '0');
  const sponsored = Usd.from(impact.sponsored?.usd ?? '0');
  if (execution === undefined || swap === undefined || platform === undefined) return undefined;
  if (app === undefined || sponsored === undefined) return undefined;
  return { execution, swap, platform, app, sponsored };
}

/** What the user loses to fees, sponsored parts given back: zero or negative, as a rule. */
export function total(fees: Breakdown): bigint {
  return fees.execution + fees.swap + fees.platform + fees.app + fees.sponsored;
}

/** Where a printed total has the sponsored part: added in, or left out of it. */
export type Sponsoring = 'inside' | 'beside';

/**
 * Where the sponsored part is, if the components make up the total impact within one unit of the last printed digit
 * per component. The service prints it beside the total in some answers and inside it in others; both hold.
 *
 * @returns undefined where they make up neither
 */
export function sponsoring(fees: Breakdown, totalImpact: bigint): Sponsoring | undefined {
  const tolerance = 5n;
  const near = (sum: bigint): boolean => {
    const off = sum - totalImpact;
    return (off < 0n ? -off : off) <= tolerance;
  };
  if (near(total(fees))) return 'inside';
  return near(total(fees) - fees.sponsored) ? 'beside' : undefined;
}

/** Whether the components make up the total impact, with the sponsored part or without. */
export function isSum(fees: Breakdown, totalImpact: bigint): boolean {
  return sponsoring(fees, totalImpact) !== undefined;
}

/** The fees as the service recommends to show them: three figures, and what a sponsor pays of them. */
export type Display = { providerFee: bigint; appFee: bigint; swapImpact: bigint; sponsored: bigint };

/** Its mapping: platform as provider fee, swap and execution as swap impact. */
export function display({ execution, swap, platform, app, sponsored }: Breakdown): Display {
  return { providerFee: platform, appFee: app, swapImpact: swap + execution, sponsored };
}
