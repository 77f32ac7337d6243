/** Gas limits with headroom, used for step transactions and for pricing fills. */
import { isNative, type Token } from './Market.js';

export const approve = 60_000n;
/** A wrap or an unwrap. */
export const wrap = 50_000n;

/** The relayer's transaction that submits a user's permit. */
export const permit = 180_000n;

export function deposit(token: Token): bigint {
  return isNative(token) ? 35_000n : 85_000n;
}

/** A plain payment to a deposit address, as the service states it. */
export function toDepositAddress(token: Token): bigint {
  return isNative(token) ? 27_300n : 2_500_000n;
}

/** A plain transfer. A contract recipient may need more. */
export function transfer(token: Token): bigint {
  return isNative(token) ? 30_000n : 65_000n;
}

/** A router multicall that swaps through `hops` pools by the aggregator, or only wraps. */
export function multicall(path: { from: Token; to: Token; hops: number }): bigint {
  const wraps = [path.from, path.to].filter(isNative).length;
  const aggregator = path.hops > 0 ? 130_000n : 0n;
  return 110_000n + aggregator + 80_000n * BigInt(path.hops) + 40_000n * BigInt(wraps);
}

export function swapDeposit(path: { from: Token; to: Token; hops: number }): bigint {
  return multicall(path) + 70_000n;
}
