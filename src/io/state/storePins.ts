/** Which store is at which address, as this machine has found it the first time: another one there is noticed. */
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as regularFile from '../files/regularFile.js';
import { type Environment, stateDir } from './paths.js';

/** The id of the store at an address; undefined if this machine knows none there. */
export function find(place: Environment, address: string): string | undefined {
  const path = pathOf(place);
  const lines = existsSync(path) ? regularFile.read(path).split('\n') : [];
  return lines.map((line) => line.split(' ')).findLast(([known]) => known === address)?.[1];
}

/** From now on, that store is at that address. */
export function add(place: Environment, address: string, id: string): void {
  mkdirSync(join(pathOf(place), '..'), { recursive: true, mode: 0o700 });
  // A line that a crash has cut off ends here.
  appendFileSync(pathOf(place), `\n${address} ${id}\n`, { mode: 0o600 });
}

function pathOf(place: Environment): string {
  return join(stateDir(place), 'worker', 'stores');
}
