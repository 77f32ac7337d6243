/** Nonce locks: one process of this machine at a time uses a nonce counter, by a lock file in the state directory. */
import { join } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import type { NonceCounter, Nonces, Turn, Waiting } from '../../core/ports/Ports.js';
import * as TerminalTime from '../../core/text/TerminalTime.js';
import { reasonOf } from '../files/fileError.js';
import { makeFolder } from '../files/makeFolder.js';
import * as fileLock from '../locks/fileLock.js';
import type { Host } from '../terminal/host.js';
import * as nonceRecord from './nonceRecord.js';
import { stateDir } from './paths.js';
import * as stateFolders from './stateFolders.js';

export type NonceSettings = {
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'sleep' | 'signal'>;
  timeoutMs: number;
  takeOver?: fileLock.TakeOver | undefined;
};

const tellAfterMs = 1_000;

export function folder(host: Parameters<typeof stateDir>[0]): string {
  return join(stateDir(host), 'locks');
}

/** What excludes others from a counter: a lock file, or a lock in a store. */
export type CounterLock = {
  tryTake(): Promise<boolean>;
  release(): void;
  /** Who has it, in words, and their process if it can be named. */
  holder(): Promise<{ words: string; pid: number | null; isElsewhere: boolean }>;
  longestPauseMs: number;
};

/** Creates the nonce locks of a host's state directory. Each is held from `take` until `release`. */
export function createNonces({ host, timeoutMs, takeOver }: NonceSettings): Nonces {
  return {
    async *take(counter, held = async () => counter) {
      stateFolders.assertOurs(host);
      const path = join(folder(host), nonceRecord.lockOf(counter));
      const lock: CounterLock = {
        tryTake: () => tryTake(path, counter, takeOver),
        release: () => fileLock.release(path),
        async holder() {
          const found = await fileLock.holder(path);
          if (!found) return { words: 'another ferry process', pid: null, isElsewhere: false };
          const { pid, host: machine, isElsewhere } = found;
          const words = `another ferry process (${pid}${isElsewhere ? ` on ${machine}` : ''})`;
          return { words, pid, isElsewhere };
        },
        longestPauseMs: 100,
      };
      return yield* takeTurn(counter, lock, { host, timeoutMs }, async () =>
        turnOf(path, nonceRecord.fileOf(host, await held()), counter),
      );
    },
  };
}

/** Begins a turn at a counter as soon as nobody else has it, and tells of a wait. @throws submit.busy */
export async function* takeTurn(
  counter: NonceCounter,
  lock: CounterLock,
  { host, timeoutMs }: { host: Pick<Host, 'now' | 'sleep' | 'signal'>; timeoutMs: number },
  begin: () => Promise<Turn>,
): AsyncGenerator<Waiting, Turn> {
  const startedAt = host.now();
  let isTold = false;
  for (let look = 0; ; look++) {
    host.signal.throwIfAborted();
    // Before the attempt: the last one begins when the time is up, however long the machine slept.
    const waitedMs = host.now() - startedAt;
    if (await lock.tryTake()) break;
    if (waitedMs >= timeoutMs) throw nonceBusy(counter, await lock.holder(), waitedMs);
    if (!isTold && waitedMs >= tellAfterMs) {
      isTold = true;
      const { words, pid, isElsewhere } = await lock.holder();
      const way = isElsewhere ? '. If it has ended, --take-over goes on without it' : '';
      const summary = `Waiting: ${words} is using ${nonceRecord.inWords(counter)}${way}`;
      yield { type: 'waiting', summary, pid };
    }
    await host.sleep(Math.min(lock.longestPauseMs, 10 + 5 * look), host.signal);
  }
  try {
    return await begin();
  } catch (error) {
    lock.release();
    throw error;
  }
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

function nonceBusy(
  counter: NonceCounter,
  { words, isElsewhere }: Awaited<ReturnType<CounterLock['holder']>>,
  waitedMs: number,
): BaseError {
  const what = nonceRecord.inWords(counter);
  return new BaseError(
    'submit.busy',
    `After ${TerminalTime.elapsed(waitedMs)}, ${words} is still using ${what}. Nothing was signed.`,
    {
      hint: isElsewhere
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
