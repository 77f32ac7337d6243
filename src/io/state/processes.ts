/** Other processes of this machine, identified by process id and start time, because process ids are reused. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export type Identity = {
  pid: number;
  /** The operating system's representation of the start time; only ever compared. */
  startTime: string;
};

/** Identifies a living process by id; undefined if there is none, or only a zombie. */
export function identify(pid: number): Identity | undefined {
  const startTime = process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

/** This process. */
export function self(): Identity {
  const own = identify(process.pid);
  if (!own) throw new Error('The operating system does not say when this process started.');
  return own;
}

/** Whether this exact process is still alive. */
export function isAlive(identity: Identity): boolean {
  return identify(identity.pid)?.startTime === identity.startTime;
}

/** Whether both are the same process. */
export function isSame(a: Identity, b: Identity): boolean {
  return a.pid === b.pid && a.startTime === b.startTime;
}

/** Sends a signal to those that are still alive. */
export function signal(identities: readonly Identity[], name: NodeJS.Signals): void {
  for (const identity of identities)
    try {
      if (isAlive(identity)) process.kill(identity.pid, name);
    } catch {
      // It exited between the check and the signal.
    }
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

/** Whether a value read from a file is an identity. */
export function isIdentity(value: unknown): value is Identity {
  const { pid, startTime } = (value ?? {}) as Partial<Identity>;
  return Number.isSafeInteger(pid) && Number(pid) > 0 && typeof startTime === 'string' && startTime !== '';
}

/**
 * Start time in clock ticks since boot, plus the boot id. The ticks are field 22 of the stat line; fields are counted
 * from the end of the process name, which may contain spaces and parentheses.
 */
function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Z and X are processes that have exited but have not been reaped.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${fields[19]}@${boot()}`;
  } catch {
    return undefined;
  }
}

let bootId: string | undefined;

/** Ticks restart at each boot, so a record from before a reboot could match another process by chance. */
function boot(): string {
  try {
    bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    bootId = '';
  }
  return bootId;
}

function fromPs(pid: number): string | undefined {
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '/bin:/usr/bin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const [stat = '', ...started] = line.split(/\s+/);
    return stat.startsWith('Z') || started.length === 0 ? undefined : started.join(' ');
  } catch {
    return undefined;
  }
}
