/**
 * Keeps to a service's rate limits together with all other ferry processes on this machine, or on all machines of a
 * store. A request only ever waits before it is sent; one that would have to wait too long is not sent. With several API
 * keys, each has limits of its own.
 */
import { once } from '../../core/base/Once.js';
import { apiKeysOf, type Network } from '../../core/network/Network.js';
import * as RateLimit from '../../core/network/RateLimit.js';
import type { Host } from '../terminal/host.js';
import type { Answer, Fetch } from './httpClient.js';
import { NetworkError } from './networkError.js';
import { createRateFile, type RateState } from './rateLimitState.js';
import { retryAfterMs } from './retry.js';

export type BudgetSettings = {
  fetch: Fetch;
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'sleep' | 'signal'>;
  network: Pick<Network, 'name' | 'baseUrl' | 'apiKey' | 'apiKeys' | 'rateLimit'>;
  /** A random number in [0, 1). */
  random: () => number;
  /** Receives a message about a noticeable wait. */
  say: (text: string) => void;
  /** Gives the state that is shared; by default a file of this machine. */
  rates?: ((of: RatePlace) => Promise<RateState>) | undefined;
};

export type RatePlace = { origin: string; apiKey: string | undefined };

/** Time reserved for the request itself after its wait. */
const reservedMs = 10_000;

/** Waits longer than this are reported, at most once per interval. */
const tellAfterMs = 1_000;
const tellEveryMs = 30_000;

/** How long a key is not used that the service refused while it accepted another. */
const asideMs = 600_000;

/**
 * Wraps `fetch` to keep to the network's rate limits, and to send each request with the API key that has room for it
 * first. Returns it unchanged if there are no limits, and one key at most.
 */
export function withinBudget({ fetch, host, network, random, say, rates }: BudgetSettings): Fetch {
  const { baseUrl, rateLimit: limits, name } = network;
  if (baseUrl === undefined || (limits === undefined && network.apiKeys === undefined)) return fetch;
  const { origin, pathname } = new URL(baseUrl);
  const beneath = pathname.replace(/\/+$/, '').length;
  const keys = apiKeysOf(network);
  const budgets = (keys.length === 0 ? [undefined] : keys).map((apiKey) => {
    const open = async (): Promise<RateState> =>
      rates ? rates({ origin, apiKey }) : createRateFile({ host, random, limits: limits ?? {}, origin, apiKey });
    return createKeyBudget({ host, random }, apiKey, limits ?? {}, open);
  });
  const asideUntil = new Map<KeyBudget, number>();
  let turns = 0;
  let toldMs = Number.NEGATIVE_INFINITY;

  function tell(waitMs: number): void {
    if (waitMs < tellAfterMs || performance.now() - toldMs < tellEveryMs) return;
    toldMs = performance.now();
    say(`Waiting ${Math.ceil(waitMs / 1000)} s for the rate limit of ${origin}`);
  }

  /** The keys for a request, the next in turn first: those that are not set aside, else all. */
  function usable(url: string, refused: ReadonlySet<KeyBudget>): readonly KeyBudget[] {
    // A request that names a key of its own goes out with that one.
    const named = new URL(url).searchParams.get('apiKey');
    const first = turns++ % budgets.length;
    const inTurn = [...budgets.slice(first), ...budgets.slice(0, first)].filter((each) => !refused.has(each));
    const own = inTurn.filter(({ apiKey }) => named !== null && apiKey === named);
    if (own.length > 0) return own;
    const good = inTurn.filter((each) => (asideUntil.get(each) ?? 0) <= host.now());
    return good.length > 0 ? good : inTurn;
  }

  /** Waits until the request may be sent. Resolves to the key, and the milliseconds waited. */
  async function turn(keys: readonly KeyBudget[], path: string, withinMs: number): Promise<[KeyBudget, number]> {
    for (let waitedMs = 0; ; ) {
      const [key, place] = await takeFirst(keys, path, withinMs - waitedMs - reservedMs);
      const { waitMs, isGranted } = place;
      if (!isGranted) throw noRoom(waitMs, RateLimit.format(limits ?? {}, path), name);
      if (waitMs === 0) return [key, waitedMs];
      tell(waitMs);
      await host.sleep(waitMs, host.signal);
      waitedMs += waitMs;
      if (await key.isStanding(path, place)) return [key, waitedMs];
    }
  }

  function setAside(refused: ReadonlySet<KeyBudget>): void {
    for (const key of refused) {
      asideUntil.set(key, host.now() + asideMs);
      const place = `${budgets.indexOf(key) + 1} of ${budgets.length}`;
      say(`The ${name} service refused API key ${place}: the others are used. ferry doctor checks each.`);
    }
  }

  return async (url, init = {}) => {
    host.signal.throwIfAborted();
    const path = new URL(url).pathname.slice(beneath);
    const refused = new Set<KeyBudget>();
    let withinMs = init.withinMs ?? RateLimit.longestWaitMs;
    for (;;) {
      const keys = usable(url, refused);
      const [key, waitedMs] = await turn(keys, path, withinMs).catch((error: unknown) => {
        if (!host.signal.aborted) throw error;
        const explanation = 'ferry was stopped while waiting for the rate limit';
        throw new NetworkError('rate-limit', { explanation, hint: 'Nothing was sent.', arrived: 'no' });
      });
      withinMs -= waitedMs;
      const left = init.withinMs === undefined ? {} : { withinMs };
      const own = key.apiKey === undefined ? {} : { 'x-api-key': key.apiKey };
      const answer = await fetch(url, { ...init, ...left, headers: { ...init.headers, ...own } });
      // The response counts even if the refusal cannot be recorded.
      if (answer.status === 429) await key.hold(path, answer).catch(() => {});
      const isRefused = answer.status === 401 || answer.status === 403;
      if (isRefused) refused.add(key);
      else setAside(refused);
      // What was refused for its key had no effect, so another may send it.
      if (!isRefused || keys.length < 2) return answer;
    }
  };
}

