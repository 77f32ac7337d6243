/** A private copy of an input that can be read only once, such as a pipe. */
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilAborted } from './interruptible.js';

export type InputCopy = {
  /** Reads the copy from its beginning. */
  read(): AsyncIterable<Uint8Array>;
  close(): void;
};

/**
 * Copies an input to its end. The file has no name once it is open, so nothing is left behind, even by a crash.
 *
 * @throws CopyError if the copy cannot be written · the signal's reason · whatever the input throws
 */
export async function copyInput(input: AsyncIterable<Uint8Array | string>, signal: AbortSignal): Promise<InputCopy> {
  const descriptor = writing(create);
  try {
    for await (const part of untilAborted(input, signal)) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      writing(() => writeFileSync(descriptor, bytes));
    }
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return {
    read: () => createReadStream('', { fd: descriptor, start: 0, autoClose: false }),
    close: () => closeSync(descriptor),
  };
}

function create(): number {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-'));
  try {
    return openSync(join(folder, 'input'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writing<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new CopyError(error as NodeJS.ErrnoException);
  }
}

/** The copy cannot be written. */
export class CopyError extends Error {
  override name = 'CopyError';
  override readonly cause: NodeJS.ErrnoException;
  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message);
    this.cause = cause;
  }
}
