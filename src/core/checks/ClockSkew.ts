/** How far this machine's clock is from somebody else's. */

export type Skew = {
  /** Milliseconds by which this clock is ahead; negative where it is behind. */
  aheadMs: number;
  /** How much more or less it may be. */
  marginMs: number;
};

/** By a clock that tells whole seconds, asked and answered at these times of this clock, in Unix milliseconds. */
export function fromSecond(told: number, { askedAt, answeredAt }: { askedAt: number; answeredAt: number }): Skew {
  const halfSecond = 500;
  return {
    aheadMs: Math.round((askedAt + answeredAt) / 2 - (told + halfSecond)),
    marginMs: Math.ceil((answeredAt - askedAt) / 2) + halfSecond,
  };
}

/**
 * A block is never of the future, so it shows how far behind a clock is at least: by its time in Unix
 * seconds, and this clock's in milliseconds. Undefined where it shows nothing.
 */
export function fromBlock(timestamp: number, now: number): Skew | undefined {
  const aheadMs = now - timestamp * 1000;
  return aheadMs < 0 ? { aheadMs, marginMs: 0 } : undefined;
}

/** The least that it can be. */
export function least({ aheadMs, marginMs }: Skew): number {
  return Math.max(0, Math.abs(aheadMs) - marginMs);
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
