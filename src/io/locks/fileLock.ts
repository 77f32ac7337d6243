/**
 * An exclusive lock between processes: a file that names its holder. A holder that is known to be dead loses the lock,
 * so it is never stuck; a holder that cannot be asked, such as one on another machine, keeps it.
 */
import { closeSync, linkSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BaseError } from '../../core/base/Errors.js';
import * as atomicWrite from '../files/atomicWrite.js';
import * as regularFile from '../files/regularFile.js';
import * as lockRecord from './lockRecord.js';
import { type Identity, isExact } from './processes.js';

export type Holder = Pick<lockRecord.LockRecord, 'pid' | 'host'> & { isElsewhere: boolean };

/** Decides whether to take a lock from a holder that cannot be asked. Throws if the user declines. */
export type TakeOver = (holder: Holder) => Promise<boolean>;

const taken = new Map<string, Mine | 'pending'>();

/** What this process prepared for a lock: its record, as it will stand in the file, and its socket. */
type Mine = { record: lockRecord.LockRecord; socket: lockRecord.LockSocket | undefined };

/** An unreadable lock file that stays unchanged this long has no creator that is about to write it. */
const graceMs = 2_000;

/**
 * Waits for the lock and takes it. A lock handed over to this process is taken at once.
 *
 * @throws the file system's error if the lock file cannot be created; config.unwritable; the signal's reason
 */
export async function acquire(path: string, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    if (await tryAcquire(path)) return;
    await delay(10 + (process.pid % 16), undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
  }
}

/**
 * Takes the lock unless a process holds it that is alive or cannot be asked.
 *
 * @throws the file system's error if the lock file cannot be created; config.unwritable if it cannot exclude others
 */
export async function tryAcquire(path: string, takeOver?: TakeOver): Promise<boolean> {
  if (taken.has(path)) return false;
  taken.set(path, 'pending');
  let mine: Mine | undefined;
  let isTaken = false;
  try {
    for (let attempt = 0; attempt < attempts && !isTaken; attempt++) {
      if (attempt > 0) await delay(1);
      const found = read(path);
      if (found !== 'absent' && !(await mayTake(path, found, takeOver))) break;
      mine ??= await prepare(path);
      isTaken = found === 'absent' ? create(path, mine.record) : await replace(path, found, mine.record, takeOver);
    }
  } finally {
    if (mine && isTaken) {
      if (!isHooked) process.on('exit', releaseAll);
      isHooked = true;
      taken.set(path, mine);
    } else {
      mine?.socket?.close();
      taken.delete(path);
    }
  }
  return isTaken;
}

let isHooked = false;

/** A process that ends by itself removes its sockets, so that no other could ask whether it is alive. */
function releaseAll(): void {
  for (const path of [...taken.keys()]) release(path);
}

/** Several processes may be removing the lock of a dead one: the next attempt shows which of them has it. */
const attempts = 5;

type LockContent = lockRecord.LockRecord | 'unreadable';

/** Whether the lock may be taken from its holder: from itself, from a dead one, or because the user says so. */
async function mayTake(path: string, found: LockContent, takeOver: TakeOver | undefined): Promise<boolean> {
  if (found === 'unreadable') return await isAbandonedUnreadable(path);
  if (lockRecord.isOwn(found)) return true;
  const verdict = await lockRecord.judge(path, found);
  // It was released or taken while the holder was asked: the next attempt decides.
  if (verdict !== 'dead' && !isSame(read(path), found)) return true;
  return verdict === 'elsewhere' && takeOver ? await takeOver(toHolder(found, verdict)) : verdict === 'dead';
}

/** The holder of the lock, unless it is free or the holder is dead. */
export async function holder(path: string): Promise<Holder | undefined> {
  const found = read(path);
  if (typeof found === 'string') return undefined;
  const verdict = lockRecord.isOwn(found) ? 'alive' : await lockRecord.judge(path, found);
  return verdict === 'dead' ? undefined : toHolder(found, verdict);
}

/** The id of its process, or `12 on web-2` for one that cannot be asked. */
export function formatHolder({ pid, host, isElsewhere }: Holder): string {
  return isElsewhere ? `${pid} on ${host}` : String(pid);
}

export function adviceOn(holder: Holder | undefined): string {
  return holder?.isElsewhere
    ? 'ferry cannot see from here whether that process still runs. If you know that it has ended, use --take-over; if it has not, both would pay.'
    : 'Let it finish, or stop it first.';
}

/** Whether a process holds the lock that is not known to be dead. */
export async function isHeld(path: string): Promise<boolean> {
  const found = read(path);
  if (typeof found === 'string') return found === 'unreadable';
  return lockRecord.isOwn(found) || (await lockRecord.judge(path, found)) !== 'dead';
}

