/**
 * Commands in a container of their own: other process ids, and if asked for another machine, another clock, or a file
 * system that cannot lock. Real namespaces where `unshare` works.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuiltFerry, Ended } from './builtFerry.js';
import { signal } from './processes.js';

export type Container = {
  /** The name of another machine, with a kernel of its own. */
  machine?: string;
  /** Milliseconds by which its clock is ahead. */
  clockMs?: number;
  /** Whether its file system creates a file that exists already. */
  cannotLock?: boolean;
};

export type Running = {
  ended: Promise<Ended>;
  /** Freezes, wakes or kills every process of the container. */
  signal(name: NodeJS.Signals): void;
};

/** Whether this machine lets the tests create namespaces. */
export const hasContainers = spawnSync('unshare', ['-rmpuf', 'true']).status === 0;

const lying = `const fs = require('node:fs'); const { openSync } = fs;
fs.linkSync = () => { throw Object.assign(new Error('no links'), { code: 'EPERM' }); };
fs.openSync = (path, flags, mode) => openSync(path, flags === 'wx' ? 'w' : flags, mode);
require('node:module').syncBuiltinESMExports();`;

/** Starts a command of ferry in a container. */
export function startIn(
  { machine, clockMs = 0, cannotLock = false }: Container,
  { built, folder }: { built: BuiltFerry; folder: string },
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Running {
  const preloads: string[] = [];
  if (clockMs !== 0) {
    const shift = `const now = Date.now; Date.now = () => now() + ${clockMs};`;
    preloads.push('--import', `data:text/javascript,${encodeURIComponent(shift)}`);
  }
  if (cannotLock) {
    writeFileSync(join(folder, 'lying.cjs'), lying);
    preloads.push('--require', join(folder, 'lying.cjs'));
  }
  const set = ['mount -t proc proc /proc'];
  if (machine !== undefined) {
    const bootId = join(folder, `boot-${machine}`);
    writeFileSync(bootId, `${machine}\n`);
    set.push(`mount --bind '${bootId}' /proc/sys/kernel/random/boot_id`, `hostname '${machine}'`);
  }
  const words = [process.execPath, ...preloads, built.path, ...args, '--yes', '--json'];
  const child: ChildProcess = spawn(
    'unshare',
    ['-rmpuf', '--kill-child', 'sh', '-c', `${set.join(' && ')} && exec "$@"`, 'sh', ...words],
    { env: { ...built.env, ...env } as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return {
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))),
    signal: (name) => {
      try {
        signal(child.pid, name, { group: true });
      } catch {
        // It has ended.
      }
    },
  };
}
