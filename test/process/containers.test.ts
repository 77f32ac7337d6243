/**
 * Payments that are begun in one container and finished in another, which share a state directory and a ledger: on the
 * same machine or on two, with a frozen or a killed holder, with a clock that is off, on a file system that cannot lock.
 * In every cell it is paid once, or refused with the reason.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { native } from '../../src/core/base/Address.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { barriersOf } from '../support/barrier.js';
import { type BuiltFerry, type Ended, useFerry, watched } from '../support/builtFerry.js';
import { at, type Envelope } from '../support/ferry.js';
import type { Behaviour } from '../support/loopback.js';
import { balanceAt, inFrontOf, miningAt, passOn } from '../support/node.js';
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

const lines = 6;
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

type Payment = { name: string; currency: 'eth' | 'usdc'; amount: number; args(place: Place): string[] };

const execute: Payment = {
  name: 'execute',
  currency: 'eth',
  amount: 0.01,
  args: ({ recipient }) => ['execute', '0.01', 'alpha/eth', 'beta/eth', '--recipient', recipient],
};
const permit: Payment = {
  name: 'permit',
  currency: 'usdc',
  amount: 2,
  args: ({ recipient }) => [
    ...['execute', '2', 'alpha/usdc', 'beta/usdc', '--permit', '--account', 'dev9', '--recipient', recipient],
  ],
};
/** It waits in the pool until two containers at once have raised its fees. */
const speedUp: Payment = { ...execute, name: 'speed-up' };

const mining = (isOn: boolean): Promise<void> => miningAt(sandbox.rpcUrls.alpha, isOn);

/** The journals of a place, as one text. */
function journals({ env }: Place): string {
  const folder = join(env.FERRY_STATE_DIR ?? '', 'runs');
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  } catch {
    return '';
  }
}

/** What arrived, in units of the token, as a multiple of what was sent. */
async function timesPaid({ recipient }: Place, { currency, amount }: Payment): Promise<number> {
  const [token, unit] = currency === 'eth' ? [native, 1e18] : [usdc, 1e6];
  const held = Number(await balanceAt(sandbox.rpcUrls.beta, token, recipient)) / unit;
  // The fees are small against the amount.
  return Math.round(held / amount);
}

const last = ({ stdout }: Ended): Envelope => JSON.parse(stdout.trimEnd().split('\n').at(-1) || '{}');

const start = (container: Container, at: Place, args: readonly string[]): Running =>
  startIn(container, { built, folder: at.folder }, args, at.env);

/** Starts a payment and stops it before it sends what it has signed, or while that waits in the pool: frozen or killed. */
async function stopped(
  payment: Payment,
  at: Place,
  container: Container,
  signal: NodeJS.Signals,
): Promise<Running & { open(): void }> {
  const { env, reached, open } = await barriersOf(sandbox);
  const isPending = payment === speedUp;
  if (isPending) await mining(false);
  const running = start(container, isPending ? at : { ...at, env: { ...at.env, ...env } }, payment.args(at));
  const over = running.ended.then((ended) => {
    throw new Error(`It ended before it was stopped: ${ended.stdout}`);
  });
  await Promise.race([over, isPending ? until(running.ended, () => /"type":"broadcast"/.test(journals(at))) : reached]);
  running.signal(signal);
  return { ...running, open };
}

/** Waits for a condition, or for the end. */
async function until(end: Promise<unknown>, isSo: () => boolean): Promise<void> {
  const isOver = end.then(() => true);
  while (!isSo() && !(await Promise.race([isOver, delay(10, false)])));
}

/** Continues as a user would. */
function goOn(payment: Payment, at: Place, container: Container, ...flags: string[]): Promise<Ended> {
  if (payment === speedUp) return spedUp(at, container, flags);
  return start(container, at, ['resume', ...flags]).ended;
}

/** Two containers speed up the run of a place at once: at most one signs. Resolves to the one that got further. */
async function spedUp(at: Place, container: Container, flags: readonly string[]): Promise<Ended> {
  const [, run = ''] = /"run":"([\w-]+)"/.exec(journals(at)) ?? [];
  const replacements = (): number => journals(at).match(/"type":"replacement"/g)?.length ?? 0;
  const both = [1, 2].map(() => start(container, at, ['runs', 'speed-up', run, ...flags]));
  const ending = Promise.all(both.map((each) => each.ended));
  await until(ending, () => replacements() > 0);
  if (replacements() > 0) await mining(true);
  const ended = await ending;
  const further = ended.find(({ code }) => code === 0);
  expect(replacements()).toBe(further ? 1 : 0);
  const [other] = ended.filter((each) => each !== further);
  expect(['run.busy', 'run.settled']).toContain(other && last(other).error?.code);
  return further ?? (other as Ended);
}

