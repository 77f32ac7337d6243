/** Nonce locks: one process of this machine at a time uses a nonce counter, by a lock file in the state directory. */
import { join } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import type { NonceCounter, Nonces, Turn } from '../../core/ports/Ports.js';
import { reasonOf } from '../files/fileError.js';
import { makeFolder } from '../files/makeFolder.js';
import * as fileLock from '../locks/fileLock.js';
import type { Host } from '../terminal/host.js';
import * as nonceRecord from './nonceRecord.js';
import { stateDir } from './paths.js';
import * as stateFolders from './stateFolders.js';

/** Dependencies of `createNonces`. */
export type NonceSettings = {
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'sleep' | 'signal'>;
  /** How long to wait for a lock. */
  timeoutMs: number;
  takeOver?: fileLock.TakeOver | undefined;
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
export function createNonces({ host, timeoutMs, takeOver }: NonceSettings): Nonces {
  return {
    async *take(counter, held = async () => counter) {
      stateFolders.assertOurs(host);
      const path = join(folder(host), nonceRecord.lockOf(counter));
      const startedAt = host.now();
      let isTold = false;
      for (let look = 0; ; look++) {
        host.signal.throwIfAborted();
        if (await tryTake(path, counter, takeOver)) {
          try {
            return turnOf(path, nonceRecord.fileOf(host, await held()), counter);
          } catch (error) {
            fileLock.release(path);
            throw error;
          }
        }
        const waitedMs = host.now() - startedAt;
        if (waitedMs >= timeoutMs) throw nonceBusy(counter, await fileLock.holder(path), waitedMs);
        if (!isTold && waitedMs >= tellAfterMs) {
          isTold = true;
          const holder = await fileLock.holder(path);
          const way = holder?.isElsewhere ? '. If it has ended, --take-over goes on without it' : '';
          const summary = `Waiting: ${inWordsOf(holder)} is using ${nonceRecord.inWords(counter)}${way}`;
          yield { type: 'waiting', summary, pid: holder?.pid ?? null };
        }
        await host.sleep(Math.min(maxPauseMs, 10 + 5 * look), host.signal);
      }
    },
  };
}

/** @throws config.unwritable */
async function tryTake(path: string, counter: NonceCounter, takeOver?: fileLock.TakeOver): Promise<boolean> {
  try {
    makeFolder(join(path, '..'));
    return await fileLock.tryAcquire(path, takeOver);
  } catch (error) {
    if (error instanceof BaseError) throw error;
    throw unwritableLockError(path, counter, error as NodeJS.ErrnoException);
  }
}

/** Releases at most once: by a second call, another process may hold the lock. */
function turnOf(path: string, recordPath: string, counter: NonceCounter): Turn {
  let isOurs = true;
  let record = nonceRecord.read(recordPath);
  return {
    known: (sequence = '') => record[sequence],
    use(next, sequence = '') {
      if (next <= (record[sequence] ?? -1n)) return;
      record = { ...record, [sequence]: next };
      try {
        nonceRecord.write(recordPath, record);
      } catch (error) {
        throw unwritableLockError(recordPath, counter, error as NodeJS.ErrnoException);
      }
    },
    // Every use is on disk before it is known.
    commit: async () => {},
    release() {
      if (isOurs) fileLock.release(path);
      isOurs = false;
    },
  };
}

function inWordsOf(holder: fileLock.Holder | undefined): string {
  if (!holder) return 'another ferry process';
  return `another ferry process (${holder.pid}${holder.isElsewhere ? ` on ${holder.host}` : ''})`;
}

function nonceBusy(counter: NonceCounter, holder: fileLock.Holder | undefined, waitedMs: number): BaseError {
  const what = nonceRecord.inWords(counter);
  return new BaseError(
    'submit.busy',
    `After ${Math.round(waitedMs / 1000)} s, ${inWordsOf(holder)} is still using ${what}. Nothing was signed.`,
    {
      hint: holder?.isElsewhere
        ? 'ferry cannot see from here whether it still runs, and both would sign with the same nonce. If it has ended, use --take-over.'
        : 'Both would sign with the same nonce. Try again when it has finished, or wait longer with --timeout.',
    },
  );
}

function unwritableLockError(path: string, counter: NonceCounter, cause: NodeJS.ErrnoException): BaseError {
  return new BaseError(
    'config.unwritable',
    `The lock or the record of ${nonceRecord.inWords(counter)} cannot be written. Nothing was signed.`,
    {
      facts: [
        ['path', path],
        ['reason', reasonOf(cause)],
      ],
      hint: 'Without it, two processes could sign with the same nonce. Set FERRY_STATE_DIR to another directory.',
      cause,
    },
  );
}
