/** The components at one time: as quoted, or as they came to be when the request was filled. */
import * as FeeBreakdown from '../api/schema/FeeBreakdown.js';
import * as Usd from '../base/Usd.js';
import * as FeeTotals from '../quote/FeeTotals.js';

export type Name = keyof FeeTotals.Breakdown;

export type Phase = {
  /** Millionths of a dollar. */
  fees: FeeTotals.Breakdown;
  /** What the answer itself says in base units of the input, without a sign. */
  amounts: Partial<Record<Name, bigint>>;
  /** A component of chains where storage is rented, millionths; zero as a rule. */
  rent: bigint;
  /** Output less input in millionths; undefined where it is not told. */
  impactUsd: bigint | undefined;
};

const names: readonly Name[] = ['execution', 'swap', 'platform', 'app', 'sponsored'];

/** Reads `expandedPriceImpact`, or a side of `data.fees`. Undefined where a component is missing or is no number. */
export function from(
  breakdown: FeeBreakdown.Breakdown | null | undefined,
  impactUsd: bigint | undefined,
): Phase | undefined {
  const fees = breakdown && FeeTotals.from(breakdown);
  if (!breakdown || !fees) return undefined;
  const parts = { ...breakdown, platform: FeeBreakdown.platform(breakdown)?.component };
  const amounts = Object.fromEntries(
    names.flatMap((name) => {
      const amount = parts[name]?.amount;
      return amount !== undefined && /^\d+$/.test(amount) ? [[name, BigInt(amount)]] : [];
    }),
  );
  return { fees, amounts, rent: Usd.from(breakdown.rent?.usd ?? '0') ?? 0n, impactUsd };
}

/** Where the sponsored part is; undefined where the components do not make up the impact. */
export function sponsoring({ fees, rent, impactUsd }: Phase): FeeTotals.Sponsoring | undefined {
  return impactUsd === undefined ? 'inside' : FeeTotals.sponsoring(fees, impactUsd - rent);
}

/** What the transfer costs in all, by the components: the sponsored part given back where the total has it inside. */
export function total({ fees, rent }: Phase, where: FeeTotals.Sponsoring): bigint {
  return FeeTotals.total(fees) + rent - (where === 'beside' ? fees.sponsored : 0n);
}

/** The worth of base units by the component that says both most exactly; undefined where none does. */
export function price({ fees, amounts }: Phase): { usd: bigint; amount: bigint } | undefined {
  let best: { usd: bigint; amount: bigint } | undefined;
  for (const name of names) {
    const amount = amounts[name];
    const usd = fees[name] < 0n ? -fees[name] : fees[name];
    if (amount !== undefined && amount > 0n && usd > (best?.usd ?? 0n)) best = { usd, amount };
  }
  return best;
}
