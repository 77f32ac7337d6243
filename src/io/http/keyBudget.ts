/** What one API key may still send within its limits, shared by all who use the key. */

import { once } from '../../core/base/Once.js';
import * as RateLimit from '../../core/network/RateLimit.js';
import type { Answer } from './httpClient.js';
import type { RateState } from './rateLimitState.js';
import { retryAfterMs } from './retry.js';

export type KeyBudget = {
  /** The key; undefined if requests carry none. */
  apiKey: string | undefined;
  /** The earliest time at which the key may have room for such a request, by `now`. */
  freeAtMs(path: string): number;
  /** Takes a place in line for a request. It is not granted, and not counted, if it would wait longer than `withinMs`. */
  take(path: string, withinMs: number): Promise<Place>;
  /** Whether a granted place is still valid after its wait. */
  isStanding(path: string, place: Place): Promise<boolean>;
  /** Records that the service refused a request as one too many. */
  hold(path: string, answer: Answer): Promise<void>;
};

/** A place in line, `waitMs` from now. */
export type Place = { waitMs: number; isGranted: boolean; state: RateLimit.State };

export type Parts = {
  apiKey: string | undefined;
  /** None if the service has no limits. */
  limits: RateLimit.Limits | undefined;
  /** Opens the state that is shared. */
  open(): Promise<RateState>;
  /** Unix time in milliseconds. */
  now(): number;
  /** A random number in [0, 1). */
  random: () => number;
};

export function createKeyBudget({ apiKey, limits = {}, open, now, random }: Parts): KeyBudget {
  const shared = once(open);
  const freeAt = new Map<string, number>();
  if (Object.keys(limits).length === 0) return unlimited(apiKey);
  const asked = (path: string, state: RateState): RateLimit.Asked => ({ limits, path, nowMs: state.now() });
  return {
    apiKey,
    freeAtMs: (path) => freeAt.get(RateLimit.format(limits, path)) ?? 0,
    async take(path, withinMs) {
      const state = await shared();
      const place = await state.change((before) => RateLimit.take(before, asked(path, state), withinMs));
      freeAt.set(RateLimit.format(limits, path), place.waitMs === 0 ? 0 : now() + place.waitMs);
      return place;
    },
    async isStanding(path, place) {
      const state = await shared();
      return RateLimit.isStanding(await state.written(), place.state, asked(path, state));
    },
    async hold(path, answer) {
      const state = await shared();
      const refusal = { waitMs: retryAfterMs(answer.headers.get('retry-after'), now()), random: random() };
      await state.change((before) => ({ state: RateLimit.hold(before, asked(path, state), refusal) }));
    },
  };
}

/** Of a service without limits. */
function unlimited(apiKey: string | undefined): KeyBudget {
  return {
    apiKey,
    freeAtMs: () => 0,
    take: async () => ({ waitMs: 0, isGranted: true, state: RateLimit.fresh }),
    isStanding: async () => true,
    hold: async () => {},
  };
}
