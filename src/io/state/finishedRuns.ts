/**
 * Which runs are over, so that what is unfinished is found without reading every journal. It is only a memory: a line
 * that is missing or wrong makes a journal be read again, and the line is added then.
 */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** A run and the size of its journal in bytes: a journal of another size is not the one that is remembered. */
export type Over = readonly [id: string, size: number];

/** The runs that are over, as far as it remembers, with the size of each one's journal in bytes. */
export function read(folder: string): ReadonlyMap<string, number> {
  let text: string;
  try {
    text = readFileSync(path(folder), 'utf8');
  } catch {
    return new Map();
  }
  const lines = text.split('\n').slice(0, -1);
  return new Map(
    lines.flatMap((line): [string, number][] => {
      const [id = '', size = '', sum] = line.split(' ');
      return sum === sumOf(`${id} ${size}`) ? [[id, Number(size)]] : [];
    }),
  );
}

/** Remembers runs that are over. Never throws: without it they are read again. */
export function add(folder: string, runs: readonly Over[]): void {
  if (runs.length === 0) return;
  try {
    appendFileSync(path(folder), lines(runs), { mode: 0o600 });
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
    ids.flatMap((id): Over[] => {
      const size = known.get(id);
      return size === undefined ? [] : [[id, size]];
    }),
  );
}

function path(folder: string): string {
  return join(folder, 'over');
}

/** Begins with a line break, so that a line that was torn off before spoils no other. */
function lines(runs: readonly Over[]): string {
  return `\n${runs.map(([id, size]) => `${id} ${size} ${sumOf(`${id} ${size}`)}\n`).join('')}`;
}

function sumOf(text: string): string {
  return crc32(`over ${text}`).toString(16);
}
