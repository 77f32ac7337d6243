/**
 * How many requests a service may be asked: a token bucket for each limit, as values. Who shares the state, shares the
 * budget; `io/rateBudget` keeps it where every process of this machine finds it.
 */
import { BaseError } from '../base/Errors.js';

/** Of a path; `all` counts every request. The service limits quotes, lists of requests and the rest each by itself. */
type Name = 'quote' | 'requests' | 'other' | 'all';

/** Requests a minute; what is left out has no limit. */
export type Limits = { readonly [N in Name]?: number };

type Bucket = {
  /** When it is full again, in Unix milliseconds as every time here. Each request moves it on. */
  fullAtMs: number;
  /** The service has refused one: nothing goes before. */
  heldUntilMs: number;
  /** How often it has refused in a row without saying until when. */
  refusals: number;
};

export type State = {
  /** When it was begun. A state that was lost begins anew, and counts nobody who had a place before. */
  sinceMs: number;
  /** Later than now means that the clock was put back. */
  writtenMs: number;
  buckets: { readonly [N in Name]?: Bucket };
};

/** A request at a moment. */
export type Asked = {
  limits: Limits;
  /** Beneath the base URL. */
  path: string;
  nowMs: number;
};

/** What the service publishes for every key. */
export const published: Limits = { quote: 50, requests: 200, other: 200 };

/** A minute and a little, as a request may take longer on its way than the one before it. */
const minuteMs = 62_000;

/** What a service asks to be left alone for is believed up to here, since what stands in between may say anything. */
const longestHoldMs = 600_000;

/** Nobody waits longer in line. What a file says beyond it was not written by ferry, or by another clock. */
export const longestWaitMs = 60_000;

/** Clocks are also put right by a little. */
const toleranceMs = 1_000;

/** Every bucket full. */
export const fresh: State = { sinceMs: 0, writtenMs: 0, buckets: {} };

/** One request left in every bucket: where nothing is known, the rest may have been used up. */
export function scarce(limits: Limits, nowMs: number): State {
  const bucket = (name: Name): Bucket => ({ ...idle, fullAtMs: nowMs + paceOf(limits, name).roomMs });
  return {
    sinceMs: 0,
    writtenMs: nowMs,
    buckets: Object.fromEntries(namesOf(limits).map((name) => [name, bucket(name)])),
  };
}

/**
 * Gives a request its place in the line, `waitMs` from now. Where that is longer than it may wait it gets none, and the
 * state does not count it.
 */
export function take(
  before: State,
  { limits, path, nowMs }: Asked,
  withinMs: number,
): { waitMs: number; isGranted: boolean; state: State } {
  const state = asOf(before, limits, nowMs);
  const { buckets } = state;
  const names = bucketsOf(limits, path);
  const waits = names.map((name) => {
    const { fullAtMs, heldUntilMs } = buckets[name] ?? idle;
    return Math.max(fullAtMs - paceOf(limits, name).roomMs, heldUntilMs) - nowMs;
  });
  const waitMs = Math.ceil(Math.max(0, ...waits));
  if (waitMs > withinMs) return { waitMs, isGranted: false, state };
  const counted = names.map((name) => {
    const bucket = buckets[name] ?? idle;
    const fullAtMs = Math.max(bucket.fullAtMs, nowMs + waitMs) + paceOf(limits, name).intervalMs;
    return [name, { ...bucket, fullAtMs }] as const;
  });
  return { waitMs, isGranted: true, state: { ...state, buckets: { ...buckets, ...Object.fromEntries(counted) } } };
}

/**
 * Whether a place that was waited for still stands: the service has not asked to be left alone meanwhile, and the state
 * still counts it.
 */
export function isStanding(state: State, place: State, { limits, path, nowMs }: Asked): boolean {
  const { sinceMs, buckets } = asOf(state, limits, nowMs);
  return (
    sinceMs === place.sinceMs && bucketsOf(limits, path).every((name) => (buckets[name] ?? idle).heldUntilMs <= nowMs)
  );
}

/**
 * Holds back what the service has just refused: for as long as it asks, else for longer each time. What comes after is
 * as spread as if the bucket had been used up.
 *
 * @param random from 0 up to 1
 */
export function hold(
  before: State,
  { limits, path, nowMs }: Asked,
  { waitMs, random }: { waitMs: number | undefined; random: number },
): State {
  const state = asOf(before, limits, nowMs);
  const { buckets } = state;
  const held = bucketsOf(limits, path).map((name) => {
    const bucket = buckets[name] ?? idle;
    // Refused together with others, and they have said so.
    if (waitMs === undefined && nowMs < bucket.heldUntilMs) return [name, bucket] as const;
    const refusals = waitMs !== undefined ? 0 : nowMs - bucket.heldUntilMs < minuteMs ? bucket.refusals + 1 : 1;
    const backoffMs = Math.min(1_000 * 2 ** (refusals - 1), longestWaitMs) * (0.5 + random / 2);
    const heldUntilMs = Math.max(bucket.heldUntilMs, nowMs + Math.min(waitMs ?? backoffMs, longestHoldMs));
    const fullAtMs = Math.max(bucket.fullAtMs, heldUntilMs + paceOf(limits, name).roomMs);
    return [name, { fullAtMs, heldUntilMs, refusals }] as const;
  });
  return { ...state, buckets: { ...buckets, ...Object.fromEntries(held) } };
}

