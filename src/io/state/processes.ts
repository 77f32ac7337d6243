/** Other processes of this machine, told apart by when they started: a process id alone is used again sooner or later. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export type Identity = {
  pid: number;
  /** What the operating system says about when it started; only ever compared. */
  startTime: string;
};

/** The living process of an id; undefined where there is none, or only the remains of one. */
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

/** Whether that very process still lives. */
export function isAlive(identity: Identity): boolean {
  return identify(identity.pid)?.startTime === identity.startTime;
}

/** Whether both are the same process. */
export function isSame(a: Identity, b: Identity): boolean {
  return a.pid === b.pid && a.startTime === b.startTime;
}

/** Sends the signal to those that still live. */
export function signal(identities: readonly Identity[], name: NodeJS.Signals): void {
  for (const identity of identities)
    try {
      if (isAlive(identity)) process.kill(identity.pid, name);
    } catch {
      // It ended between the look and the signal.
    }
}

/** Waits until all of them are gone, at most that long. Resolves to whether they are. */
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
 * Clock ticks since boot, and which boot: the ticks are the twenty-second field, counted after the name, which may hold
 * spaces and brackets.
 */
function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Z and X are the remains of a process whose parent has not asked for its exit code.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${fields[19]}@${boot()}`;
  } catch {
    return undefined;
  }
}

let bootId: string | undefined;

/** Ticks are counted anew after each boot, so a file from before it may fit another process by chance. */
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
