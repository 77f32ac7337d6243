/**
 * Rate limit state shared by all ferry processes on this machine: a small file in the state directory for each origin
 * and API key, updated under a lock. Sharing is best effort: if it fails, the process keeps to the limits on its own.
 */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import * as RateLimit from '../../core/network/RateLimit.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { attempt } from '../files/attempt.js';
import { makeFolder } from '../files/makeFolder.js';
import * as regularFile from '../files/regularFile.js';
import * as fileLock from '../locks/fileLock.js';
import { stateDir } from '../state/paths.js';
import type { Host } from '../terminal/host.js';

export type RateFile = {
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'sleep' | 'signal'>;
  /** A random number in [0, 1). */
  random: () => number;
  limits: RateLimit.Limits;
  origin: string;
  apiKey: string | undefined;
};

/** The state of an origin and a key, wherever it is shared. */
export type RateState = {
  /** Reads, updates and writes the state under a lock. @throws the signal's reason */
  change<T extends { state: RateLimit.State }>(by: (state: RateLimit.State) => T): Promise<T>;
  /** The state as it stands, read without the lock. */
  written(): Promise<RateLimit.State>;
  /** Unix time in milliseconds by the clock that all who share the state have in common. */
  now(): number;
};

/** How long to wait for the lock. It is held for an instant, so a holder that keeps it longer has been suspended. */
const lockMs = 3_000;

/** Less than the margin of the limits, and more than a clock is set back by in small steps. */
const negligibleMs = 250;

export function folder(host: Parameters<typeof stateDir>[0]): string {
  return join(stateDir(host), 'rates');
}

/** The state file of an origin and a key, created on the first write. */
export function createRateFile({ host, random, limits, origin, apiKey }: RateFile): RateState {
  const path = join(folder(host), `${digest(origin, apiKey)}.json`);
  /** This process's own view of the state, independent of the file. */
  let own = RateLimit.fresh;
  let isShared = true;

  function written(): RateLimit.State {
    const found = isShared ? read(path) : own;
    if (found === 'absent') return RateLimit.fresh;
    return found === 'damaged' ? RateLimit.scarce(limits, host.now()) : found;
  }

  /** The file's state merged with this process's own. Neither tells anything if the clock was set back since. */
  function known(): RateLimit.State {
    const state = RateLimit.merge(written(), own);
    return state.writtenMs > host.now() + negligibleMs ? RateLimit.scarce(limits, host.now()) : state;
  }

  /** Whether the lock could be taken. */
  async function lock(): Promise<boolean> {
    try {
      makeFolder(dirname(path));
      for (let waitedMs = 0; waitedMs < lockMs; ) {
        host.signal.throwIfAborted();
        if (await fileLock.tryAcquire(`${path}.lock`)) return true;
        const pauseMs = 5 + 20 * random();
        await host.sleep(pauseMs, host.signal);
        waitedMs += pauseMs;
      }
    } catch (error) {
      if (host.signal.aborted) throw error;
    }
    return false;
  }

  return {
    written: async () => written(),
    now: host.now,
    async change(by) {
      const isOurs = isShared && (await lock());
      if (isShared && !isOurs) {
        own = RateLimit.merge(known(), RateLimit.scarce(limits, host.now()));
        isShared = false;
      }
      try {
        // Synchronous from here on, so that the lock is held only for an instant.
        const changed = by(known());
        own = changed.state;
        // It need not survive a machine crash, so it is not synced.
        if (isOurs) isShared = attempt(() => atomicWrite.replaceUnsynced(path, JSON.stringify(own)) ?? true) ?? false;
        return changed;
      } finally {
        if (isOurs) fileLock.release(`${path}.lock`);
      }
    },
  };
}

/** A file name that distinguishes keys without revealing anything about them. */
function digest(origin: string, apiKey = ''): string {
  return createHash('sha256').update(`${origin}\n${apiKey}`).digest('hex').slice(0, 16);
}

/** What is no file of ferry's counts as damaged. */
function read(path: string): RateLimit.State | 'absent' | 'damaged' {
  try {
    return RateLimit.read(regularFile.read(path)) ?? 'damaged';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : 'damaged';
  }
}