/** Whether it was written by a clock that has been put back since. */
export function isAhead({ writtenMs }: State, nowMs: number): boolean {
  return writtenMs > nowMs + toleranceMs;
}

/** A state with what is known besides, the stricter of both. */
export function merge(a: State, b: State): State {
  const names = [...new Set([...Object.keys(a.buckets), ...Object.keys(b.buckets)])] as Name[];
  const merged = names.map((name) => {
    const [x, y] = [a.buckets[name] ?? idle, b.buckets[name] ?? idle];
    const later = (key: keyof Bucket): number => Math.max(x[key], y[key]);
    return [name, { fullAtMs: later('fullAtMs'), heldUntilMs: later('heldUntilMs'), refusals: later('refusals') }];
  });
  return { ...a, writtenMs: Math.max(a.writtenMs, b.writtenMs), buckets: Object.fromEntries(merged) };
}

/** Whether the budget kept a request from being sent. What the service refuses has a status. */
export function isUnsent(error: unknown): boolean {
  return error instanceof BaseError && error.code === 'service.rate-limited' && error.httpStatus === undefined;
}

/** A state as it was written; undefined for anything else. */
export function read(text: string): State | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { sinceMs, writtenMs, buckets } = (value ?? {}) as Partial<State>;
  if (!isTime(sinceMs) || !isTime(writtenMs) || typeof buckets !== 'object' || buckets === null) return undefined;
  const found: [Name, Bucket][] = [];
  for (const name of names) {
    const bucket = Object.hasOwn(buckets, name) ? buckets[name] : undefined;
    if (bucket === undefined) continue;
    const { fullAtMs, heldUntilMs, refusals } = bucket ?? {};
    if (!isTime(fullAtMs) || !isTime(heldUntilMs) || !isTime(refusals)) return undefined;
    found.push([name, { fullAtMs, heldUntilMs, refusals }]);
  }
  return { sinceMs, writtenMs, buckets: Object.fromEntries(found) };
}

/** `50 quotes a minute`, for the limits that a path is under. */
export function format(limits: Limits, path: string): string {
  const words = { quote: 'quotes', requests: 'lists of requests', other: 'requests', all: 'requests in all' };
  return bucketsOf(limits, path)
    .map((name) => `${limits[name]} ${words[name]} a minute`)
    .join(', ');
}

const names: readonly Name[] = ['quote', 'requests', 'other', 'all'];

const idle: Bucket = { fullAtMs: 0, heldUntilMs: 0, refusals: 0 };

function namesOf(limits: Limits): Name[] {
  return names.filter((name) => limits[name] !== undefined);
}

/** The buckets that a request is taken from. */
function bucketsOf(limits: Limits, path: string): Name[] {
  const own = /^\/quote(\/|$)/.test(path) ? 'quote' : /^\/requests(\/|$)/.test(path) ? 'requests' : 'other';
  return namesOf(limits).filter((name) => name === own || name === 'all');
}

/**
 * A fifth of a minute's requests may go at once, and the rest of them is spread over it: no minute, wherever it begins,
 * sees more than the limit.
 */
function paceOf(limits: Limits, name: Name): { intervalMs: number; roomMs: number } {
  const perMinute = limits[name] ?? 1;
  const capacity = Math.max(1, Math.floor(perMinute / 5));
  const intervalMs = Math.ceil(minuteMs / (perMinute - capacity + 1));
  return { intervalMs, roomMs: intervalMs * (capacity - 1) };
}

/** The state as far as it can be true now: a clock that was put back, or foreign numbers, keep nobody for long. */
function asOf(state: State, limits: Limits, nowMs: number): State {
  const credible = namesOf(limits).map((name) => {
    const { fullAtMs, heldUntilMs, refusals } = state.buckets[name] ?? idle;
    const isHold = !isAhead(state, nowMs) && heldUntilMs <= nowMs + longestHoldMs;
    const { intervalMs, roomMs } = paceOf(limits, name);
    const scarceMs = nowMs + roomMs;
    const latestMs = isHold ? Math.max(scarceMs + intervalMs + longestWaitMs, heldUntilMs + roomMs) : scarceMs;
    return [
      name,
      { fullAtMs: fullAtMs > latestMs ? scarceMs : fullAtMs, heldUntilMs: isHold ? heldUntilMs : 0, refusals },
    ];
  });
  return {
    sinceMs: isAhead(state, nowMs) || state.sinceMs === 0 ? nowMs : state.sinceMs,
    writtenMs: nowMs,
    buckets: { ...state.buckets, ...Object.fromEntries(credible) },
  };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
