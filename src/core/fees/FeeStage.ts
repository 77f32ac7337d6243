/** The fee components at one stage: as quoted, or as charged when the request was filled. */
import * as FeeBreakdown from '../api/schema/FeeBreakdown.js';
import * as Usd from '../base/Usd.js';
import * as FeeTotals from '../quote/FeeTotals.js';

export type Name = keyof FeeTotals.FeeTotals;

export type FeeStage = {
  /** Millionths of a dollar. */
  fees: FeeTotals.FeeTotals;
  /** Amounts that the answer states in base units of the input, unsigned. */
  amounts: Partial<Record<Name, bigint>>;
  /** Storage rent of chains that charge it, in millionths of a dollar; usually zero. */
  rent: bigint;
  /** Output minus input in millionths of a dollar; undefined if not stated. */
  impactUsd: bigint | undefined;
};

const names: readonly Name[] = ['execution', 'swap', 'platform', 'app', 'sponsored'];

/** Reads `expandedPriceImpact`, or one stage of `data.fees`. Undefined if a component is missing or not a number. */
export function from(
  breakdown: FeeBreakdown.Received | null | undefined,
  impactUsd: bigint | undefined,
): FeeStage | undefined {
  const fees = breakdown && FeeTotals.from(breakdown);
  if (!breakdown || !fees) return undefined;
  const parts = { ...breakdown, platform: FeeBreakdown.platform(breakdown)?.component };
  const amounts = Object.fromEntries(
    names.flatMap((name) => {
      const amount = parts[name]?.amount ?? '';
      return /^\d+$/.test(amount) ? [[name, BigInt(amount)]] : [];
    }),
  );
  return { fees, amounts, rent: Usd.from(breakdown.rent?.usd ?? '0') ?? 0n, impactUsd };
}

/** Whether the impact includes the sponsored amount; undefined if the components do not add up to the impact. */
export function sponsoring({ fees, rent, impactUsd }: FeeStage): FeeTotals.Sponsoring | undefined {
  return impactUsd === undefined ? 'inside' : FeeTotals.sponsoring(fees, impactUsd - rent);
}

/** The total cost by the components, in millionths of a dollar; the sponsored amount is added back if `inside`. */
export function total({ fees, rent }: FeeStage, where: FeeTotals.Sponsoring): bigint {
  return FeeTotals.total(fees) + rent - (where === 'beside' ? fees.sponsored : 0n);
}

/** The price of the input, by the largest component stated in both dollars and base units; undefined if none is. */
export function price({ fees, amounts }: FeeStage): { usd: bigint; amount: bigint } | undefined {
  let best: { usd: bigint; amount: bigint } | undefined;
  for (const name of names) {
    const amount = amounts[name];
    const usd = fees[name] < 0n ? -fees[name] : fees[name];
    if (amount !== undefined && amount > 0n && usd > (best?.usd ?? 0n)) best = { usd, amount };
  }
  return best;
}
