/**
 * What this machine knows of the stores that it uses, in files of its own: how far each was, and a copy of every run of
 * which it has signed or sent something. A store that has lost its tail is noticed by the one, and gets it back from the other.
 *
 * A run is copied after the store has an entry that announces an act, and before the act; so is a run that this machine
 * takes over.
 */
import {
  appendFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import * as atomicWrite from '../files/atomicWrite.js';
import { attempt } from '../files/attempt.js';
import { objectIn } from '../files/jsonObject.js';
import * as regularFile from '../files/regularFile.js';
import type { Host } from '../terminal/host.js';
import { type Environment, stateDir } from './paths.js';

/** How far a store was when this machine last wrote to it. */
export type Remembered = {
  /** The server, its timeline and the database. */
  place: string;
  /** How often the store had been found to lack something. */
  loss: number;
  /** How often this machine had written there what announces an act. */
  writes: string;
  /** The position in the server's log. */
  lsn: string;
};

/** An entry of a run, or a nonce that it uses. */
export type Kept =
  | { n: number; text: string }
  | { counter: string; sequence: string; nonce: string; txHash: string | null };

/** A run of which this machine has a copy. */
export type KeptRun = { run: string; texts: readonly string[]; uses: readonly Extract<Kept, { counter: string }>[] };

export type StoreMemory = ReturnType<typeof createStoreMemory>;

/** A copy that is older than this is not put back any more, and removed. */
const keptMs = 30 * 24 * 3_600_000;

/** What the state of a store takes in its file, at most: it is written in one piece. */
const width = 400;

export function createStoreMemory(host: Environment & Pick<Host, 'now' | 'randomBytes'>) {
  const root = join(stateDir(host), 'store');
  const folderOf = (store: string): string => join(root, store.replace(/[^0-9a-f]/g, ''));
  const created = new Set<string>();
  const path = join(root, 'machine');
  let name: string | undefined;
  const findMachine = (): string | undefined => {
    name ??= textOf(path)?.trim() || undefined;
    return name;
  };
  return {
    findMachine,
    /** The name of this machine, made at first use. @throws the file system's error */
    machine(): string {
      const found = findMachine();
      if (found) return found;
      mkdirSync(root, { recursive: true, mode: 0o700 });
      try {
        atomicWrite.create(path, `${Buffer.from(host.randomBytes(16)).toString('hex')}\n`);
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
      }
      name = readFileSync(path, 'utf8').trim();
      return name;
    },
    read(store: string) {
      // Undefined also if a crash of the machine has cut it off.
      return objectIn<Remembered>(textOf(join(folderOf(store), 'mark')) ?? '') as Remembered | undefined;
    },
    /** @throws the file system's error */
    write(store: string, remembered: Remembered): void {
      mkdirSync(folderOf(store), { recursive: true, mode: 0o700 });
      writeAt(join(folderOf(store), 'mark'), JSON.stringify(remembered).padEnd(width));
    },
    /** Adds to the copy of a run. Durable when it returns, if `isFlushed`. @throws the file system's error */
    keep(store: string, run: string, kept: readonly Kept[], isFlushed: boolean): void {
      const day = join(folderOf(store), run.slice(0, 8));
      const path = join(day, `${run}.jsonl`);
      const isNew = !created.has(path);
      if (isNew && mkdirSync(day, { recursive: true, mode: 0o700 }) !== undefined)
        removeOld(folderOf(store), host.now());
      // A line that a crash has cut off ends here.
      regularFile.append(path, `\n${kept.map((each) => `${JSON.stringify(each)}\n`).join('')}`, { isFlushed });
      if (isFlushed && isNew) atomicWrite.syncFolder(day);
      created.add(path);
      if (created.size > 1_000) created.clear();
    },
    run(store: string, run: string): KeptRun | undefined {
      // It may be what somebody has typed, or has written to the store.
      const text = /^[\w-]+$/.test(run) ? textOf(join(folderOf(store), run.slice(0, 8), `${run}.jsonl`)) : undefined;
      return text === undefined ? undefined : { run, ...read(text) };
    },
    *runs(store: string): Generator<KeptRun> {
      for (const day of daysIn(folderOf(store)))
        for (const name of readdirSync(join(folderOf(store), day))) {
          if (!name.endsWith('.jsonl')) continue;
          yield {
            run: name.slice(0, -'.jsonl'.length),
            ...read(readFileSync(join(folderOf(store), day, name), 'utf8')),
          };
        }
    },
  };
}

/** Lines that are whole, each once: a run that is opened again is copied again. */
function read(text: string): Pick<KeptRun, 'texts' | 'uses'> {
  const texts: string[] = [];
  const uses = new Map<string, KeptRun['uses'][number]>();
  for (const line of text.split('\n')) {
    const kept = objectIn<Kept>(line) as Kept | undefined;
    if (!kept) continue;
    if ('counter' in kept) uses.set(`${kept.counter} ${kept.sequence} ${kept.nonce}`, kept);
    else if (kept.n === texts.length) texts.push(kept.text);
  }
  return { texts, uses: [...uses.values()] };
}

function daysIn(folder: string): string[] {
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names.filter((name) => /^\d{8}$/.test(name)).sort();
}

function removeOld(folder: string, nowMs: number): void {
  const oldest = new Date(nowMs - keptMs).toISOString().slice(0, 10).replaceAll('-', '');
  for (const day of daysIn(folder)) if (day < oldest) rmSync(join(folder, day), { recursive: true, force: true });
}

/** Over what is there, in one write and durably: several processes may do so. */
function writeAt(path: string, text: string): void {
  regularFile.use(path, 'r+', (file) => {
    writeSync(file, text, 0);
    fsyncSync(file);
  });
}

function textOf(path: string): string | undefined {
  return attempt(() => regularFile.read(path));
}

/** Which store is at an address, as this machine has found it the first time: another one there is noticed. */
export function pinnedAt(place: Environment, address: string): string | undefined {
  const path = pinsOf(place);
  const lines = existsSync(path) ? regularFile.read(path).split('\n') : [];
  return lines.map((line) => line.split(' ')).findLast(([known]) => known === address)?.[1];
}

/** From now on, that store is at that address. */
export function pin(place: Environment, address: string, id: string): void {
  mkdirSync(join(pinsOf(place), '..'), { recursive: true, mode: 0o700 });
  // A line that a crash has cut off ends here.
  appendFileSync(pinsOf(place), `\n${address} ${id}\n`, { mode: 0o600 });
}

function pinsOf(place: Environment): string {
  return join(stateDir(place), 'worker', 'stores');
}
