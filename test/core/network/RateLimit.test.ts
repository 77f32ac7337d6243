import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as RateLimit from '../../../src/core/network/RateLimit.js';

/** The maximum number of requests within any minute. */
function busiest(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.max(...sorted.map((from, i) => sorted.slice(i).filter((time) => time < from + 60_000).length));
}

type Crowd = {
  startMs: number;
  /** The pauses between one process that wants a quote and the next. */
  pauses: readonly number[];
  /** When the shared state is lost. */
  lostAt: number;
  limits: RateLimit.Limits;
};

/** The times at which their quotes are sent. Each process knows its own requests and shares the rest. */
function departures({ startMs, pauses, lostAt, limits }: Crowd): number[] {
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

const start = 1_800_000_000_000;
const quote = (nowMs: number, limits: RateLimit.Limits = RateLimit.published): RateLimit.TimedRequest => ({
  limits,
  path: '/quote/v2',
  nowMs,
});
const asked = { waitMs: 30_000, random: 0 };
const unasked = { waitMs: undefined, random: 1 };

/** The waits of `count` simultaneous requests. */
function waits(count: number, at: RateLimit.TimedRequest, state = RateLimit.fresh, withinMs = 60_000) {
  const waited: number[] = [];
  for (let made = 0; made < count; made++) {
    const place = RateLimit.take(state, at, withinMs);
    state = place.state;
    waited.push(place.waitMs);
  }
  return { waited, state };
}

describe('take', () => {
  test('default: a fifth of the quotes at once, the rest spread over the minute', () => {
    const { waited } = waits(13, quote(start));
    expect(waited).toEqual([...Array(10).fill(0), 1_513, 3_026, 4_539]);
  });

  test('behavior: quotes, lists of requests and the rest do not wait for one another', () => {
    const { state } = waits(10, quote(start));
    for (const path of ['/requests/v3', '/intents/status/v3', '/execute', '/quotes', '/'])
      expect(RateLimit.take(state, { ...quote(start), path }, 60_000).waitMs).toBe(0);
    expect(RateLimit.take(state, { ...quote(start), path: '/quote' }, 60_000).waitMs).toBeGreaterThan(0);
  });

  test('behavior: a request that may not wait that long gets no place and takes none from others', () => {
    const { state } = waits(10, quote(start));
    const refused = RateLimit.take(state, quote(start), 1_000);
    expect(refused).toMatchObject({ isGranted: false, waitMs: 1_513 });
    expect(RateLimit.take(refused.state, quote(start), 2_000)).toMatchObject({ isGranted: true, waitMs: 1_513 });
  });

  test('behavior: no minute exceeds the limit, whenever requests arrive and however long they wait', () => {
    const request = fc.record({ afterMs: fc.nat(4_000), path: fc.constantFrom('/quote/v2', '/chains', '/requests') });
    void fc.assert(
      fc.property(
        fc.array(request, { minLength: 1, maxLength: 120 }),
        fc.record({ quote: fc.integer({ min: 1, max: 60 }), all: fc.integer({ min: 1, max: 60 }) }),
        (requests, limits) => {
          const gone: { path: string; at: number }[] = [];
          let state = RateLimit.fresh;
          let nowMs = start;
          for (const { afterMs, path } of requests) {
            nowMs += afterMs;
            const place = RateLimit.take(state, { limits, path, nowMs }, 60_000);
            // As read back from the file.
            state = RateLimit.read(JSON.stringify(place.state)) ?? RateLimit.fresh;
            if (place.isGranted) gone.push({ path, at: nowMs + place.waitMs });
          }
          const quotes = gone.filter(({ path }) => path === '/quote/v2');
          expect(busiest(gone.map(({ at }) => at))).toBeLessThanOrEqual(limits.all);
          if (quotes.length > 0) expect(busiest(quotes.map(({ at }) => at))).toBeLessThanOrEqual(limits.quote);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('behavior: losing the state once costs at most one bucket, however many requests are waiting', () => {
    void fc.assert(
      fc.property(
        fc.array(fc.nat(1_000), { minLength: 60, maxLength: 120 }),
        fc.nat(30_000),
        fc.integer({ min: 5, max: 50 }),
        (pauses, lostAfterMs, limit) => {
          const limits = { quote: limit };
          const gone = departures({ startMs: start, pauses, lostAt: start + lostAfterMs, limits });
          expect(busiest(gone)).toBeLessThanOrEqual(limit + Math.floor(limit / 5));
        },
      ),
    );
  });

  test.each([500, 1_500, 5_000, 3_600_000])(
    'behavior: a clock that is %d ms behind waits as long as the others',
    (ms) => {
      const { state } = waits(11, quote(start));
      expect(RateLimit.take(state, quote(start - ms), 60_000)).toEqual(RateLimit.take(state, quote(start), 60_000));
    },
  );

  test.each([
    ['full in a thousand years', { fullAtMs: start * 20, heldUntilMs: 0, refusals: 0 }],
    ['held for a thousand years', { fullAtMs: 0, heldUntilMs: start * 20, refusals: 1e15 }],
    ['both', { fullAtMs: Number.MAX_SAFE_INTEGER, heldUntilMs: Number.MAX_SAFE_INTEGER, refusals: 0 }],
  ])('behavior: numbers that ferry did not write block no request: %s', (_, bucket) => {
    const state = { ...RateLimit.fresh, writtenMs: start, buckets: { quote: bucket } };
    expect(RateLimit.take(state, quote(start), 0)).toMatchObject({ isGranted: true, waitMs: 0 });
  });
});

describe('hold', () => {
  test('default: nothing is sent before the service’s Retry-After, which is honored for ten minutes', () => {
    const state = RateLimit.hold(RateLimit.fresh, quote(start), asked);
    expect(waits(3, quote(start), state).waited).toEqual([30_000, 31_513, 33_026]);
    const absurd = RateLimit.hold(RateLimit.fresh, quote(start), { waitMs: 1e12, random: 0 });
    expect(RateLimit.take(absurd, quote(start), 0).waitMs).toBe(600_000);
    expect(RateLimit.take(absurd, quote(start + 600_000), 0)).toMatchObject({ isGranted: true });
  });

  test('behavior: without a Retry-After, doubles with each refusal, up to a minute', () => {
    let state = RateLimit.fresh;
    let nowMs = start;
    const held: number[] = [];
    for (let times = 0; times < 9; times++) {
      state = RateLimit.hold(state, quote(nowMs), unasked);
      const until = state.buckets.quote?.heldUntilMs ?? 0;
      held.push(until - nowMs);
      nowMs = until;
    }
    expect(held).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(RateLimit.hold(state, quote(nowMs + 62_000), unasked).buckets.quote?.refusals).toBe(1);
  });

  test('behavior: requests that are refused together count once', () => {
    const once = RateLimit.hold(RateLimit.fresh, quote(start), unasked);
    expect(RateLimit.hold(once, quote(start + 10), unasked).buckets).toEqual(once.buckets);
  });
});

test('isStanding: while nothing else has happened, and not once the service has refused another request', () => {
  const { state } = waits(11, quote(start));
  const later = waits(3, quote(start + 1_000), state).state;
  expect(RateLimit.isStanding(later, state, quote(start + 1_513))).toBe(true);
  const held = RateLimit.hold(state, quote(start + 1_000), asked);
  expect(RateLimit.isStanding(held, state, quote(start + 1_513))).toBe(false);
});

test('merge: the stricter of both', () => {
  const a = waits(12, quote(start)).state;
  const b = RateLimit.hold(RateLimit.fresh, quote(start), { waitMs: 1_000, random: 0 });
  for (const both of [RateLimit.merge(a, b), RateLimit.merge(b, a)]) {
    expect(both.buckets.quote?.fullAtMs).toBe(a.buckets.quote?.fullAtMs);
    expect(both.buckets.quote?.heldUntilMs).toBe(start + 1_000);
  }
  expect(RateLimit.merge(a, RateLimit.fresh)).toEqual(a);
  expect(RateLimit.merge(RateLimit.fresh, a)).toEqual({ ...a, sinceMs: 0 });
});

test('read: omits unknown members; undefined for what is not a state', () => {
  const odd = '{"sinceMs":1,"writtenMs":1,"buckets":{"__proto__":{"fullAtMs":1},"x":1},"y":2}';
  expect(RateLimit.read(odd)).toEqual({ sinceMs: 1, writtenMs: 1, buckets: {} });
  for (const text of ['', '{"sinceMs":1,"writtenMs":1,"buc', 'null']) expect(RateLimit.read(text)).toBeUndefined();
});

test('isUnsent', () => {
  expect(RateLimit.isUnsent(new BaseError('service.rate-limited', 'Not asked.'))).toBe(true);
  expect(RateLimit.isUnsent(new BaseError('service.rate-limited', 'Refused.', { httpStatus: 429 }))).toBe(false);
  expect(RateLimit.isUnsent(new BaseError('service.refused', 'Refused.'))).toBe(false);
  expect(RateLimit.isUnsent(undefined)).toBe(false);
});
