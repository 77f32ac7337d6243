/** The ledger file of a batch's results: append-only, one whole line per result, written by one process at a time. */

import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BaseError, inFile } from '../../core/base/Errors.js';
import * as ExitCode from '../../core/base/ExitCode.js';
import type { BatchLedger } from '../../core/batch/BatchLedger.js';
import * as BatchResult from '../../core/batch/BatchResult.js';
import * as JsonText from '../../core/text/JsonText.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { attempt } from '../files/attempt.js';
import { assertOurs, targetOf } from '../files/fileOwner.js';
import { createSplitter, type Line, TooLongError } from '../files/lineReader.js';
import * as fileLock from '../locks/fileLock.js';
import type { Host } from '../terminal/host.js';
import { unwritableFileError } from './namedFiles.js';

/** The longest line of a ledger, which holds a result with the service's response. */
const maxLineBytes = 16 * 1024 * 1024;

/** A torn last line is removed. @throws batch.ledger · config.unwritable · state.untrusted */
export async function open(
  path: string,
  owner: BatchResult.Owner,
  { cwd, takeOver }: Pick<Host, 'cwd'> & { takeOver?: fileLock.TakeOver | undefined },
): Promise<BatchLedger> {
  const whole = placeOf(path, cwd);
  const guard = `${whole}.lock`;
  if (!(await tryLock(path, guard, takeOver))) throw ledgerBusy(path, await fileLock.holder(guard));
  let descriptor: number | undefined;
  try {
    // Opened for reading too: a ledger that cannot be read cannot be continued.
    descriptor = opened(path, whole);
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw BatchResult.ledgerError('it is not a regular file, so it could not be read again');
    // It says which lines are paid, and which to pay again.
    assertOurs(path, found, { instead: 'name another file with --out' });
    if (owner.retryFailed && (await dropFailed(descriptor, { path, whole }, owner))) {
      closeSync(descriptor);
      descriptor = opened(path, whole);
    }
    return await continueLedger(descriptor, { path, whole, guard }, owner);
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    fileLock.release(guard);
    throw inFile(error instanceof TooLongError ? BatchResult.ledgerError(error.message) : error, path);
  }
}

/**
 * The one path of a ledger, however it is named: by another one it would be another ledger, which knows nothing of what was
 * begun, and could be written at the same time.
 *
 * @throws config.unwritable
 */
function placeOf(path: string, cwd: string): string {
  const whole = writing(path, () => targetOf(resolve(cwd, path)));
  const folder = attempt(() => realpathSync.native(dirname(whole))) ?? dirname(whole);
  return join(folder, basename(whole));
}

/** @throws config.unwritable */
async function tryLock(path: string, guard: string, takeOver: fileLock.TakeOver | undefined): Promise<boolean> {
  try {
    return await fileLock.tryAcquire(guard, takeOver);
  } catch (error) {
    throw error instanceof BaseError ? error : unwritableFileError(path, error as NodeJS.ErrnoException);
  }
}

/** A link that is put there meanwhile is not followed. */
function opened(path: string, whole: string): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
  return writing(path, () => openSync(whole, flags, 0o600));
}

/** Replaces the ledger with one without the failures that may be retried; returns whether there were any. */
async function dropFailed(
  source: number,
  { path, whole }: Pick<LedgerPaths, 'path' | 'whole'>,
  owner: BatchResult.Owner,
): Promise<boolean> {
  const [draft, descriptor] = writing(path, () => atomicWrite.openDraft(dirname(whole)));
  let dropped = 0;
  try {
    await eachLine(source, ({ text, number, isWhole }) => {
      const mayBeTriedAgain = isWhole && BatchResult.toEntry(text, number, owner).mayBeTriedAgain;
      if (mayBeTriedAgain) dropped++;
      else writing(path, () => writeFileSync(descriptor, isWhole ? `${text}\n` : text));
    });
    writing(path, () => fdatasyncSync(descriptor));
    if (dropped > 0) writing(path, () => renameSync(draft, whole));
    return dropped > 0;
  } finally {
    closeSync(descriptor);
    rmSync(draft, { force: true });
  }
}

