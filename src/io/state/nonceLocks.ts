/** Turns at a counter of nonces: one process of this machine after another, by a lock file in the state directory. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import type { NonceCounter, Nonces } from '../../core/ports/Ports.js';
import { reasonOf } from '../files/fileError.js';
import type { Host } from '../terminal/host.js';
import * as fileLock from './fileLock.js';
import { stateDir } from './paths.js';

/** Whose state directory, and how patient. */
export type Parts = {
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'sleep' | 'signal'>;
  /** How long to wait for others. */
  timeoutMs: number;
};

/** Waiting for longer than that is told. */
const tellAfterMs = 1_000;

/** Between two looks at the lock, at most. */
const maxPauseMs = 100;

/** Where the lock files are. */
export function folder(host: Parameters<typeof stateDir>[0]): string {
  return join(stateDir(host), 'locks');
}

/** The turns that this process may take. */
export function createNonces({ host, timeoutMs }: Parts): Nonces {
  return {
    async *take(counter) {
      const path = join(folder(host), fileOf(counter));
      const startedAt = host.now();
      let isTold = false;
      for (let look = 0; ; look++) {
        host.signal.throwIfAborted();
        if (tryTake(path, counter)) return turnOf(path);
        const waitedMs = host.now() - startedAt;
        if (waitedMs >= timeoutMs) throw new NonceBusyError(counter, fileLock.holder(path)?.pid ?? null, waitedMs);
        if (!isTold && waitedMs >= tellAfterMs) {
          isTold = true;
          const pid = fileLock.holder(path)?.pid ?? null;
          const summary = `${holderOf(pid)} is using ${inWords(counter)}: waiting for it`;
          yield { type: 'waiting', summary, pid };
        }
        await host.sleep(Math.min(maxPauseMs, 10 + 5 * look), host.signal);
      }
    },
  };
}

/** @throws config.unwritable */
function tryTake(path: string, counter: NonceCounter): boolean {
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    return fileLock.tryAcquire(path);
  } catch (error) {
    throw new UnwritableLockError(path, counter, error as NodeJS.ErrnoException);
  }
}

/** What is released twice may be somebody else's by then. */
function turnOf(path: string): { release(): void } {
  let isOurs = true;
  return {
    release() {
      if (isOurs) fileLock.release(path);
      isOurs = false;
    },
  };
}

/** Chain ids tell networks apart, so that two names of one network share a lock. */
function fileOf(counter: NonceCounter): string {
  return 'address' in counter
    ? `${counter.chainId}-${counter.address.toLowerCase()}`
    : `venue-${counter.signingChainId}-${counter.accountIndex}-${counter.apiKeyIndex}`;
}

function inWords(counter: NonceCounter): string {
  return 'address' in counter
    ? `${counter.address} on ${counter.chain}`
    : `API key ${counter.apiKeyIndex} of the venue account ${counter.accountIndex}`;
}

function holderOf(pid: number | null): string {
  return pid === null ? 'Another ferry' : `Another ferry (process ${pid})`;
}

export class NonceBusyError extends BaseError {
  override name = 'NonceBusyError';
  constructor(counter: NonceCounter, pid: number | null, waitedMs: number) {
    const [holder, what] = [holderOf(pid), inWords(counter)];
    super('submit.busy', `${holder} still uses ${what} after ${Math.round(waitedMs / 1000)} s. Nothing was signed.`, {
      hint: 'Both would sign with the same nonce. Try again when it has ended, or wait longer with --timeout.',
    });
  }
}

export class UnwritableLockError extends BaseError {
  override name = 'UnwritableLockError';
  constructor(path: string, counter: NonceCounter, cause: NodeJS.ErrnoException) {
    super('config.unwritable', `No lock can be written for ${inWords(counter)}. Nothing was signed.`, {
      facts: [
        ['path', path],
        ['cause', reasonOf(cause)],
      ],
      hint: 'Without it two processes could sign with the same nonce. FERRY_STATE_DIR names another directory for it.',
      cause,
    });
  }
}
