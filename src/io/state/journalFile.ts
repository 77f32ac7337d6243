/** A run's journal file: append-only, private to the user, sealed, each line durable on disk before it is acted on. */

import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { BaseError, inFile } from '../../core/base/Errors.js';
import type { Seal } from '../../core/base/Seal.js';
import * as Journal from '../../core/tracking/Journal.js';
import * as JournalCodec from '../../core/tracking/JournalCodec.js';
import { reasonOf } from '../files/fileError.js';
import { assertOurs } from '../files/fileOwner.js';

export type JournalFile = {
  /** @throws config.unwritable; the line is then not in the file, not even in part */
  append(entry: Journal.Entry): void;
  close(): void;
};

/** Where a journal is, and the user's secret, which seals each line. */
export type Place = { path: string; now(): number; seal: Seal };

/** Creates the journal of a new run. Its name is durable once the first line is appended. @throws config.unwritable */
export function create(place: Place): JournalFile {
  const { path } = place;
  const descriptor = writing(path, () => openSync(path, 'ax', 0o600));
  return journal(descriptor, { ...place, read: JournalCodec.read(''), bytes: 0 });
}

/**
 * Reads a journal.
 *
 * @throws run.unreadable · run.version · state.untrusted · the file system's error
 */
export function read(path: string, seal: Seal | undefined): JournalCodec.Read {
  return checked(path, textOf(path), seal);
}

/** The intent of a run, from the first line of its journal alone; undefined if that is unreadable. */
export function first(path: string): Extract<Journal.Entry, { type: 'intent' }> | undefined {
  const bytes = Buffer.allocUnsafe(firstLineBytes);
  const descriptor = openSync(path, 'r');
  try {
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes));
    const entry = JournalCodec.read(text.slice(0, text.indexOf('\n') + 1)).lines[0]?.entry;
    return entry?.type === 'intent' ? entry : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Enough for the typed command and long paths. */
const firstLineBytes = 64 * 1024;

/** Reopens a journal, dropping a torn last line. @throws run.* · state.untrusted · config.unwritable */
export function open(place: Place): JournalFile & Pick<JournalCodec.Read, 'lines' | 'isOwn'> {
  const { path } = place;
  const text = textOf(path);
  const found = checked(path, text, place.seal);
  const bytes = Buffer.byteLength(text.slice(0, found.length));
  const descriptor = writing(path, () => openSync(path, 'a', 0o600));
  writing(path, () => {
    if (fstatSync(descriptor).size !== bytes) ftruncateSync(descriptor, bytes);
  });
  return { ...journal(descriptor, { ...place, read: found, bytes }), lines: found.lines, isOwn: found.isOwn };
}

/** The text of a journal that nobody else could have written to. @throws state.untrusted · the file system's error */
function textOf(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    assertOurs(path, fstatSync(descriptor), { funds: 'unknown' });
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the lines, in an order that a run writes. @throws run.unreadable · run.version, with the file */
function checked(path: string, text: string, seal: Seal | undefined): JournalCodec.Read {
  try {
    const found = JournalCodec.read(text, seal);
    if (found.lines.length > 0) Journal.from(found.lines.map(({ entry }) => entry));
    return found;
  } catch (error) {
    throw inFile(error, path);
  }
}

function journal(
  descriptor: number,
  { path, now, seal, read: found, bytes }: Place & { read: JournalCodec.Read; bytes: number },
): JournalFile {
  let { end } = found;
  let count = found.lines.length;
  let length = bytes;
  let broken: unknown;
  return {
    append(entry) {
      const line = JournalCodec.from({ at: now(), entry }, count, end, seal);
      writing(path, () => {
        if (broken !== undefined) throw broken;
        try {
          writeWhole(descriptor, Buffer.from(line.text));
          fsyncSync(descriptor);
          if (count === 0) syncFolder(dirname(path));
        } catch (error) {
          // A partial line would corrupt the next one.
          try {
            ftruncateSync(descriptor, length);
          } catch {
            broken = error;
          }
          throw error;
        }
      });
      end = line.end;
      count += 1;
      length += Buffer.byteLength(line.text);
    },
    close: () => closeSync(descriptor),
  };
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

/** Makes the file names in a folder durable. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Runs a write and converts its failure. @throws config.unwritable */
export function writing<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (error instanceof BaseError) throw error;
    throw new UnwritableJournalError(path, error as NodeJS.ErrnoException);
  }
}

export class UnwritableJournalError extends BaseError {
  override name = 'UnwritableJournalError';
  constructor(path: string, cause: NodeJS.ErrnoException) {
    super('config.unwritable', `The journal cannot be written to ${path}, so nothing more is signed.`, {
      facts: [['reason', reasonOf(cause)]],
      hint: 'Set FERRY_STATE_DIR to another directory.',
      cause,
    });
  }
}
