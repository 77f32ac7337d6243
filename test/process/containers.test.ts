/**
 * Payments that are begun in one container and finished in another, which share a state directory: on the same machine or
 * on two, with a frozen or a killed holder, with a clock that is off, on a file system that cannot lock. It is paid once, or
 * refused with the reason.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, describe, expect, test } from 'vitest';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { barriersOf } from '../support/barrier.js';
import { type BuiltFerry, type Ended, useFerry, watched } from '../support/builtFerry.js';
import { at, type Envelope } from '../support/ferry.js';
import { balanceAt } from '../support/node.js';
import { signal } from '../support/processes.js';
import { useSandbox } from '../support/sandbox.js';

type Container = {
  /** The name of another machine, with a kernel of its own. */
  machine?: string;
  /** Milliseconds by which its clock is ahead. */
  clockMs?: number;
  /** Whether its file system creates a file that exists already. */
  cannotLock?: boolean;
};

type Running = {
  ended: Promise<Ended>;
  /** Freezes, wakes or kills every process of the container. */
  signal(name: NodeJS.Signals): void;
};

/** Whether this machine lets the tests create namespaces. */
const hasContainers = spawnSync('unshare', ['-rmpuf', 'true']).status === 0;

const lying = `const fs = require('node:fs'); const { openSync } = fs;
fs.linkSync = () => { throw Object.assign(new Error('no links'), { code: 'EPERM' }); };
fs.openSync = (path, flags, mode) => openSync(path, flags === 'wx' ? 'w' : flags, mode);
require('node:module').syncBuiltinESMExports();`;

/** Starts a command of ferry in a container. */
function startIn(
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
  return {
    ended: watched(child).ended,
    signal: (name) => {
      try {
        signal(child.pid, name, { group: true });
      } catch {
        // It has ended.
      }
    },
  };
}

const usdc = deployments.beta.tokens.USDC.address;
const built = useFerry();
const { sandbox } = useSandbox();
afterAll(async () => {
  if (!hasContainers) process.stderr.write('skipped: containers: unshare does not work here\n');
});

type Place = { folder: string; env: Record<string, string | undefined>; recipient: string };

function place(): Place {
  const folder = mkdtempSync(join(built.stateDir, '..', 'volume-'));
  const env = { ...at(sandbox), FERRY_STATE_DIR: join(folder, 'state') };
  return { folder, env, recipient: privateKeyToAddress(generatePrivateKey()) };
}

/** A payment of 2 USDC, and other flags. */
const payment = ({ recipient }: Place, ...more: string[]): string[] => [
  ...['execute', '2', 'alpha/usdc', 'beta/usdc', '--recipient', recipient],
  ...more,
];

/** What arrived, as a multiple of what was sent. The fees are small against it. */
async function timesPaid({ recipient }: Place): Promise<number> {
  return Math.round(Number(await balanceAt(sandbox.rpcUrls.beta, usdc, recipient)) / 2e6);
}

const last = ({ stdout }: Ended): Envelope => JSON.parse(stdout.trimEnd().split('\n').at(-1) || '{}');

const start = (container: Container, at: Place, args: readonly string[]): Running =>
  startIn(container, { built, folder: at.folder }, args, at.env);

/** Starts a payment and stops it before it sends what it has signed: frozen or killed. */
async function stopped(
  container: Container,
  at: Place,
  args: readonly string[],
  signal: NodeJS.Signals,
): Promise<Running & { open(): void }> {
  const { env, reached, open } = await barriersOf(sandbox);
  const running = start(container, { ...at, env: { ...at.env, ...env } }, args);
  const over = running.ended.then((ended) => {
    throw new Error(`It ended before it was stopped: ${ended.stdout}`);
  });
  await Promise.race([over, reached]);
  running.signal(signal);
  return { ...running, open };
}

describe.skipIf(!hasContainers)('payments in containers', () => {
  test('behavior: two containers, the first frozen, the clock of the second an hour behind', async () => {
    const at = place();
    const frozen = await stopped({}, at, payment(at), 'SIGSTOP');
    const refused = await start({ clockMs: -3_600_000 }, at, ['resume']).ended;
    expect([refused.code, last(refused).error?.code]).toEqual([2, 'run.busy']);
    frozen.open();
    frozen.signal('SIGCONT');
    expect((await frozen.ended).code).toBe(0);
    expect(await timesPaid(at)).toBe(1);
  });

  test('behavior: two machines, the first killed', async () => {
    const at = place();
    const permit = payment(at, '--permit', '--account', 'dev9');
    const killed = await stopped({ machine: 'web-1' }, at, permit, 'SIGKILL');
    await killed.ended;
    const refused = await start({ machine: 'web-2' }, at, ['resume']).ended;
    expect([refused.code, last(refused).error?.code]).toEqual([2, 'run.busy']);
    expect(last(refused).error?.facts.process).toMatch(/^\d+ on web-1$/);
    const ended = await start({ machine: 'web-2' }, at, ['resume', '--take-over']).ended;
    expect([ended.code, last(ended).error?.code]).toEqual([0, undefined]);
    expect(await timesPaid(at)).toBe(1);
  });

  test('behavior: a file system that cannot lock', async () => {
    const at = place();
    const refused = await start({ cannotLock: true }, at, payment(at)).ended;
    expect([refused.code, last(refused).error]).toMatchObject([
      2,
      { code: 'config.unwritable', funds: 'untouched', message: expect.stringContaining('cannot lock') },
    ]);
    expect(await timesPaid(at)).toBe(0);
  });
});
