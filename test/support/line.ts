/** Simulates processes that queue for a rate budget, in virtual time. */
import * as RateLimit from '../../src/core/network/RateLimit.js';

/** The maximum number of requests within any minute. */
export function busiest(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.max(...sorted.map((from, i) => sorted.slice(i).filter((time) => time < from + 60_000).length));
}

export type Crowd = {
  startMs: number;
  /** The pauses between one process that wants a quote and the next. */
  pauses: readonly number[];
  /** When the shared state is lost. */
  lostAt: number;
  limits: RateLimit.Limits;
};

/** The times at which their quotes are sent. Each process knows its own requests and shares the rest. */
export function departures({ startMs, pauses, lostAt, limits }: Crowd): number[] {
  type Waiting = { wakesAt: number; own: RateLimit.State };
  const line: Waiting[] = [];
  for (const pause of pauses) line.push({ wakesAt: (line.at(-1)?.wakesAt ?? startMs) + pause, own: RateLimit.fresh });
  const gone: number[] = [];
  let state = RateLimit.fresh;
  let isLost = false;
  for (let next = line.shift(); next; next = line.shift()) {
    const { wakesAt: nowMs, own } = next;
    const asked = { limits, path: '/quote/v2', nowMs };
    if (!isLost && nowMs >= lostAt) state = RateLimit.fresh;
    isLost ||= nowMs >= lostAt;
    if (own !== RateLimit.fresh && RateLimit.isStanding(state, own, asked)) {
      gone.push(nowMs);
      continue;
    }
    const place = RateLimit.take(RateLimit.merge(state, own), asked, RateLimit.longestWaitMs);
    state = place.state;
    if (place.isGranted && place.waitMs === 0) gone.push(nowMs);
    if (place.isGranted && place.waitMs > 0) {
      line.push({ wakesAt: nowMs + place.waitMs, own: place.state });
      line.sort((a, b) => a.wakesAt - b.wakesAt);
    }
  }
  return gone;
}