/**
 * Reads the lines of a ledger from its beginning, into one buffer and without waiting between them: a long ledger takes
 * hardly more memory than a short one.
 *
 * @throws TooLongError
 */
async function eachLine(descriptor: number, take: (line: Line) => void): Promise<void> {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  const splitter = createSplitter(maxLineBytes);
  for (let position = 0; ; ) {
    const bytes = readSync(descriptor, buffer, 0, buffer.length, position);
    if (bytes === 0) break;
    position += bytes;
    for (const line of splitter.split(buffer.subarray(0, bytes))) take(line);
    // Lets a signal through.
    await new Promise(setImmediate);
  }
  for (const line of splitter.end()) take(line);
}

const bufferBytes = 256 * 1024;

type LedgerPaths = { path: string; whole: string; guard: string };

async function continueLedger(
  descriptor: number,
  { path, whole, guard }: LedgerPaths,
  owner: BatchResult.Owner,
): Promise<BatchLedger> {
  const digests = new Map<string, string>();
  const untouched = new Set<string>();
  const before: BatchLedger['before'] = { succeeded: 0, failed: 0, worst: null };
  let first: string | undefined;
  let last: string | undefined;
  let length = fstatSync(descriptor).size;
  let isTorn = false;
  await eachLine(descriptor, ({ text, number, start, isWhole }) => {
    if (!isWhole) {
      if (number === 1) assertTorn(text, owner);
      isTorn = true;
      length = start;
      return;
    }
    const entry = BatchResult.toEntry(text, number, owner);
    if (digests.has(entry.id)) throw BatchResult.ledgerError(`line ${number} repeats the id of an earlier line`);
    digests.set(entry.id, entry.digest);
    first ??= entry.run;
    last = entry.run ?? last;
    if (entry.mayBeTriedAgain) untouched.add(entry.id);
    before[entry.code === null ? 'succeeded' : 'failed']++;
    before.worst = ExitCode.worse(before.worst, entry.code);
  });
  if (isTorn) writing(path, () => ftruncateSync(descriptor, length));

  return {
    path: whole,
    isTorn,
    before,
    runs: [first, last].filter((run) => run !== undefined),
    find({ id, digest }) {
      const known = digests.get(id);
      if (known === undefined) return undefined;
      if (known === digest) return 'same';
      return untouched.has(id) ? 'other-untouched' : 'other';
    },
    append(line) {
      const bytes = Buffer.from(`${line}\n`);
      writing(path, () => {
        try {
          writeFileSync(descriptor, bytes);
          length += bytes.length;
        } catch (error) {
          ftruncateSync(descriptor, length);
          throw error;
        }
      });
    },
    sync() {
      writing(path, () => fdatasyncSync(descriptor));
      const { dev, ino } = fstatSync(descriptor);
      const there = statSync(whole, { throwIfNoEntry: false });
      // An editor that saved it has put another file there, or has written over what was appended since.
      if (there?.ino !== ino || there.dev !== dev || there.size !== length) throw BatchResult.changedLedger();
    },
    close() {
      closeSync(descriptor);
      fileLock.release(guard);
    },
  };
}

/** A file of one line without an end is continued only if that can be the beginning of a result: else it is no ledger. */
function assertTorn(text: string, owner: BatchResult.Owner): void {
  if (JsonText.read(text) !== undefined) BatchResult.toEntry(text, 1, owner);
  else if (!text.startsWith('{')) throw BatchResult.ledgerError('line 1 is not a result');
}

function writing<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw unwritableFileError(path, error as NodeJS.ErrnoException);
  }
}

function ledgerBusy(path: string, holder: fileLock.Holder | undefined): BaseError {
  return new BaseError('run.busy', 'Another ferry process is writing the ledger. Nothing was executed.', {
    facts: [['ledger', path], ...(holder ? ([['process', fileLock.formatHolder(holder)]] as const) : [])],
    hint: fileLock.adviceOn(holder),
  });
}
