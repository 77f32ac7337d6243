/** A client of a real server that keeps to a rate budget, in a state directory that other clients may share. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type * as RateLimit from '../../src/core/network/RateLimit.js';
import { createHttp, type Fetch } from '../../src/io/http/httpClient.js';
import { withinBudget } from '../../src/io/http/rateLimiter.js';
import { folder } from '../../src/io/http/rateLimitState.js';
import { createService } from '../../src/io/http/serviceClient.js';
import { host as realHost } from '../../src/io/terminal/host.js';
import { temporaryFolder } from './ferry.js';

const limits = { all: 50 };

/** Interval between requests after the burst of ten. */
export const intervalMs = 1_513;

export type Setting = {
  stateDir?: string;
  rateLimit?: RateLimit.Limits | undefined;
  apiKey?: string;
  apiKeys?: readonly string[];
  signal?: AbortSignal;
  /** Whether waits take real time. */
  real?: boolean;
  /** What happens during each wait that passes at once. */
  meanwhile?: () => Promise<void>;
};

/** A client with a budget in its own state directory. Its waits are recorded and pass at once. */
export function client(url: string, setting: Setting = {}) {
  const { signal = new AbortController().signal, apiKey, apiKeys, real = false, meanwhile } = setting;
  const stateDir = setting.stateDir ?? join(temporaryFolder(), 'state');
  const pauses: number[] = [];
  const said: string[] = [];
  const clock = { offsetMs: 0 };
  const own = realHost(signal);
  const host = {
    ...own,
    env: { FERRY_STATE_DIR: stateDir },
    now: () => (real ? Date.now() : start) + clock.offsetMs,
    sleep: async (ms: number, abort?: AbortSignal) => {
      pauses.push(ms);
      if (real) return own.sleep(ms, abort);
      await meanwhile?.();
      // Whoever holds the lock that is waited for goes on meanwhile.
      await setImmediate();
      abort?.throwIfAborted();
      clock.offsetMs += ms;
    },
  };
  const http = createHttp({ signal, env: {}, userAgent: 'ferry/test', timeoutMs: 5_000 });
  onTestFinished(() => http.close());
  const rateLimit = 'rateLimit' in setting ? setting.rateLimit : limits;
  const network = { name: 'testnet', baseUrl: url, realMoney: false, chains: [], rateLimit, apiKey, apiKeys };
  const random = () => 0.5;
  const fetch = withinBudget({ fetch: http.fetch, host, network, random, say: (text) => void said.push(text) });
  const service = createService({ fetch, network, clock: host, random: () => 0, signal });
  return { fetch, plain: http.fetch, service, pauses, said, clock, stateDir, folder: folder(host) };
}

/** The time at which such a client's clock is frozen. */
export const start = Date.parse('2026-10-21T07:28:00Z');
/** Requests this many quotes, one after another. */
export const times = async (count: number, fetch: Fetch, url: string): Promise<void> => {
  for (let made = 0; made < count; made++) await fetch(`${url}/quote/v2`);
};
