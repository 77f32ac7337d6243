/** Nonce locks: one process of this machine at a time uses a nonce counter, by a lock file in the state directory. */
import { join } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import type { NonceCounter, Nonces } from '../../core/ports/Ports.js';
import { reasonOf } from '../files/fileError.js';
import { makeFolder } from '../files/makeFolder.js';
import type { Host } from '../terminal/host.js';
import * as fileLock from './fileLock.js';
import { stateDir } from './paths.js';

/** Dependencies of `createNonces`. */
export type Parts = {
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'sleep' | 'signal'>;
  /** How long to wait for a lock. */
  timeoutMs: number;
};

/** Waits longer than this are reported. */
const tellAfterMs = 1_000;

/** The longest pause between two attempts to take the lock. */
const maxPauseMs = 100;

/** The folder of the lock files. */
export function folder(host: Parameters<typeof stateDir>[0]): string {
  return join(stateDir(host), 'locks');
}

/** Creates the nonce locks of a host's state directory. Each is held from `take` until `release`. */
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
          const summary = `Waiting: ${holderOf(pid)} is using ${inWords(counter)}`;
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
    makeFolder(join(path, '..'));
    return fileLock.tryAcquire(path);
  } catch (error) {
    throw new UnwritableLockError(path, counter, error as NodeJS.ErrnoException);
  }
}

/** Releases at most once: by a second call, another process may hold the lock. */
function turnOf(path: string): { release(): void } {
  let isOurs = true;
  return {
    release() {
      if (isOurs) fileLock.release(path);
      isOurs = false;
    },
  };
}

/** Keyed by chain id rather than network name, so that two names for one network share a lock. */
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
  return pid === null ? 'another ferry process' : `another ferry process (${pid})`;
}

export class NonceBusyError extends BaseError {
  override name = 'NonceBusyError';
  constructor(counter: NonceCounter, pid: number | null, waitedMs: number) {
    const [holder, what] = [holderOf(pid), inWords(counter)];
    super(
      'submit.busy',
      `After ${Math.round(waitedMs / 1000)} s, ${holder} is still using ${what}. Nothing was signed.`,
      {
        hint: 'Both would sign with the same nonce. Try again when it has finished, or wait longer with --timeout.',
      },
    );
  }
}

export class UnwritableLockError extends BaseError {
  override name = 'UnwritableLockError';
  constructor(path: string, counter: NonceCounter, cause: NodeJS.ErrnoException) {
    super('config.unwritable', `The lock for ${inWords(counter)} cannot be written. Nothing was signed.`, {
      facts: [
        ['path', path],
        ['cause', reasonOf(cause)],
      ],
      hint: 'Without it, two processes could sign with the same nonce. Set FERRY_STATE_DIR to another directory.',
      cause,
    });
  }
}
