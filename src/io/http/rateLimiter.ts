/**
 * Keeps to a service's rate limits together with all other ferry processes on this machine. A request only ever waits
 * before it is sent; one that would have to wait too long is not sent.
 */
import type { Network } from '../../core/network/Network.js';
import * as RateLimit from '../../core/network/RateLimit.js';
import type { Host } from '../terminal/host.js';
import type { Answer, Fetch } from './httpClient.js';
import { NetworkError } from './networkError.js';
import { createRateFile } from './rateLimitState.js';
import { retryAfterMs } from './retry.js';

export type Options = {
  fetch: Fetch;
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'sleep' | 'signal'>;
  network: Pick<Network, 'name' | 'baseUrl' | 'apiKey' | 'rateLimit'>;
  /** A random number in [0, 1). */
  random: () => number;
  /** Receives a message about a noticeable wait. */
  say: (text: string) => void;
};

/** Time reserved for the request itself after its wait. */
const reservedMs = 10_000;

/** Waits longer than this are reported, at most once per interval. */
const tellAfterMs = 1_000;
const tellEveryMs = 30_000;

/** Wraps `fetch` to keep to the network's rate limits; returns it unchanged if there are none. */
export function withinBudget({ fetch, host, network, random, say }: Options): Fetch {
  const { baseUrl, rateLimit: limits, name } = network;
  if (limits === undefined || baseUrl === undefined) return fetch;
  const { origin, pathname } = new URL(baseUrl);
  const beneath = pathname.replace(/\/+$/, '').length;
  const file = createRateFile({ host, random, limits, origin, apiKey: network.apiKey });
  let toldMs = Number.NEGATIVE_INFINITY;

  function tell(waitMs: number): void {
    if (waitMs < tellAfterMs || performance.now() - toldMs < tellEveryMs) return;
    toldMs = performance.now();
    say(`Waiting ${Math.ceil(waitMs / 1000)} s for the rate limit of ${origin}`);
  }

  /** Waits until the request may be sent. Resolves to the milliseconds waited. */
  async function turn(path: string, withinMs: number): Promise<number> {
    const asked = (): RateLimit.Asked => ({ limits: limits ?? {}, path, nowMs: file.now() });
    for (let waitedMs = 0; ; ) {
      const { waitMs, isGranted, state } = await file.change((before) =>
        RateLimit.take(before, asked(), withinMs - waitedMs - reservedMs),
      );
      if (!isGranted) throw noRoom(waitMs, RateLimit.format(limits ?? {}, path), name);
      if (waitMs === 0) return waitedMs;
      tell(waitMs);
      await host.sleep(waitMs, host.signal);
      waitedMs += waitMs;
      if (RateLimit.isStanding(file.written(), state, asked())) return waitedMs;
    }
  }

  async function note(path: string, answer: Answer): Promise<void> {
    const refusal = { waitMs: retryAfterMs(answer.headers.get('retry-after'), host.now()), random: random() };
    await file.change((state) => {
      const asked = { limits: limits ?? {}, path, nowMs: file.now() };
      return { state: RateLimit.hold(state, asked, refusal) };
    });
  }

  return async (url, init = {}) => {
    host.signal.throwIfAborted();
    const path = new URL(url).pathname.slice(beneath);
    const waitedMs = await turn(path, init.withinMs ?? RateLimit.longestWaitMs).catch((error: unknown) => {
      throw host.signal.aborted ? stopped() : error;
    });
    const left = init.withinMs === undefined ? {} : { withinMs: init.withinMs - waitedMs };
    const answer = await fetch(url, { ...init, ...left });
    // The response counts even if the refusal cannot be recorded.
    if (answer.status === 429) await note(path, answer).catch(() => {});
    return answer;
  };
}

function noRoom(waitMs: number, limit: string, network: string): NetworkError {
  const seconds = Math.ceil(waitMs / 1000);
  return new NetworkError('rate-limit', {
    explanation: `its rate limit of ${limit} leaves no room for another ${seconds} s`,
    hint: `Nothing was sent. Wait ${seconds} s, then run the same command again. If your key has a higher limit, set networks.${network}.rateLimit.`,
    arrived: 'no',
  });
}

function stopped(): NetworkError {
  return new NetworkError('rate-limit', {
    explanation: 'ferry was stopped while waiting for the rate limit',
    hint: 'Nothing was sent.',
    arrived: 'no',
  });
}
