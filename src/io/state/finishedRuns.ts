/**
 * An index of finished runs, which makes it possible to find unfinished ones without reading every journal. It is only
 * a cache: if a line is missing or wrong, the journal is read again and the line is added.
 */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** A finished run and the size of its journal in bytes. A journal of another size has changed and is read again. */
export type Over = readonly [id: string, size: number];

/** The indexed runs, each with the size of its journal in bytes. */
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

/** Adds finished runs to the index. Never throws: without the index their journals are just read again. */
export function add(folder: string, runs: readonly Over[]): void {
  if (runs.length === 0) return;
  try {
    appendFileSync(path(folder), lines(runs), { mode: 0o600 });
  } catch {
    // The index can be rebuilt at any time.
  }
}

/** Removes all other runs from the index. */
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

/** Starts with a line break, so that a torn last line does not corrupt the next one. */
function lines(runs: readonly Over[]): string {
  return `\n${runs.map(([id, size]) => `${id} ${size} ${sumOf(`${id} ${size}`)}\n`).join('')}`;
}

function sumOf(text: string): string {
  return crc32(`over ${text}`).toString(16);
}
