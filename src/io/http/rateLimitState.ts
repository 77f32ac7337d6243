/**
 * The state of a rate budget where every process of this machine finds it: a small file in the state directory for each
 * origin and API key, changed under a lock. It is a help and no witness: where it cannot be shared, the process keeps to
 * the limits by itself.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, constants as modes, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as RateLimit from '../../core/network/RateLimit.js';
import * as atomicWrite from '../files/atomicWrite.js';
import * as fileLock from '../state/fileLock.js';
import { stateDir } from '../state/paths.js';
import type { Host } from '../terminal/host.js';

export type Parts = {
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'sleep' | 'signal'>;
  /** From 0 up to 1. */
  random: () => number;
  limits: RateLimit.Limits;
  origin: string;
  apiKey: string | undefined;
};

export type RateFile = {
  /** Reads the state, has it changed and writes it, alone. @throws the signal's reason */
  change<T extends { state: RateLimit.State }>(by: (state: RateLimit.State) => T): Promise<T>;
  /** The state as all see it, without waiting for anybody. */
  written(): RateLimit.State;
};

/** For a lock that is held for an instant: whoever keeps it for longer has stopped. */
const lockMs = 3_000;

/** More than a state ever takes. */
const maxBytes = 4_096;

/** Where the files are. */
export function folder(host: Parameters<typeof stateDir>[0]): string {
  return join(stateDir(host), 'rates');
}

/** The file of an origin and a key, made when there is first something to write. */
export function createRateFile({ host, random, limits, origin, apiKey }: Parts): RateFile {
  const path = join(folder(host), `${digest(origin, apiKey)}.json`);
  /** What this process has done itself, whatever becomes of the file. */
  let own = RateLimit.fresh;
  let isShared = true;

  function written(): RateLimit.State {
    const found = isShared ? read(path) : own;
    if (found === 'absent') return RateLimit.fresh;
    return found === 'damaged' ? RateLimit.scarce(limits, host.now()) : found;
  }

  /** What is written and what this process knows, unless that was by another clock. */
  function known(): RateLimit.State {
    return RateLimit.isAhead(own, host.now()) ? written() : RateLimit.merge(written(), own);
  }

  /** Whether the lock is held now. */
  async function isLocked(): Promise<boolean> {
    const until = performance.now() + lockMs;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
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
      const isOurs = isShared && (await isLocked());
      if (isShared && !isOurs) {
        own = RateLimit.merge(known(), RateLimit.scarce(limits, host.now()));
        isShared = false;
      }
      try {
        // Nothing is waited for from here on, so that the lock is held for an instant.
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

/** Without the key itself, of which not even the file's name should tell more than that it is another one. */
function digest(origin: string, apiKey = ''): string {
  return createHash('sha256').update(`${origin}\n${apiKey}`).digest('hex').slice(0, 16);
}

/** Whatever lies there is neither followed nor waited for. */
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

/** Whether it is written. */
function write(path: string, text: string): boolean {
  try {
    atomicWrite.replaceUnsynced(path, text);
    return true;
  } catch {
    return false;
  }
}