describe.skipIf(!hasContainers)('payments in containers', () => {
  afterEach(() => mining(true));

  test('behavior: two containers, the first frozen', async () => {
    const at = place();
    const frozen = await stopped(execute, at, {}, 'SIGSTOP');
    const refused = await goOn(execute, at, {});
    expect([refused.code, last(refused).error?.code]).toEqual([2, 'run.busy']);
    frozen.open();
    frozen.signal('SIGCONT');
    expect((await frozen.ended).code).toBe(0);
    expect(await timesPaid(at, execute)).toBe(1);
  });

  test('behavior: two machines, the first killed', async () => {
    const at = place();
    const killed = await stopped(permit, at, { machine: 'web-1' }, 'SIGKILL');
    await killed.ended;
    const refused = await goOn(permit, at, { machine: 'web-2' });
    expect([refused.code, last(refused).error?.code]).toEqual([2, 'run.busy']);
    expect(last(refused).error?.facts.process).toMatch(/^\d+ on web-1$/);
    const ended = await goOn(permit, at, { machine: 'web-2' }, '--take-over');
    expect([ended.code, last(ended).error?.code]).toEqual([0, undefined]);
    expect(await timesPaid(at, permit)).toBe(1);
  });

  test('behavior: a container that is killed, and the next one’s clock is an hour behind: sped up by two at once', async () => {
    const at = place();
    const killed = await stopped(speedUp, at, {}, 'SIGKILL');
    await killed.ended;
    const ended = await goOn(speedUp, at, { clockMs: -3_600_000 });
    expect([ended.code, last(ended).error?.code]).toEqual([0, undefined]);
    expect(await timesPaid(at, speedUp)).toBe(1);
  });

  test('behavior: a file system that cannot lock', async () => {
    const at = place();
    const refused = await start({ cannotLock: true }, at, execute.args(at)).ended;
    expect([refused.code, last(refused).error]).toMatchObject([
      2,
      { code: 'config.unwritable', funds: 'untouched', message: expect.stringContaining('cannot lock') },
    ]);
    expect(await timesPaid(at, execute)).toBe(0);
  });

  /**
   * They are restarted like the jobs of a cluster until each has finished the batch, and killed before the second transaction
   * is sent and after the fifth.
   */
  test('behavior: two containers on one batch', async () => {
    const account = 'dev1';
    const [before, after] = [2, 5];
    const at = place();
    const file = join(at.folder, 'batch.ndjson');
    const transfer = { amount: '0.01', from: 'alpha/eth', to: 'beta/eth', recipient: at.recipient, account };
    const ids = Array.from({ length: lines }, (_, id) => String(id));
    writeFileSync(file, ids.map((id) => `${JSON.stringify({ id, ...transfer })}\n`).join(''));
    const ledger = join(at.folder, 'ledger.ndjson');
    const jobs: (Running | undefined)[] = [];
    const kill: Behaviour = () => jobs.forEach((job) => void job?.signal('SIGKILL'));
    let sent = 0;
    const { url } = await inFrontOf(sandbox.rpcUrls.alpha, {
      eth_sendRawTransaction: (response, request) => {
        sent += 1;
        const behave = sent === before ? kill : passOn(sandbox.rpcUrls.alpha, sent === after ? kill : undefined);
        behave(response, request);
      },
    });
    const there = { ...at, env: { ...at.env, FERRY_RPC_URL_ALPHA: url } };
    let kills = 0;
    const job = async (own: number): Promise<void> => {
      for (;;) {
        const running = start({}, there, ['execute', '--batch', file, '--out', ledger]);
        jobs[own] = running;
        const ended = await running.ended;
        if (ended.code === 0) return;
        if (ended.code === null || ended.stdout === '') kills += 1;
        else {
          expect(last(ended).error?.code).toBe('run.busy');
          // Who is refused tries again when the other container has ended, at once: nothing would come of it before.
          await jobs[1 - own]?.ended;
        }
      }
    };
    await Promise.all([job(0), job(1)]);
    expect(kills).toBeGreaterThanOrEqual(2);
    expect(await timesPaid(at, { ...execute, amount: 0.01 * lines })).toBe(1);
    const results = readFileSync(ledger, 'utf8').trimEnd().split('\n');
    expect(results.map((line) => JSON.parse(line)).map(({ id, ok }) => [id, ok])).toEqual(ids.map((id) => [id, true]));
  }, 120_000);
});
