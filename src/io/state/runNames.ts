/** The list of all runs in the index of their journals: one id a line, in the order of their start. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import * as regularFile from '../files/regularFile.js';

/** The name of the index within the folder of the journals. */
export const indexName = 'index';

export function path(folder: string): string {
  return join(folder, indexName, 'names');
}

/** The ids of all runs, newest first, read from the end in pieces. */
export function* read(folder: string): Generator<string, void> {
  let file: number;
  try {
    file = regularFile.open(path(folder), 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    const bytes = Buffer.alloc(pieceBytes);
    let rest = '';
    for (let end = fstatSync(file).size; end > 0; ) {
      const start = Math.max(0, end - pieceBytes);
      const text = bytes.toString('latin1', 0, readSync(file, bytes, 0, end - start, start)) + rest;
      const found = text.split('\n');
      // The first id of a piece may begin in the one before it.
      rest = start > 0 ? (found.shift() ?? '') : '';
      yield* found.filter((id) => id !== '').reverse();
      end = start;
    }
  } finally {
    closeSync(file);
  }
}

/** More than a command usually shows. */
const pieceBytes = 16 * 1024;
