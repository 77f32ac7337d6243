/**
 * Rate limit state shared by all ferry processes on this machine: a small file in the state directory for each origin
 * and API key, updated under a lock. Sharing is best effort: if it fails, the process keeps to the limits on its own.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, constants as modes, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as RateLimit from '../../core/network/RateLimit.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { makeFolder } from '../files/makeFolder.js';
import * as fileLock from '../state/fileLock.js';
import { stateDir } from '../state/paths.js';
import type { Host } from '../terminal/host.js';

export type Parts = {
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'sleep' | 'signal'>;
  /** A random number in [0, 1). */
  random: () => number;
  limits: RateLimit.Limits;
  origin: string;
  apiKey: string | undefined;
};

export type RateFile = {
  /** Reads, updates and writes the state under the lock. @throws the signal's reason */
  change<T extends { state: RateLimit.State }>(by: (state: RateLimit.State) => T): Promise<T>;
  /** The state on disk, read without the lock. */
  written(): RateLimit.State;
};

/** How long to wait for the lock. It is held for an instant, so a holder that keeps it longer has been suspended. */
const lockMs = 3_000;

/** Larger than any valid state. */
const maxBytes = 4_096;

/** The folder of the state files. */
export function folder(host: Parameters<typeof stateDir>[0]): string {
  return join(stateDir(host), 'rates');
}

/** The state file of an origin and a key, created on the first write. */
export function createRateFile({ host, random, limits, origin, apiKey }: Parts): RateFile {
  const path = join(folder(host), `${digest(origin, apiKey)}.json`);
  /** This process's own view of the state, independent of the file. */
  let own = RateLimit.fresh;
  let isShared = true;

  function written(): RateLimit.State {
    const found = isShared ? read(path) : own;
    if (found === 'absent') return RateLimit.fresh;
    return found === 'damaged' ? RateLimit.scarce(limits, host.now()) : found;
  }

  /** The file's state merged with this process's own, unless the clock has been set back since. */
  function known(): RateLimit.State {
    return RateLimit.isAhead(own, host.now()) ? written() : RateLimit.merge(written(), own);
  }

  /** Whether the lock could be taken. */
  async function lock(): Promise<boolean> {
    const until = performance.now() + lockMs;
    try {
      makeFolder(dirname(path));
      while (performance.now() < until) {
        host.signal.throwIfAborted();
        if (fileLock.tryAcquire(`${path}.lock`)) return true;
        await host.sleep(5 + 20 * random(), host.signal);
      }
    } catch (error) {
      if (host.signal.aborted) throw error;
    }
    return false;
  }

  return {
    written,
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
        if (isOurs) isShared = write(path, JSON.stringify(own));
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

/** Open flags that neither follow symbolic links nor block on pipes. */
const cautious = modes.O_NOFOLLOW | modes.O_NONBLOCK;

function read(path: string): RateLimit.State | 'absent' | 'damaged' {
  let file: number | undefined;
  try {
    file = openSync(path, modes.O_RDONLY | cautious);
    const stat = fstatSync(file);
    const isLikely = stat.isFile() && stat.size <= maxBytes;
    return (isLikely ? RateLimit.read(readFileSync(file, 'utf8')) : undefined) ?? 'damaged';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : 'damaged';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Writes the state atomically; returns whether it worked. It need not survive a machine crash, so it is not synced. */
function write(path: string, text: string): boolean {
  try {
    atomicWrite.replaceUnsynced(path, text);
    return true;
  } catch {
    return false;
  }
}
