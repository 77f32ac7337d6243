/**
 * Files that ferry keeps itself. What stands in their place may be a pipe, of which opening or reading has no end: they are
 * opened without waiting, and nothing but a file is taken.
 */
import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

const { O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;

const flags = { r: O_RDONLY, 'r+': O_RDWR | O_CREAT, a: O_WRONLY | O_APPEND | O_CREAT };

/** Opens a file; what is created is private. @throws the file system's error, and one if it is not a file */
export function open(path: string, how: keyof typeof flags): number {
  const file = openSync(path, flags[how] | O_NONBLOCK, 0o600);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error('it is not a regular file');
}

/** Does something with an open file. @throws like `open` */
export function use<T>(path: string, how: keyof typeof flags, act: (file: number) => T): T {
  const file = open(path, how);
  try {
    return act(file);
  } finally {
    closeSync(file);
  }
}

/** The text of a file. @throws like `open` */
export function read(path: string): string {
  return use(path, 'r', (file) => readFileSync(file, 'utf8'));
}

/** Adds a text to a file in one write. Durable when it returns, unless it need not be. @throws like `open` */
export function append(path: string, text: string, { isFlushed = true } = {}): void {
  use(path, 'a', (file) => {
    writeSync(file, text);
    if (isFlushed) fsyncSync(file);
  });
}
