/**
 * The folder of a sandbox's state: one file says what it is, the others are logs and states of chains.
 *
 * Each change is written before the answer that tells of it, so a kill loses nothing, or is told: a chain is written soon
 * after it has changed, and says until then that it has. After a stop no log may be shorter than it was. If anything is
 * damaged or missing, a new instance begins, and runs of the old one say so.
 *
 * `ledger.log`: requests, claims, the sponsor's balance; unpaid quotes go a day after their order has expired, since a
 * late deposit is refunded until then. `venue.log`: the venue's accounts and transfers. `alpha.state`, `alpha.changed`: a
 * chain, and what it does not have yet. `svm.log`: each transaction of the chain of Solana's kind, all of them in memory
 * too, without a bound. `instance.json`: which instance it is.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as atomicWrite from '../../io/files/atomicWrite.js';
import { StateFileError } from '../storage/frameLog.js';

/** A state that could not be continued. */
export type Lost = {
  /** The id of the instance that is gone; null if it is not known. */
  instance: string | null;
  /** Unix time in milliseconds at which that was noticed. */
  atMs: number;
  /** What was wrong, to follow "its state". */
  why: string;
};

export type LogName = 'ledger' | 'venue' | 'svm';

export type Identity = {
  /** Version of ferry that writes the state; other versions deploy other contracts. */
  version: string;
  instance: string;
  seed: string;
  /** Why the instance before this one is gone; undefined if a reset ended it, or there was none. */
  lost?: Lost | undefined;
  /** Whether the last run wrote everything before it ended. */
  isStopped: boolean;
  /** Bytes of each log at that end. */
  logBytes?: Readonly<Record<LogName, number>> | undefined;
};

/** The only version of ferry whose state is usable. */
export const version = process.env.FERRY_VERSION ?? '0.0.0-dev';

/** The folder of the state within a state directory. */
export function folderOf(stateDir: string): string {
  return join(stateDir, 'sandbox', 'state');
}

/** The file that says what the state is. */
export function identityFile(stateDir: string): string {
  return join(folderOf(stateDir), 'instance.json');
}

/**
 * What the next start continues; undefined if there is nothing.
 *
 * @throws StateFileError if there is a state that cannot be read
 */
export function read(stateDir: string): Identity | Lost | undefined {
  const path = identityFile(stateDir);
  const lost = (why: string, instance: string | null = null): Lost => ({ instance, atMs: Date.now(), why });
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new StateFileError(path, 'read', error);
    return existsSync(folderOf(stateDir)) ? lost('is incomplete') : undefined;
  }
  try {
    const state = JSON.parse(text) as Partial<Identity>;
    const instance = typeof state.instance === 'string' ? state.instance : null;
    if (typeof state.version === 'string' && state.version !== version)
      return lost('was saved by another version of ferry', instance);
    const isComplete = typeof state.version === 'string' && instance !== null && typeof state.seed === 'string';
    return isComplete ? (state as Identity) : lost('is damaged', instance);
  } catch {
    return lost('is damaged');
  }
}

/** Whether a state is one that cannot be continued. */
export function isLost(state: Identity | Lost): state is Lost {
  return 'why' in state;
}

/** Replaces what the folder holds by a new state. @throws StateFileError */
export function begin(stateDir: string, identity: Identity): void {
  remove(stateDir);
  writing(folderOf(stateDir), (folder) => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  write(stateDir, identity);
}

/** @throws StateFileError */
export function write(stateDir: string, identity: Identity): void {
  writing(identityFile(stateDir), (path) => {
    // A removed folder is not created again.
    readdirSync(folderOf(stateDir));
    atomicWrite.replace(path, JSON.stringify(identity));
    if (!existsSync(reserveFile(stateDir))) writeFileSync(reserveFile(stateDir), 'x'.repeat(reserveBytes));
  });
}

/** Removes the state. @throws StateFileError */
export function remove(stateDir: string): void {
  writing(folderOf(stateDir), (path) => rmSync(path, { recursive: true, force: true }));
}

/** @throws StateFileError */
function writing(path: string, work: (path: string) => void): void {
  try {
    work(path);
  } catch (error) {
    throw new StateFileError(path, 'written', error);
  }
}

export function logFile(stateDir: string, name: LogName): string {
  return join(folderOf(stateDir), `${name}.log`);
}

/** Gives back the room that is kept for saying that the disk is full. */
export function releaseReserve(stateDir: string): void {
  rmSync(reserveFile(stateDir), { force: true });
}

function reserveFile(stateDir: string): string {
  return join(folderOf(stateDir), 'reserve');
}

const reserveBytes = 65_536;
