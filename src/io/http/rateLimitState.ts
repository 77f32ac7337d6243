/**
 * Rate limit state shared by all ferry processes on this machine: a small file in the state directory for each origin
 * and API key, updated under a lock. Sharing is best effort: if it fails, the process keeps to the limits on its own.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, constants as modes, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as RateLimit from '../../core/network/RateLimit.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { attempt } from '../files/attempt.js';
import { objectIn } from '../files/jsonObject.js';
import { makeFolder } from '../files/makeFolder.js';
import * as fileLock from '../locks/fileLock.js';
import { ownScope } from '../locks/processes.js';
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

/** Larger than any valid state. */
const maxBytes = 4_096;

/** Less than the margin of the limits, and more than the steps of a file system's clock. */
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
  /** How far the clock of the file system is ahead of this machine's, and how far the state's is ahead of both. */
  let skewMs = 0;
  let lagMs = 0;
  const now = (): number => host.now() + skewMs + lagMs;

  /**
   * Other machines may share the folder: the file system's clock is the one that all of them see. A state that is ahead
   * of it, since the clock was set back, sets the time; on this machine, the time since then is known all the same.
   *
   * @param beforeMs the time before the lock was written: any later one fits, however long ago that was
   */
  function setClock({ writtenMs }: RateLimit.State, beforeMs: number): void {
    const [lockedMs, nowMs] = [writtenAt(`${path}.lock`), Date.now()];
    const fits = lockedMs > beforeMs - negligibleMs && lockedMs < nowMs + negligibleMs;
    skewMs = fits ? 0 : lockedMs - nowMs;
    if (writtenMs > now()) lagMs += writtenMs + sinceMs(path) - now();
  }

  function written(): RateLimit.State {
    const found = isShared ? read(path) : own;
    if (found === 'absent') return RateLimit.fresh;
    return found === 'damaged' ? RateLimit.scarce(limits, now()) : found;
  }

  /** The file's state merged with this process's own. */
  function known(): RateLimit.State {
    return RateLimit.merge(written(), own);
  }

  /** The time before the lock was written; undefined if it could not be taken. */
  async function lock(): Promise<number | undefined> {
    try {
      makeFolder(dirname(path));
      for (let waitedMs = 0; waitedMs < lockMs; ) {
        host.signal.throwIfAborted();
        const beforeMs = Date.now();
        if (await fileLock.tryAcquire(`${path}.lock`)) return beforeMs;
        const pauseMs = 5 + 20 * random();
        await host.sleep(pauseMs, host.signal);
        waitedMs += pauseMs;
      }
    } catch (error) {
      if (host.signal.aborted) throw error;
    }
    return undefined;
  }

  return {
    written: async () => written(),
    now,
    async change(by) {
      const beforeMs = isShared ? await lock() : undefined;
      const isOurs = beforeMs !== undefined;
      if (isShared && !isOurs) {
        own = RateLimit.merge(known(), RateLimit.scarce(limits, now()));
        isShared = false;
      }
      try {
        // Synchronous from here on, so that the lock is held only for an instant.
        const state = known();
        if (isOurs) setClock(state, beforeMs);
        const changed = by(state);
        own = changed.state;
        if (isOurs) isShared = write(path, JSON.stringify({ ...own, ...steadyTime() }));
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

/** A time that never goes back, and the kernel that counts it. */
function steadyTime(): { kernel: string; steadyMs: number } {
  return { kernel: ownScope().kernel, steadyMs: Math.round(Number(process.hrtime.bigint()) / 1e6) };
}

/** Milliseconds since the state was written, if this machine wrote it; else 0. */
function sinceMs(path: string): number {
  const { kernel, steadyMs } = attempt(() => objectIn<ReturnType<typeof steadyTime>>(readText(path))) ?? {};
  const here = steadyTime();
  const isKnown = here.kernel !== '' && kernel === here.kernel && typeof steadyMs === 'number';
  return isKnown ? Math.max(0, here.steadyMs - steadyMs) : 0;
}

/** The time of a file that was just written, by the clock of its file system. */
function writtenAt(path: string): number {
  return attempt(() => statSync(path).mtimeMs) ?? Date.now();
}

/** Open flags that neither follow symbolic links nor block on pipes. */
const cautious = modes.O_NOFOLLOW | modes.O_NONBLOCK;

function read(path: string): RateLimit.State | 'absent' | 'damaged' {
  try {
    return RateLimit.read(readText(path)) ?? 'damaged';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : 'damaged';
  }
}

/** The text of a small regular file; empty for anything else. @throws the file system's error */
function readText(path: string): string {
  const file = openSync(path, modes.O_RDONLY | cautious);
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(file, 'utf8') : '';
  } finally {
    closeSync(file);
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
