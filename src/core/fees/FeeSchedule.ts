/** The platform fee per transaction type, by spec section 8. Dollar amounts are bigint millionths. */
import type { TransactionType } from './TransactionType.js';

export type Row = {
  type: TransactionType;
  name: string;
  /** Basis points of the input. */
  bps: bigint;
  what: string;
};

export const rows: readonly Row[] = [
  { type: 'bridge', name: 'Token bridge', bps: 0n, what: 'the same token on both sides' },
  { type: 'wrap', name: 'Wrap or unwrap', bps: 0n, what: 'a native asset and its wrapped token, on one chain' },
  { type: 'stablecoin', name: 'Stablecoin swap', bps: 1n, what: 'two major stablecoins' },
  { type: 'major', name: 'Major swap', bps: 6n, what: 'two major tokens, or one of them and a major stablecoin' },
  { type: 'minor', name: 'Minor swap', bps: 15n, what: 'any other pair' },
];

/** The scheduled fee compared with the charged one, in millionths of a dollar. */
export type Comparison = {
  type: TransactionType;
  bps: bigint;
  /** Negative, like every cost. */
  predicted: bigint;
  /** Negative, like every cost. */
  charged: bigint;
  /** Charged minus predicted: negative if more is charged than predicted. */
  difference: bigint;
  isOnSchedule: boolean;
};

export function row(type: TransactionType): Row {
  return rows.find((each) => each.type === type) as Row;
}

/**
 * The scheduled fee for an input, both in millionths of a dollar: `-(inputUsd × bps / 10000)`, rounded half up in
 * magnitude.
 */
export function platformFee(type: TransactionType, inputUsd: bigint): bigint {
  return -((inputUsd * row(type).bps + 5_000n) / 10_000n);
}

/**
 * Compares the platform component with the schedule. The service rounds to base units of the input, then to millionths
 * of a dollar; a difference within that rounding counts as on schedule.
 *
 * @param charged the platform component in millionths of a dollar, negative
 * @param amounts `inputUsd` in millionths of a dollar, `input` in base units or undefined if unknown
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
