/** The content of a lock file: which process holds it, and how others find out whether that process is alive. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, statfsSync, unlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../files/attempt.js';
import { objectIn } from '../files/jsonObject.js';
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
  const texts = [kernel, namespace, host, id];
  const isValid =
    isIdentity(value) &&
    typeof hasSocket === 'boolean' &&
    texts.every((each) => typeof each === 'string') &&
    // Printed in errors, so nothing that a terminal would obey.
    /^[\w.-]{1,253}$/.test(String(host));
  return isValid && /^[0-9a-f]{12}$/.test(token ?? '') ? (value as LockRecord) : undefined;
}

export function socketOf(path: string, { token }: Pick<LockRecord, 'token'>): string {
  return join(dirname(path), `.${token}.sock`);
}

export async function judge(path: string, holder: LockRecord): Promise<Verdict> {
  const here = ownScope();
  if (here.kernel === '' || holder.kernel !== here.kernel) return isOfEarlierBoot(path, holder) ? 'dead' : 'elsewhere';
  if (isVisible(holder) && isExact(holder)) return isAlive(holder) ? 'alive' : 'dead';
  const answer = holder.hasSocket ? await ask(socketOf(path, holder)) : 'silent';
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

/**
 * A Unix socket beside a lock file, by which other processes ask whether the holder is alive. The kernel accepts a
 * connection as long as the process exists, even if it is frozen, and refuses it once the process is gone. That holds
 * across the containers of one kernel, which do not see each other's process ids.
 */
export type LockSocket = { close(): void };

/** Listens at a path; undefined if the file system has no sockets. The socket does not keep the process alive. */
export async function listen(path: string): Promise<LockSocket | undefined> {
  const server = createServer((client) => client.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      withShortPath(path, (short) => server.listen(short, resolve));
    });
  } catch {
    return undefined;
  }
  server.unref();
  return {
    close() {
      removeFile(path);
      server.close();
    },
  };
}

/**
 * Whether the process that listens at a path is alive: `accepts` if it is, `refuses` if it has died, `silent` if that
 * cannot be told.
 */
export async function ask(path: string): Promise<'accepts' | 'refuses' | 'silent'> {
  return await new Promise((resolve) => {
    try {
      withShortPath(path, (short) => {
        const client = connect(short)
          .once('connect', () => {
            client.destroy();
            resolve('accepts');
          })
          .once('error', ({ code }: NodeJS.ErrnoException) => {
            // EAGAIN: a frozen process has a full queue of connections.
            resolve(code === 'EAGAIN' ? 'accepts' : code === 'ECONNREFUSED' ? 'refuses' : 'silent');
          });
      });
    } catch {
      resolve('silent');
    }
  });
}

/** Another process may have removed it. */
export function removeFile(path: string): void {
  attempt(() => unlinkSync(path));
}

/** The longest path of a socket on macOS, which is shorter than on Linux. */
const longest = 103;

/** Calls back with a path that is short enough for a socket; on Linux, that of the folder's descriptor. */
function withShortPath(path: string, act: (short: string) => void): void {
  if (Buffer.byteLength(path) <= longest) {
    act(path);
    return;
  }
  const folder = openSync(dirname(path), 'r');
  try {
    act(join(`/proc/self/fd/${folder}`, basename(path)));
  } finally {
    closeSync(folder);
  }
}
