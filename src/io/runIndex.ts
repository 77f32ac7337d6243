/**
 * Which runs are over, so that what is unfinished is found without reading every journal. It is only a memory: a line
 * that is missing or wrong makes a journal be read again, and the line is added then.
 */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** The names of runs that are over, as far as it remembers. */
export function read(folder: string): ReadonlySet<string> {
  let text: string;
  try {
    text = readFileSync(path(folder), 'utf8');
  } catch {
    return new Set();
  }
  const lines = text.split('\n').slice(0, -1);
  return new Set(
    lines.flatMap((line) => {
      const [id = '', sum] = line.split(' ');
      return sum === sumOf(id) ? [id] : [];
    }),
  );
}

/** Remembers runs that are over. Never throws: without it they are read again. */
export function add(folder: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  try {
    appendFileSync(path(folder), lines(ids), { mode: 0o600 });
  } catch {
    // It can be made again at any time.
  }
}

/** Forgets all but these. */
export function keep(folder: string, ids: readonly string[]): void {
  const known = read(folder);
  rmSync(path(folder), { force: true });
  add(
    folder,
    ids.filter((id) => known.has(id)),
  );
}

function path(folder: string): string {
  return join(folder, 'over');
}

/** Begins with a line break, so that a line that was torn off before spoils no other. */
function lines(ids: readonly string[]): string {
  return `\n${ids.map((id) => `${id} ${sumOf(id)}\n`).join('')}`;
}

function sumOf(id: string): string {
  return crc32(`over ${id}`).toString(16);
}
