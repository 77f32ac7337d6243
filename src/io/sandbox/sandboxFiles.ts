/** The sandbox's folder in the state directory: its log, and the record of a failed start. */
import {
  chmodSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { BaseError, type Code, entries, type Fact } from '../../core/base/Errors.js';
import type { SandboxFailure } from '../../core/ports/SandboxProcess.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { attempt } from '../files/attempt.js';
import { reasonOf } from '../files/fileError.js';
import { objectIn } from '../files/jsonObject.js';
import { makeFolder as makeFolderAt } from '../files/makeFolder.js';
import * as regularFile from '../files/regularFile.js';
import type { SandboxPaths } from '../state/paths.js';

/** Why a start failed, for processes waiting for it. */
export type Failure = {
  /** Unix time in milliseconds. */
  at: number;
  code: Code;
  message: string;
  facts: readonly Fact[];
  hint?: string | undefined;
  next?: string | undefined;
};

const maxLogBytes = 1_048_576;
const keptLogBytes = 65_536;

/** Creates the folder, private to this user. @throws config.unwritable */
export function makeFolder({ folder }: SandboxPaths): void {
  writing(folder, () => {
    makeFolderAt(folder);
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
  });
}

export function readFailure({ failure }: SandboxPaths): Failure | undefined {
  const value = readJson<Failure>(failure);
  if (typeof value?.message !== 'string' || !entries().some(([code]) => code === value.code)) return undefined;
  return value as Failure;
}

export function lastFailure(paths: SandboxPaths): SandboxFailure | undefined {
  const { at, message, hint } = readFailure(paths) ?? {};
  return at === undefined ? undefined : { at, message: [message, hint].filter(Boolean).join(' ') };
}

/** Records a failure. Never throws, because it runs when something has failed already. */
export function writeFailure({ failure }: SandboxPaths, value: Failure): void {
  // The log also has the cause.
  attempt(() => writeWhole(failure, `${JSON.stringify(value, null, 2)}\n`));
}

/** Creates the log for appending, as a new file: whoever opened the one before can still read it. @throws config.unwritable */
export function openLog({ log }: SandboxPaths): number {
  return writing(log, () => {
    rmSync(log, { force: true });
    return openSync(log, 'a+', 0o600);
  });
}

/** Truncates a log that has grown too large to its last part. */
export function trimLog({ log }: SandboxPaths): void {
  attempt(() => {
    if (statSync(log).size <= maxLogBytes) return;
    const kept = tail(log, keptLogBytes);
    const file = openSync(log, 'r+');
    ftruncateSync(file, 0);
    writeSync(file, kept);
    closeSync(file);
  });
}

/** The last lines of a log, by its path or open; empty if there is none. */
export function lastLines(log: string | number, count: number): string {
  return attempt(() => tail(log, keptLogBytes).trimEnd().split('\n').slice(-count).join('\n')) ?? '';
}

export function remove(...files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true });
}

/** Runs a write and converts its failure. @throws config.unwritable */
export function writing<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw unwritableStateError(path, error);
  }
}

/** Writes a file atomically, readable only by this user. @throws config.unwritable */
export function writeWhole(path: string, text: string): void {
  writing(path, () => {
    // A removed folder is not created again.
    statSync(dirname(path));
    atomicWrite.replace(path, text);
  });
}

/** Reads an object of JSON; undefined if there is no such file or it holds none. */
export function readJson<T extends object>(path: string): Partial<T> | undefined {
  return attempt(() => objectIn<T>(regularFile.read(path)));
}

function tail(log: string | number, bytes: number): string {
  const file = typeof log === 'number' ? log : openSync(log, 'r');
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, bytes));
    const length = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8', 0, length);
  } finally {
    if (file !== log) closeSync(file);
  }
}

/** The error for a write that failed; one that says more stays as it is. */
export function unwritableStateError(path: string, cause: unknown): BaseError {
  if (cause instanceof BaseError) return cause;
  return new BaseError('config.unwritable', `The sandbox's state cannot be written to ${path}.`, {
    facts: [['reason', reasonOf(cause as NodeJS.ErrnoException)]],
    hint: 'Set FERRY_STATE_DIR to another directory.',
    cause,
  });
}
