/** The ledger file of a batch's results: append-only, one whole line per result, written by one process at a time. */

import {
  closeSync,
  createReadStream,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { inFile } from '../../core/base/Errors.js';
import type { BatchLedger } from '../../core/batch/BatchLedger.js';
import * as BatchResult from '../../core/batch/BatchResult.js';
import { lines, TooLongError } from '../files/lineReader.js';
import type { Host } from '../terminal/host.js';
import * as fileLock from './fileLock.js';
import { UnwritableFileError } from './namedFiles.js';

/** The longest line of a ledger, which holds a result with the service's response. */
const maxLineBytes = 16 * 1024 * 1024;

/**
 * Opens a ledger or creates one. A torn last line is removed.
 *
 * @throws batch.ledger · config.unwritable
 */
export async function open(path: string, owner: BatchResult.Owner, { cwd }: Pick<Host, 'cwd'>): Promise<BatchLedger> {
  const whole = resolve(cwd, path);
  const guard = `${whole}.lock`;
  if (!writing(path, () => fileLock.tryAcquire(guard))) throw new LedgerBusyError(fileLock.holder(guard)?.pid);
  let descriptor: number | undefined;
  try {
    // Opened for reading too: a ledger that cannot be read cannot be continued.
    descriptor = writing(path, () => openSync(whole, 'a+', 0o600));
    if (!fstatSync(descriptor).isFile())
      throw new BatchResult.LedgerError('it is not a regular file, so it could not be read again');
    if (owner.retryFailed && (await dropFailed({ path, whole }, owner))) {
      closeSync(descriptor);
      descriptor = writing(path, () => openSync(whole, 'a+', 0o600));
    }
    return await continued(descriptor, { path, whole, guard }, owner);
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    fileLock.release(guard);
    throw inFile(error instanceof TooLongError ? new BatchResult.LedgerError(error.message) : error, path);
  }
}

/** Replaces the ledger with one without the failures that may be retried; returns whether there were any. */
async function dropFailed({ path, whole }: Pick<Place, 'path' | 'whole'>, owner: BatchResult.Owner): Promise<boolean> {
  const draft = `${whole}.new`;
  const descriptor = writing(path, () => openSync(draft, 'w', 0o600));
  let dropped = 0;
  try {
    for await (const { text, number, isWhole } of lines(createReadStream(whole), maxLineBytes)) {
      const mayBeTriedAgain = isWhole && BatchResult.toEntry(text, number, owner).mayBeTriedAgain;
      if (mayBeTriedAgain) dropped++;
      else writing(path, () => writeFileSync(descriptor, isWhole ? `${text}\n` : text));
    }
    writing(path, () => fdatasyncSync(descriptor));
    if (dropped > 0) writing(path, () => renameSync(draft, whole));
    return dropped > 0;
  } finally {
    closeSync(descriptor);
    rmSync(draft, { force: true });
  }
}

type Place = { path: string; whole: string; guard: string };

async function continued(
  descriptor: number,
  { path, whole, guard }: Place,
  owner: BatchResult.Owner,
): Promise<BatchLedger> {
  const found = new Map<string, BatchResult.Entry>();
  let length = fstatSync(descriptor).size;
  let isTorn = false;
  for await (const { text, number, start, isWhole } of lines(createReadStream(whole), maxLineBytes)) {
    if (!isWhole) {
      isTorn = true;
      length = start;
      break;
    }
    const entry = BatchResult.toEntry(text, number, owner);
    if (found.has(entry.id)) throw new BatchResult.LedgerError(`line ${number} repeats the id of an earlier line`);
    found.set(entry.id, entry);
  }
  if (isTorn) writing(path, () => ftruncateSync(descriptor, length));

  return {
    path: whole,
    isTorn,
    entries: found,
    append(line) {
      const bytes = Buffer.from(`${line}\n`);
      writing(path, () => {
        try {
          for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
          length += bytes.length;
        } catch (error) {
          ftruncateSync(descriptor, length);
          throw error;
        }
      });
    },
    sync: () => writing(path, () => fdatasyncSync(descriptor)),
    close() {
      closeSync(descriptor);
      fileLock.release(guard);
    },
  };
}

function writing<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new UnwritableFileError(path, error as NodeJS.ErrnoException);
  }
}

export class LedgerBusyError extends BatchResult.LedgerError {
  override name = 'LedgerBusyError';
  constructor(pid: number | undefined) {
    super(`another ferry process${pid === undefined ? '' : ` (${pid})`} is writing it`);
  }
}