type KeyBudget = ReturnType<typeof createKeyBudget>;

/** Takes the place of the first key that has room at once, else the earliest place in line among the keys. */
async function takeFirst(keys: readonly KeyBudget[], path: string, withinMs: number): Promise<[KeyBudget, QueuePlace]> {
  const waiting: { key: KeyBudget; waitMs: number }[] = [];
  for (const key of keys) {
    if (keys.length === 1) return [key, await key.take(path, withinMs)];
    const place = await key.take(path, Math.min(withinMs, 0));
    if (place.isGranted) return [key, place];
    waiting.push({ key, waitMs: place.waitMs });
  }
  const [first] = waiting.toSorted((a, b) => a.waitMs - b.waitMs);
  if (!first) throw new RangeError('No key to choose from.');
  return [first.key, await first.key.take(path, withinMs)];
}

/** A place in line, `waitMs` from now. */
type QueuePlace = { waitMs: number; isGranted: boolean; state: RateLimit.State };

/** What one API key may still send within its limits, if there are any, shared by all who use the key. */
function createKeyBudget(
  { host, random }: Pick<BudgetSettings, 'host' | 'random'>,
  apiKey: string | undefined,
  limits: RateLimit.Limits,
  open: () => Promise<RateState>,
) {
  const shared = once(open);
  const isLimited = Object.keys(limits).length > 0;
  const asked = (path: string, state: RateState): RateLimit.TimedRequest => ({ limits, path, nowMs: state.now() });
  return {
    apiKey,
    /** Takes a place in line for a request. It is not granted, and not counted, if it would wait longer than `withinMs`. */
    async take(path: string, withinMs: number): Promise<QueuePlace> {
      if (!isLimited) return { waitMs: 0, isGranted: true, state: RateLimit.fresh };
      const state = await shared();
      return state.change((before) => RateLimit.take(before, asked(path, state), withinMs));
    },
    /** Whether a granted place is still valid after its wait. */
    async isStanding(path: string, place: QueuePlace): Promise<boolean> {
      const state = await shared();
      return RateLimit.isStanding(await state.written(), place.state, asked(path, state));
    },
    /** Records that the service refused a request as one too many. */
    async hold(path: string, answer: Answer): Promise<void> {
      if (!isLimited) return;
      const state = await shared();
      const refusal = { waitMs: retryAfterMs(answer.headers.get('retry-after'), host.now()), random: random() };
      await state.change((before) => ({ state: RateLimit.hold(before, asked(path, state), refusal) }));
    },
  };
}

function noRoom(waitMs: number, limit: string, network: string): NetworkError {
  const seconds = Math.ceil(waitMs / 1000);
  return new NetworkError('rate-limit', {
    explanation: `its rate limit of ${limit} leaves no room for another ${seconds} s`,
    hint: `Nothing was sent. Wait ${seconds} s, then run the same command again. If your key has a higher limit, set networks.${network}.rateLimit; if you have further keys, networks.${network}.apiKeys.`,
    arrived: 'no',
  });
}
