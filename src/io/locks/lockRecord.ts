/** The content of a lock file: which process holds it, and how others find out whether that process is alive. */
import { createHash } from 'node:crypto';
import { readFileSync, statfsSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { attempt } from '../files/attempt.js';
import { objectIn } from '../files/jsonObject.js';
import * as lockSocket from './lockSocket.js';
import { type Identity, isAlive, isExact, isIdentity, isSame, ownScope, type Scope, self } from './processes.js';

export type LockRecord = Identity &
  Scope & {
    /** Unique to one acquisition. */
    token: string;
    /** The name of the machine or container, for people. */
    host: string;
    /** A digest of the machine's id; empty if it has none. */
    machine: string;
    /** Whether the holder listens at a socket beside the lock. */
    hasSocket: boolean;
  };

/**
 * `elsewhere`: the holder is on another machine, or in another container on a file system without sockets, so that it
 * cannot be asked.
 */
export type Verdict = 'alive' | 'dead' | 'elsewhere';

export function own(token: string, hasSocket: boolean): LockRecord {
  return { token, ...self(), ...ownScope(), host: host(), machine: machine(), hasSocket };
}

/** The record of a lock handed over to a process started by this one, which has no socket yet. */
export function handedTo(heir: Identity, token: string): LockRecord {
  return { ...own(token, false), ...heir };
}

export function isOwn(record: LockRecord): boolean {
  return isExact(record) && isSame(record, self()) && isVisible(record);
}

/** Whether process ids mean the same to this process and to the holder. */
function isVisible({ kernel, namespace }: LockRecord): boolean {
  const here = ownScope();
  return here.namespace !== '' && namespace === here.namespace && kernel === here.kernel;
}

/** Parses the text of a lock file; undefined if it is invalid. */
export function read(text: string): LockRecord | undefined {
  const value = objectIn<LockRecord>(text) ?? {};
  const { token, kernel, namespace, host, machine: id, hasSocket } = value;
  const texts = [kernel, namespace, id];
  const isValid =
    isIdentity(value) &&
    typeof hasSocket === 'boolean' &&
    texts.every((each) => typeof each === 'string') &&
    isHost(host);
  return isValid && /^[0-9a-f]{12}$/.test(token ?? '') ? (value as LockRecord) : undefined;
}

/** Printed in errors, so nothing that a terminal would obey. */
function isHost(text: unknown): boolean {
  return typeof text === 'string' && /^[\w.-]{1,253}$/.test(text);
}

export function socketOf(path: string, { token }: Pick<LockRecord, 'token'>): string {
  return join(dirname(path), `.${token}.sock`);
}

export async function judge(path: string, holder: LockRecord): Promise<Verdict> {
  const here = ownScope();
  if (here.kernel === '' || holder.kernel !== here.kernel) return isOfEarlierBoot(path, holder) ? 'dead' : 'elsewhere';
  if (isVisible(holder) && isExact(holder)) return isAlive(holder) ? 'alive' : 'dead';
  const answer = holder.hasSocket ? await lockSocket.ask(socketOf(path, holder)) : 'silent';
  if (answer === 'silent') return !isVisible(holder) ? 'elsewhere' : isAlive(holder) ? 'alive' : 'dead';
  return answer === 'accepts' ? 'alive' : 'dead';
}

/**
 * Whether the holder ran on this machine before it was restarted. A disk of this machine cannot be in use by another
 * kernel, and a folder that came with a copied disk names another machine.
 */
function isOfEarlierBoot(path: string, holder: LockRecord): boolean {
  const isHere = holder.host === host() && holder.machine === machine();
  return ownScope().kernel !== '' && holder.kernel !== '' && isHere && isOnOwnDisk(dirname(path));
}

/** The types of file systems that only one kernel uses at a time, as `statfs` of Linux reports them. */
const ownDisks: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
]);

function isOnOwnDisk(folder: string): boolean {
  // macOS numbers its file systems anew at each start, and two Macs may have one name: the user decides.
  if (process.platform !== 'linux') return false;
  return attempt(() => ownDisks.has(statfsSync(folder).type)) ?? false;
}

/** The name of this machine, as `read` accepts it. */
function host(): string {
  const name = hostname()
    .replace(/[^\w.-]/g, '_')
    .slice(0, 253);
  return name === '' ? 'unknown' : name;
}

let machineId: string | undefined;

function machine(): string {
  const read = (): string => createHash('sha256').update(readFileSync('/etc/machine-id')).digest('hex').slice(0, 16);
  machineId ??= attempt(read) ?? '';
  return machineId;
}
