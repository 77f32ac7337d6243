/** The skew between this machine's clock and another one. */
import { BaseError } from '../base/Errors.js';

export type Skew = {
  /** Milliseconds by which this clock is ahead; negative if it is behind. */
  aheadMs: number;
  /** The uncertainty in either direction, in milliseconds. */
  marginMs: number;
};

/**
 * The skew to a clock that reports whole seconds.
 *
 * @param reported Unix time in milliseconds, cut to the second
 * @param times Unix times in milliseconds of request and answer, by this machine's clock
 */
export function fromSecond(reported: number, { askedAt, answeredAt }: { askedAt: number; answeredAt: number }): Skew {
  const halfSecond = 500;
  return {
    aheadMs: Math.round((askedAt + answeredAt) / 2 - (reported + halfSecond)),
    marginMs: Math.ceil((answeredAt - askedAt) / 2) + halfSecond,
  };
}

/**
 * The minimum skew that a block proves: a block is never from the future, so a clock before its timestamp is behind.
 * Undefined if the block proves nothing.
 *
 * @param timestamp Unix time of the block in seconds
 * @param now Unix time of this machine in milliseconds
 */
export function fromBlock(timestamp: number, now: number): Skew | undefined {
  const aheadMs = now - timestamp * 1000;
  return aheadMs < 0 ? { aheadMs, marginMs: 0 } : undefined;
}

/** The smallest possible skew in milliseconds, in either direction. */
export function least({ aheadMs, marginMs }: Skew): number {
  return Math.max(0, Math.abs(aheadMs) - marginMs);
}

/** Skew that is a failure: a quote must be executed, and what is signed used, within about that time. */
export const harmfulMs = 30_000;

/**
 * Asserts before something with a deadline is signed that this clock dates it right. By a clock that is behind it is void
 * when it arrives; by one that is ahead it is valid for longer than the user allows, a store in doubt waits, or a venue takes.
 *
 * @throws system.clock
 */
export function assertFit(skew: Skew | undefined): void {
  if (skew && least(skew) > harmfulMs) {
    const by = skew.aheadMs > 0 ? `${format(skew)} of` : format(skew);
    throw new BaseError(
      'system.clock',
      `The clock of this machine is ${by} the service’s: what it dates would be void, or valid too long.`,
      {
        hint: 'Nothing was signed. Set the clock and try again; in WSL it stops while the computer sleeps.',
        next: 'sudo timedatectl set-ntp true',
      },
    );
  }
}

/** `42 s ahead`, `3 min behind`. */
export function format({ aheadMs }: Skew): string {
  const seconds = Math.abs(aheadMs) / 1000;
  const size =
    seconds < 10
      ? `${seconds.toFixed(1)} s`
      : seconds < 120
        ? `${Math.round(seconds)} s`
        : seconds < 7200
          ? `${Math.round(seconds / 60)} min`
          : `${Math.round(seconds / 3600)} h`;
  return `${size} ${aheadMs < 0 ? 'behind' : 'ahead'}`;
}
