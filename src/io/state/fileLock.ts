/**
 * An exclusive lock between processes: a file that names its holder. A dead holder is recognized by its start time, so
 * a lock is never stuck and never taken from a living process.
 */
import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as atomicWrite from '../files/atomicWrite.js';
import { type Identity, isAlive, isIdentity, isSame, self } from './processes.js';

/** Locks held within this process. The file only identifies the process. */
const taken = new Set<string>();

/** An unreadable lock file counts as held for this long: its creator may be about to write it. */
const graceMs = 2_000;

/**
 * Waits for the lock and takes it. A lock handed over to this process is taken at once.
 *
 * @throws the file system's error if the lock file cannot be created; the signal's reason
 */
export async function acquire(path: string, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    if (tryAcquire(path)) return;
    await delay(10 + (process.pid % 16), undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
  }
}

/** Takes the lock unless a living process holds it. @throws the file system's error if the file cannot be created */
export function tryAcquire(path: string): boolean {
  if (taken.has(path) || !isFree(path)) return false;
  taken.add(path);
  return true;
}

/** Whether the lock was free, or this process's own, and is now taken. */
function isFree(path: string): boolean {
  if (make(path)) return true;
  const holder = read(path);
  if (holder === 'absent') return make(path);
  if (holder !== 'unreadable' && isSame(holder, self())) return true;
  return isStale(path, holder) && recover(path);
}

/** The living holder of the lock, if any. */
export function holder(path: string): Identity | undefined {
  const found = read(path);
  return typeof found === 'string' || !isAlive(found) ? undefined : found;
}

/** Whether a living process holds the lock, or is about to. */
export function isHeld(path: string): boolean {
  const found = read(path);
  return found !== 'absent' && !isStale(path, found);
}

/** Whether the lock file exists but its holder has died. */
export function isAbandoned(path: string): boolean {
  const found = read(path);
  return found !== 'absent' && isStale(path, found);
}

/** Hands a lock held by this process over to another process. */
export function handOver(path: string, to: Identity): void {
  atomicWrite.replaceUnsynced(path, JSON.stringify(to));
  taken.delete(path);
}

/** Releases the lock if this process holds it. */
export function release(path: string): void {
  const holder = read(path);
  if (typeof holder !== 'string' && isSame(holder, self())) remove(path);
  taken.delete(path);
}

/** Creates the lock file for this process, unless it exists. */
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
    // A full disk leaves an empty file, which would block all processes.
    remove(path);
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

/**
 * Removes a lock whose holder died and takes it. Only one process at a time may do so, under a second lock held for an
 * instant: otherwise a later process could remove the lock that an earlier one has just created.
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
    // Another process removed it.
  }
}
