/**
 * Client-side rate limiting: one token bucket per limit, as immutable values. Sharing the state shares the budget;
 * `io/http/rateLimitState` keeps it in a file that all processes of this machine share.
 */
import { BaseError } from '../base/Errors.js';
import * as JsonText from '../text/JsonText.js';

/** A limit. The service limits quotes, lists of requests and all other paths separately; `all` counts every request. */
type Name = 'quote' | 'requests' | 'other' | 'all';

/** Requests per minute. An absent limit is unlimited. */
export type Limits = { readonly [N in Name]?: number };

type Bucket = {
  /** When the bucket is full again. Each request postpones it. Times in this file are Unix milliseconds. */
  fullAtMs: number;
  /** The service refused a request: send nothing before this time. */
  heldUntilMs: number;
  /** How many times in a row it has refused without a Retry-After. */
  refusals: number;
};

/** The state of all buckets. */
export type State = {
  /** When this state began. If the state is lost, a new one begins, and places granted by the old one are void. */
  sinceMs: number;
  /** When it was last written. No later time in the state is earlier, whatever the clock of a machine says. */
  writtenMs: number;
  buckets: { readonly [N in Name]?: Bucket };
};

/** A request at a point in time. */
export type TimedRequest = {
  limits: Limits;
  /** The path below the base URL. */
  path: string;
  nowMs: number;
};

/** The limits that the service publishes for each API key. */
export const published: Limits = { quote: 50, requests: 200, other: 200 };

/** A minute plus a margin, since a request may spend less time in transit than the one before it. */
const minuteMs = 62_000;

/** The longest Retry-After that is honored, since a proxy in between may send any value. */
const longestHoldMs = 600_000;

/** The longest wait in line. A later time in the file is not from ferry, or is from a different clock. */
export const longestWaitMs = 60_000;

/** The initial state: every bucket is full. */
export const fresh: State = { sinceMs: 0, writtenMs: 0, buckets: {} };

/** A state with one request left in every bucket, for when earlier usage is unknown. */
export function scarce(limits: Limits, nowMs: number): State {
  const bucket = (name: Name): Bucket => ({ ...idle, fullAtMs: nowMs + paceOf(limits, name).roomMs });
  return {
    sinceMs: 0,
    writtenMs: nowMs,
    buckets: Object.fromEntries(namesOf(limits).map((name) => [name, bucket(name)])),
  };
}

/**
 * Grants a request a place in line, `waitMs` from now. If that exceeds `withinMs`, it is not granted and the state does
 * not count it.
 */