/** Whether the lock file exists but its holder has died. */
export async function isAbandoned(path: string): Promise<boolean> {
  return read(path) !== 'absent' && !(await isHeld(path));
}

/** Hands a lock held by this process over to a process that it started. */
export function handOver(path: string, to: Identity): void {
  const mine = taken.get(path);
  // It could not recognize the lock as its own, and takes it once this process releases it.
  if (mine === undefined || mine === 'pending' || !isExact(to)) return;
  atomicWrite.replaceUnsynced(path, JSON.stringify(lockRecord.handedTo(to, mine.record.token)));
  mine.socket?.close();
  taken.delete(path);
}

export function release(path: string): void {
  const mine = taken.get(path);
  if (mine === undefined || mine === 'pending') return;
  if (isSame(read(path), mine.record)) lockRecord.removeFile(path);
  mine.socket?.close();
  taken.delete(path);
}

function toHolder({ pid, host }: lockRecord.LockRecord, verdict: lockRecord.Verdict): Holder {
  return { pid, host, isElsewhere: verdict === 'elsewhere' };
}

async function prepare(path: string): Promise<Mine> {
  const token = Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(6))).toString('hex');
  const socket = await lockRecord.listen(lockRecord.socketOf(path, { token }));
  return { record: lockRecord.own(token, socket !== undefined), socket };
}

function create(path: string, record: lockRecord.LockRecord): boolean {
  const draft = join(dirname(path), `.${record.token}.new`);
  try {
    write(draft, record);
    try {
      linkSync(draft, path);
    } catch (error) {
      if (isThere(error)) return false;
      // Not every file system has hard links.
      if (!write(path, record)) return false;
    }
  } finally {
    lockRecord.removeFile(draft);
  }
  assertExclusive(path, record);
  return true;
}

/** Writes a new file; returns false if it exists. A full disk must leave no empty file, which would block others. */
function write(path: string, record: lockRecord.LockRecord): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (isThere(error)) return false;
    throw error;
  }
  try {
    writeSync(file, JSON.stringify(record));
  } catch (error) {
    lockRecord.removeFile(path);
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

/** @throws config.unwritable if the file system creates a file that exists already */
function assertExclusive(path: string, record: lockRecord.LockRecord): void {
  let second: number;
  try {
    second = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (isThere(error) && isSame(read(path), record)) return;
    throw isThere(error) ? unlockableError(path) : error;
  }
  closeSync(second);
  lockRecord.removeFile(path);
  throw unlockableError(path);
}

/**
 * Replaces the lock of a process that lost it. Only one process at a time may do so, under a second lock held for an
 * instant: otherwise a later process could replace the lock that an earlier one has just created.
 */
async function replace(
  path: string,
  found: LockContent,
  record: lockRecord.LockRecord,
  takeOver: TakeOver | undefined,
): Promise<boolean> {
  const guard = `${path}.recovery`;
  if (!create(guard, record)) {
    const other = read(guard);
    if (other !== 'absent' && (await mayTake(guard, other, takeOver)) && isSame(read(guard), other))
      lockRecord.removeFile(guard);
    return false;
  }
  try {
    if (!isSame(read(path), found)) return false;
    // In one step: a third process must not find it free in between.
    const draft = join(dirname(path), `.${record.token}.new`);
    write(draft, record);
    renameSync(draft, path);
    if (found !== 'unreadable') lockRecord.removeFile(lockRecord.socketOf(path, found));
    return true;
  } finally {
    lockRecord.removeFile(guard);
  }
}

/** Waits to see whether an unreadable lock file is being written. Returns whether it stayed unreadable. */
async function isAbandonedUnreadable(path: string): Promise<boolean> {
  const before = changedAt(path);
  await delay(graceMs);
  return read(path) === 'unreadable' && changedAt(path) === before;
}

function changedAt(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ctimeNs;
}

function isSame(a: LockContent | 'absent', b: LockContent | 'absent'): boolean {
  return typeof a === 'string' || typeof b === 'string' ? a === b : a.token === b.token && a.pid === b.pid;
}

function read(path: string): LockContent | 'absent' {
  try {
    return lockRecord.read(regularFile.read(path)) ?? 'unreadable';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : 'unreadable';
  }
}

function isThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}

function unlockableError(path: string): BaseError {
  return new BaseError(
    'config.unwritable',
    `The file system of ${dirname(path)} cannot lock files. Nothing was signed.`,
    {
      facts: [['lock', path]],
      hint: 'Two ferry processes there could pay for the same transfer. Set FERRY_STATE_DIR to a folder on a disk of this machine.',
    },
  );
}
