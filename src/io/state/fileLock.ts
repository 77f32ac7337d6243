/**
 * An exclusive lock between processes: a file that names its holder. A holder that died is found out by its start
 * time, so a lock is never left behind for good and never taken from the living.
 */
import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as atomicWrite from '../files/atomicWrite.js';
import { type Identity, isAlive, isIdentity, isSame, self } from './processes.js';

/** Taken by something in this process, which the file cannot tell from something else in it. */
const taken = new Set<string>();

/** A file that is not yet or no longer readable counts as held for that long: its maker is about to write it. */
const graceMs = 2_000;

/**
 * Waits for the lock and takes it. A lock that was handed over to this process is its own already.
 *
 * @throws the file system's error where the lock file cannot be made; the signal's reason
 */
export async function acquire(path: string, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    if (tryAcquire(path)) return;
    await delay(10 + (process.pid % 16), undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
  }
}

/** Takes the lock if nobody alive holds it. @throws the file system's error where the file cannot be made */
export function tryAcquire(path: string): boolean {
  if (taken.has(path) || !isFree(path)) return false;
  taken.add(path);
  return true;
}

/** Whether it was free, or this process's own, and is now taken. */
function isFree(path: string): boolean {
  if (make(path)) return true;
  const holder = read(path);
  if (holder === 'absent') return make(path);
  if (holder !== 'unreadable' && isSame(holder, self())) return true;
  return isStale(path, holder) && recover(path);
}

/** Who holds it and lives. */
export function holder(path: string): Identity | undefined {
  const found = read(path);
  return typeof found === 'string' || !isAlive(found) ? undefined : found;
}

/** Whether somebody alive holds it, or is about to. */
export function isHeld(path: string): boolean {
  const found = read(path);
  return found !== 'absent' && !isStale(path, found);
}

/** Whether it is there and nobody alive holds it. */
export function isAbandoned(path: string): boolean {
  const found = read(path);
  return found !== 'absent' && isStale(path, found);
}

/** Makes another process the holder of a lock that this process holds. */
export function handOver(path: string, to: Identity): void {
  atomicWrite.replaceUnsynced(path, JSON.stringify(to));
  taken.delete(path);
}

/** Gives it up if this process holds it. */
export function release(path: string): void {
  const holder = read(path);
  if (typeof holder !== 'string' && isSame(holder, self())) remove(path);
  taken.delete(path);
}

/** Makes the file with this process in it, unless it is there. */
function make(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(file, JSON.stringify(self()));
  } catch (error) {
    // A disk that is full leaves an empty file, which would keep everybody waiting.
    remove(path);
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

/**
 * Clears away a lock whose holder died and takes it. Only one process at a time may do so, under a lock of its own
 * that is held for an instant: else the second to come would remove the lock that the first has just made.
 */
function recover(path: string): boolean {
  const guard = `${path}.recovery`;
  if (!make(guard)) {
    const holder = read(guard);
    if (holder !== 'absent' && isStale(guard, holder)) remove(guard);
    return false;
  }
  try {
    const holder = read(path);
    if (holder !== 'absent' && isStale(path, holder)) remove(path);
    return make(path);
  } finally {
    remove(guard);
  }
}

function isStale(path: string, holder: Identity | 'unreadable' | 'absent'): boolean {
  if (holder === 'absent') return true;
  if (holder !== 'unreadable') return !isAlive(holder);
  try {
    return Date.now() - statSync(path).mtimeMs > graceMs;
  } catch {
    return true;
  }
}

function read(path: string): Identity | 'unreadable' | 'absent' {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isIdentity(value) ? value : 'unreadable';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : 'unreadable';
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else removed it.
  }
}