export function take(
  before: State,
  { limits, path, nowMs: ownMs }: TimedRequest,
  withinMs: number,
): { waitMs: number; isGranted: boolean; state: State } {
  const nowMs = timeOf(before, ownMs);
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
 * Whether a granted place is still valid after waiting: the service has not refused a request in the meantime, and the
 * state still counts the place.
 */
export function isStanding(state: State, place: State, { limits, path, nowMs: ownMs }: TimedRequest): boolean {
  const nowMs = timeOf(state, ownMs);
  const { sinceMs, buckets } = asOf(state, limits, nowMs);
  return (
    sinceMs === place.sinceMs && bucketsOf(limits, path).every((name) => (buckets[name] ?? idle).heldUntilMs <= nowMs)
  );
}

/**
 * Holds back requests after the service refused one: for its Retry-After, else with exponential backoff. Later requests
 * are spread out as if the bucket were empty.
 *
 * @param wait.waitMs the service's Retry-After; undefined if it sent none
 * @param wait.random jitter from 0 up to 1
 */
export function hold(
  before: State,
  { limits, path, nowMs: ownMs }: TimedRequest,
  { waitMs, random }: { waitMs: number | undefined; random: number },
): State {
  const nowMs = timeOf(before, ownMs);
  const state = asOf(before, limits, nowMs);
  const { buckets } = state;
  const held = bucketsOf(limits, path).map((name) => {
    const bucket = buckets[name] ?? idle;
    // Refused together with other requests, which have already been counted.
    if (waitMs === undefined && nowMs < bucket.heldUntilMs) return [name, bucket] as const;
    const refusals = waitMs !== undefined ? 0 : nowMs - bucket.heldUntilMs < minuteMs ? bucket.refusals + 1 : 1;
    const backoffMs = Math.min(1_000 * 2 ** (refusals - 1), longestWaitMs) * (0.5 + random / 2);
    const heldUntilMs = Math.max(bucket.heldUntilMs, nowMs + Math.min(waitMs ?? backoffMs, longestHoldMs));
    const fullAtMs = Math.max(bucket.fullAtMs, heldUntilMs + paceOf(limits, name).roomMs);
    return [name, { fullAtMs, heldUntilMs, refusals }] as const;
  });
  return { ...state, buckets: { ...buckets, ...Object.fromEntries(held) } };
}

/** Merges two states into the stricter of both. */
export function merge(a: State, b: State): State {
  const names = [...new Set([...Object.keys(a.buckets), ...Object.keys(b.buckets)])] as Name[];
  const merged = names.map((name) => {
    const [x, y] = [a.buckets[name] ?? idle, b.buckets[name] ?? idle];
    const later = (key: keyof Bucket): number => Math.max(x[key], y[key]);
    return [name, { fullAtMs: later('fullAtMs'), heldUntilMs: later('heldUntilMs'), refusals: later('refusals') }];
  });
  return { ...a, writtenMs: Math.max(a.writtenMs, b.writtenMs), buckets: Object.fromEntries(merged) };
}

/** Whether the local budget kept a request from being sent. A refusal by the service has an HTTP status. */
export function isUnsent(error: unknown): boolean {
  return error instanceof BaseError && error.code === 'service.rate-limited' && error.httpStatus === undefined;
}

/** Parses a written state; undefined if it is not valid. */
export function read(text: string): State | undefined {
  const { sinceMs, writtenMs, buckets } = (JsonText.read(text) ?? {}) as Partial<State>;
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

/** Formats the limits that apply to a path: `50 quotes a minute`. */
export function format(limits: Limits, path: string): string {
  const words = { quote: 'quotes', requests: 'lists of requests', other: 'requests', all: 'requests in total' };
  return bucketsOf(limits, path)
    .map((name) => `${limits[name]} ${words[name]} a minute`)
    .join(', ');
}

const names: readonly Name[] = ['quote', 'requests', 'other', 'all'];

const idle: Bucket = { fullAtMs: 0, heldUntilMs: 0, refusals: 0 };

function namesOf(limits: Limits): Name[] {
  return names.filter((name) => limits[name] !== undefined);
}

/** The buckets that a request counts against. */
function bucketsOf(limits: Limits, path: string): Name[] {
  const own = /^\/quote(\/|$)/.test(path) ? 'quote' : /^\/requests(\/|$)/.test(path) ? 'requests' : 'other';
  return namesOf(limits).filter((name) => name === own || name === 'all');
}

/**
 * A fifth of a minute's requests may be sent at once, and the rest is spread over the minute, so no window of one
 * minute exceeds the limit.
 */
function paceOf(limits: Limits, name: Name): { intervalMs: number; roomMs: number } {
  const perMinute = limits[name] ?? 1;
  const capacity = Math.max(1, Math.floor(perMinute / 5));
  const intervalMs = Math.ceil(minuteMs / (perMinute - capacity + 1));
  return { intervalMs, roomMs: intervalMs * (capacity - 1) };
}

/**
 * The time by the clock of the state: that of the machine which is ahead of the others, or of this one before its clock
 * was set back. A machine that is behind must not count its requests as earlier than they are.
 */
function timeOf({ writtenMs }: State, nowMs: number): number {
  return Math.max(writtenMs, nowMs);
}

/** The state without implausible times, so that a bad file cannot block requests for long. */
function asOf(state: State, limits: Limits, nowMs: number): State {
  const credible = namesOf(limits).map((name) => {
    const { fullAtMs, heldUntilMs, refusals } = state.buckets[name] ?? idle;
    const isHold = heldUntilMs <= nowMs + longestHoldMs;
    const { intervalMs, roomMs } = paceOf(limits, name);
    const scarceMs = nowMs + roomMs;
    const latestMs = isHold ? Math.max(scarceMs + intervalMs + longestWaitMs, heldUntilMs + roomMs) : scarceMs;
    return [
      name,
      { fullAtMs: fullAtMs > latestMs ? scarceMs : fullAtMs, heldUntilMs: isHold ? heldUntilMs : 0, refusals },
    ];
  });
  return {
    sinceMs: state.sinceMs === 0 ? nowMs : state.sinceMs,
    writtenMs: nowMs,
    buckets: { ...state.buckets, ...Object.fromEntries(credible) },
  };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
