/** The platform fee by type of transaction, spec section 8. Dollars are bigint millionths. */
import type { TransactionType } from './TransactionType.js';

/** What one type of transaction costs. */
export type Row = {
  type: TransactionType;
  name: string;
  /** Basis points of the input. */
  bps: bigint;
  /** Which pairs are of the type. */
  what: string;
};

/** Every type, in the order of spec section 8. */
export const rows: readonly Row[] = [
  { type: 'bridge', name: 'Token bridge', bps: 0n, what: 'the same token on both sides' },
  { type: 'wrap', name: 'Wrap or unwrap', bps: 0n, what: 'a native asset and its wrapped token, on one chain' },
  { type: 'stablecoin', name: 'Stablecoin swap', bps: 1n, what: 'two of the major stablecoins' },
  { type: 'major', name: 'Major swap', bps: 6n, what: 'two major tokens, or one and a major stablecoin' },
  { type: 'minor', name: 'Minor swap', bps: 15n, what: 'any other pair' },
];

/** What the schedule says next to what is charged. */
export type Comparison = {
  type: TransactionType;
  bps: bigint;
  /** Negative, as every cost. */
  predicted: bigint;
  charged: bigint;
  /** Charged less predicted: negative where more is charged. */
  difference: bigint;
  isOnSchedule: boolean;
};

/** The row of a type. */
export function row(type: TransactionType): Row {
  const found = rows.find((each) => each.type === type);
  if (!found) throw new TypeError(`no row for ${type}`);
  return found;
}

/** The fee in millionths of a dollar, rounded half up and negative, for an input in the same. */
export function platformFee(type: TransactionType, inputUsd: bigint): bigint {
  return -((inputUsd * row(type).bps + 5_000n) / 10_000n);
}

/**
 * Compares the platform component with the schedule. The service rounds to base units of the input and then to
 * millionths of a dollar: so much either way is no difference.
 *
 * @param input base units, or undefined where they are not known
 */
export function compare(
  type: TransactionType,
  charged: bigint,
  { inputUsd, input }: { inputUsd: bigint; input: bigint | undefined },
): Comparison {
  const predicted = platformFee(type, inputUsd);
  const difference = charged - predicted;
  const baseUnitUsd = input === undefined || input === 0n ? 0n : inputUsd / input + 1n;
  const size = difference < 0n ? -difference : difference;
  return { type, bps: row(type).bps, predicted, charged, difference, isOnSchedule: size <= 2n + baseUnitUsd };
}
