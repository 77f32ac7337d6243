/** A run's journal file: append-only, private to the user, sealed, durable on disk before anything is acted on. */

import { closeSync, fstatSync, fsync, ftruncateSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BaseError, inFile } from '../../core/base/Errors.js';
import type { Seal } from '../../core/base/Seal.js';
import * as Journal from '../../core/tracking/Journal.js';
import * as JournalCodec from '../../core/tracking/JournalCodec.js';
import { syncFolder } from '../files/atomicWrite.js';
import { attempt } from '../files/attempt.js';
import { reasonOf } from '../files/fileError.js';
import { assertOurs } from '../files/fileOwner.js';
import * as regularFile from '../files/regularFile.js';

export type JournalFile = {
  /**
   * Appends a line, after those before it, and waits for the disk unless the entry is one of `unsynced`: apart from the
   * program, which has other runs to carry on.
   *
   * @throws config.unwritable; the line is then not in the file, not even in part
   */
  append(entry: Journal.Entry): Promise<void>;
  /** Ends the journal: a line that was not written yet is refused. */
  close(): void;
};

/** Where a journal is, and the user's secret, which seals each line. */
export type JournalSource = {
  path: string;
  now(): number;
  seal: Seal;
  /** Waits until the disk has all that was written to a file; `fsync` by default. */
  sync?: ((descriptor: number) => Promise<void>) | undefined;
};

/** Creates the journal of a new run. Its name is durable once the first line is appended. @throws config.unwritable */
export function create(place: JournalSource): JournalFile {
  const { path } = place;
  const descriptor = writing(path, () => openSync(path, 'ax', 0o600));
  return journal(descriptor, { ...place, read: JournalCodec.read(''), bytes: 0 });
}

/** @throws run.unreadable · run.version · state.untrusted · the file system's error */
export function read(path: string, seal: Seal | undefined): JournalCodec.Read {
  return checked(path, textOf(path), seal);
}

/** The intent of a run, from the first line of its journal alone; undefined if that is unreadable. */
export function first(path: string): Extract<Journal.Entry, { type: 'intent' }> | undefined {
  const entry = attempt(() => JournalCodec.read(firstLine(path)).lines[0]?.entry);
  return entry?.type === 'intent' ? entry : undefined;
}

/** The first line of a journal as it stands there, whatever it is. @throws the file system's error */
export function firstLine(path: string): string {
  const bytes = Buffer.allocUnsafe(firstLineBytes);
  const text = regularFile.use(path, 'r', (file) => bytes.toString('utf8', 0, readSync(file, bytes)));
  return text.slice(0, text.indexOf('\n') + 1);
}

/** Enough for the typed command and long paths. */
const firstLineBytes = 64 * 1024;

/** Reopens a journal, dropping a torn last line. @throws run.* · state.untrusted · config.unwritable */
export function open(place: JournalSource): JournalFile & Pick<JournalCodec.Read, 'lines' | 'isOwn'> {
  const { path } = place;
  const text = textOf(path);
  const found = checked(path, text, place.seal);
  const bytes = Buffer.byteLength(text.slice(0, found.length));
  const descriptor = writing(path, () => regularFile.open(path, 'a'));
  writing(path, () => {
    if (fstatSync(descriptor).size !== bytes) ftruncateSync(descriptor, bytes);
  });
  return { ...journal(descriptor, { ...place, read: found, bytes }), lines: found.lines, isOwn: found.isOwn };
}

/** The text of a journal that nobody else could have written to. @throws state.untrusted · the file system's error */
function textOf(path: string): string {
  return regularFile.use(path, 'r', (file) => {
    assertOurs(path, fstatSync(file), { funds: 'unknown' });
    return readFileSync(file, 'utf8');
  });
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
  { path, now, seal, sync = durable, read: found, bytes }: JournalSource & { read: JournalCodec.Read; bytes: number },
): JournalFile {
  let { end } = found;
  let count = found.lines.length;
  let length = bytes;
  let broken: unknown;
  let isClosed = false;
  let waiting: Journal.Entry[] = [];
  let last: Promise<void> = Promise.resolve();
  /** Writes what waits, and waits for the disk at most once. */
  const write = async (): Promise<void> => {
    const entries = waiting;
    waiting = [];
    if (isClosed) throw new Error('The journal is closed.');
    const lines: ReturnType<typeof JournalCodec.from>[] = [];
    for (const entry of entries) {
      const before = lines.at(-1)?.end ?? end;
      lines.push(JournalCodec.from({ at: now(), entry }, count + lines.length, before, seal));
    }
    const text = Buffer.from(lines.map((line) => line.text).join(''));
    try {
      if (broken !== undefined) throw broken;
      writeFileSync(descriptor, text);
      if (entries.some(({ type }) => !Journal.unsynced.includes(type))) await sync(descriptor);
      if (count === 0) syncFolder(dirname(path));
    } catch (error) {
      // A partial line would corrupt the next one. A closed journal may be another process's already.
      const cut = (): true => {
        ftruncateSync(descriptor, length);
        return true;
      };
      if (!isClosed) broken ??= attempt(cut) ? undefined : error;
      throw unwritable(path, error);
    }
    end = lines.at(-1)?.end ?? end;
    count += lines.length;
    length += text.length;
  };
  return {
    append(entry) {
      waiting.push(entry);
      // Those that come in the same moment share one wait, and go on at the same time.
      if (waiting.length === 1) {
        last = Promise.allSettled([last, nextTurn()]).then(write);
        last.catch(() => {});
      }
      return last;
    },
    close() {
      isClosed = true;
      // Its number must not name another file while the disk is still waited for.
      void last.catch(() => {}).then(() => closeSync(descriptor));
    },
  };
}

const durable = promisify(fsync);

/** Runs a write and converts its failure. @throws config.unwritable */
export function writing<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): BaseError {
  if (cause instanceof BaseError) return cause;
  return new BaseError('config.unwritable', `The journal cannot be written to ${path}.`, {
    facts: [['reason', reasonOf(cause as NodeJS.ErrnoException)]],
    hint: 'Nothing more is signed. Set FERRY_STATE_DIR to another directory.',
    cause,
  });
}
