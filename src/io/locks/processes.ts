/** Other processes of this machine, identified by process id and start time, because process ids are reused. */
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { attempt } from '../files/attempt.js';

export type Identity = {
  pid: number;
  /** The operating system's representation of the start time; only ever compared. `unknown` if it reports none. */
  startTime: string;
};

/** Identifies a living process by id; undefined if there is none, or only a zombie. */
export function identify(pid: number): Identity | undefined {
  const startTime = process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

let own: Identity | undefined;

export function self(): Identity {
  own ??= { pid: process.pid, startTime: unknown, ...identify(process.pid) };
  return own;
}

/** The start time of a process on a system without `/proc` and `ps`. */
const unknown = 'unknown';

/** Whether the start time is known, so that no later process can have the same identity. */
export function isExact({ startTime }: Identity): boolean {
  return startTime !== unknown;
}

/** Whether this exact process is still alive. */
export function isAlive(identity: Identity): boolean {
  return identify(identity.pid)?.startTime === identity.startTime;
}

export function isSame(a: Identity, b: Identity): boolean {
  return a.pid === b.pid && a.startTime === b.startTime;
}

/** Sends a signal to those that are still alive. A process of unknown start time might be another one by now. */
export function signal(identities: readonly Identity[], name: NodeJS.Signals): void {
  // It may exit between the check and the signal.
  for (const identity of identities)
    attempt(() => isExact(identity) && isAlive(identity) && process.kill(identity.pid, name));
}

/** Waits until all of them have exited, up to the timeout. Resolves to whether they have. */
export async function gone(identities: readonly Identity[], timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (identities.some(isAlive)) {
    if (performance.now() > deadline) return false;
    await delay(10);
  }
  return true;
}

export function isIdentity(value: unknown): value is Identity {
  const { pid, startTime } = (value ?? {}) as Partial<Identity>;
  return Number.isSafeInteger(pid) && Number(pid) > 0 && typeof startTime === 'string' && startTime !== '';
}

/** The scope of process ids: those of another container or machine mean other processes. */
export type Scope = {
  /** The running kernel; empty if it cannot be told. It changes when the machine restarts. */
  kernel: string;
  /** The namespace of process ids; empty if this process does not see its own in `/proc`. */
  namespace: string;
};

let scope: Scope | undefined;

export function ownScope(): Scope {
  scope ??=
    process.platform === 'linux'
      ? { kernel: boot(), namespace: namespace() }
      : { kernel: output('sysctl', ['-n', 'kern.bootsessionuuid']) ?? '', namespace: 'all' };
  return scope;
}

/** Empty in a container that was given the `/proc` of its host. */
function namespace(): string {
  const read = (): string =>
    readlinkSync('/proc/self') === String(process.pid) ? readlinkSync('/proc/self/ns/pid') : '';
  return attempt(read) ?? '';
}

/**
 * Start time in clock ticks since boot, plus the boot id. The ticks are field 22 of the stat line; fields are counted
 * from the end of the process name, which may contain spaces and parentheses.
 */
function fromProc(pid: number): string | undefined {
  // `/proc` is missing, or shows the processes of another namespace.
  if (ownScope().namespace === '') return isRunning(pid) ? unknown : undefined;
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Z and X are processes that have exited but have not been reaped.
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${fields[19]}@${boot()}`;
}

let bootId: string | undefined;

/** Ticks restart at each boot, so a record from before a reboot could match another process by chance. */
function boot(): string {
  bootId ??= attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? '';
  return bootId;
}

function fromPs(pid: number): string | undefined {
  const line = output('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
  // Without ps, or without this process in it.
  if (line === undefined) return isRunning(pid) ? unknown : undefined;
  const [stat = '', ...started] = line.split(/\s+/);
  return stat.startsWith('Z') || started.length === 0 ? undefined : started.join(' ');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The output of a program; undefined if it is missing or fails. */
function output(program: string, args: readonly string[]): string | undefined {
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  const env = { PATH: process.env.PATH ?? '/bin:/usr/bin', LC_ALL: 'C' };
  return attempt(() =>
    execFileSync(program, args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] }).trim(),
  );
}
