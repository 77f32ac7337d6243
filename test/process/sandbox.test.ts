/**
 * The sandbox as people run it: real processes, many at once, signals, crashes, and nothing left behind. Where the command
 * is not the point, it runs in this process; the sandbox itself never does.
 */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as processes from '../../src/io/locks/processes.js';
import * as sandboxRecord from '../../src/io/sandbox/sandboxRecord.js';
import { type SandboxPaths, sandboxPaths } from '../../src/io/state/paths.js';
import { type Ended, useFerry } from '../support/builtFerry.js';
import { castFolder } from '../support/cast.js';
import { ferry as ferryHere } from '../support/ferry.js';
import { ask } from '../support/node.js';
import { signal } from '../support/processes.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether a disk of one's own can be mounted here. */
const hasMounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!hasMounts) process.stderr.write('skipped: a full disk: unshare does not mount one here\n');

const ferry = useFerry();
let paths: SandboxPaths;

beforeAll(() => {
  paths = sandboxPaths({ env: ferry.env, cwd: '/', home: '/' });
});

async function clear(): Promise<void> {
  await here('stop');
  rmSync(ferry.stateDir, { recursive: true, force: true });
}

/** Runs `ferry sandbox …` in this process. The sandbox that it starts is one of its own. */
function here(...args: string[]): ReturnType<typeof ferryHere> {
  const home = join(ferry.stateDir, '..');
  return ferryHere(['sandbox', ...args], { env: ferry.env, home, self: [process.execPath, ferry.path] });
}

/** The `data` of the envelope. */
function data<Data>({ stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>): Data {
  const envelope = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { ok: boolean; data: Data };
  if (!envelope.ok) throw new Error(stdout + stderr);
  return envelope.data;
}

function failure({ stdout }: Pick<Ended, 'stdout'>): Record<string, unknown> {
  return (JSON.parse(stdout) as { error: Record<string, unknown> }).error;
}

type Started = { running: boolean; started: boolean; instance: string; pid: number; baseUrl: string };

async function start(...args: string[]): Promise<Started> {
  return data<Started>(await here('start', '--json', ...args));
}

/** As a process of its own. */
async function startApart(env?: Record<string, string | undefined>): Promise<Started> {
  return data<Started>(await ferry.run(['sandbox', 'start', '--json'], env));
}

function everything(): processes.Identity[] {
  const running = sandboxRecord.read(paths);
  if (!running) throw new Error('No sandbox is running.');
  return [running, ...running.children];
}

/** Asks the chain alpha of the sandbox that runs. */
const alpha = (method: string, ...params: unknown[]): Promise<unknown> =>
  ask(sandboxRecord.read(paths)?.rpcUrls.alpha ?? '', method, ...params);

describe('sandbox start', () => {
  afterEach(clear);

  test('default: keeps no secret and no terminal', async () => {
    const secrets = { FERRY_PRIVATE_KEY: 'secret-1', FERRY_API_KEY: 'secret-2', AWS_SECRET: 'secret-3' };
    const started = await startApart({ ...secrets, FERRY_NETWORK: undefined });
    expect(started).toMatchObject({ running: true, started: true });
    const response = await fetch(`${started.baseUrl}/chains`);
    expect(response.status).toBe(200);
    expect(await startApart()).toEqual({ ...started, started: false });
    expect(statSync(paths.running).mode & 0o777).toBe(0o600);
    expect(statSync(paths.folder).mode & 0o777).toBe(0o700);
    await expect
      .poll(() => readdirSync(paths.folder).sort(), { timeout: 60_000 })
      .toEqual(['log', 'running.json', 'state']);
    if (process.platform !== 'linux') return;
    const environment = readFileSync(`/proc/${started.pid}/environ`, 'utf8');
    expect(environment).toContain(`FERRY_STATE_DIR=${ferry.stateDir}`);
    expect(environment).not.toContain('secret');
  });

  test('behavior: killed without mercy or robbed of a chain, it leaves nothing behind, and the next start says so', async () => {
    const { instance } = await start();
    const [server, ...chains] = everything() as [processes.Identity, ...processes.Identity[]];
    expect(chains).toHaveLength(2);
    processes.signal([server], 'SIGKILL');
    expect(await processes.gone([server, ...chains], 60_000)).toBe(true);
    const again = await here('start', '--json');
    expect(data<Started>(again)).toMatchObject({ started: true, instance });
    expect(again.stderr + again.stdout).toContain('The last sandbox did not stop in order');
    const all = everything();
    processes.signal(all.slice(1, 2), 'SIGKILL');
    expect(await processes.gone(all, 60_000)).toBe(true);
    expect(readFileSync(paths.log, 'utf8')).toContain('A chain of the sandbox exited unexpectedly.');
  });

  test('behavior: ends when its state directory is removed', async () => {
    await start();
    const all = everything();
    rmSync(ferry.stateDir, { recursive: true });
    expect(await processes.gone(all, 60_000)).toBe(true);
    expect(existsSync(ferry.stateDir)).toBe(false);
  });
});

describe('sandbox start --foreground', () => {
  afterEach(clear);

  test('default', async () => {
    const child = spawn(process.execPath, [ferry.path, 'sandbox', 'start', '--foreground'], {
      env: ferry.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A terminal would send the signal to the whole group.
      detached: true,
    });
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    await expect.poll(() => told, { timeout: 60_000 }).toContain('The sandbox is ready at http://127.0.0.1:');
    const all = everything();
    signal(child.pid, 'SIGINT', { group: true });
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
    expect(await processes.gone(all, 60_000)).toBe(true);
    expect(readdirSync(paths.folder).sort()).toEqual(['state']);
  });
});

describe('sandbox stop, sandbox reset', () => {
  afterEach(clear);

  test('default: the chains go on where they were, or start anew', async () => {
    const first = await start();
    await alpha('anvil_mine', '0x3');
    const before = await alpha('eth_blockNumber');
    const all = everything();
    const stopped = await ferry.run(['sandbox', 'stop', '--json']);
    expect(data(stopped)).toEqual({ stopped: true, instance: first.instance, wasKilled: false });
    expect(all.filter(processes.isAlive)).toEqual([]);
    expect(readdirSync(paths.folder).sort()).toEqual(['log', 'state']);
    await start();
    expect(await alpha('eth_blockNumber')).toBe(before);
    const again = everything();
    const reset = await here('reset', '--yes', '--json');
    expect(data(reset)).toEqual({ reset: true, stopped: first.instance });
    expect(again.filter(processes.isAlive)).toEqual([]);
    expect(existsSync(paths.folder)).toBe(false);
    expect((await start()).instance).not.toBe(first.instance);
    expect(await alpha('eth_blockNumber')).not.toBe(before);
  });

  test.skipIf(process.platform !== 'linux')('error: the state cannot be saved', async () => {
    const { pid } = await start();
    // It would notice by itself, and end before the command runs.
    signal(pid, 'SIGSTOP');
    await expect.poll(() => statusOf(pid)).toMatch(/^State:\s*T/m);
    appendFileSync(join(paths.folder, 'state', 'ledger.log'), 'somebody else writes');
    const stopping = here('stop', '--json');
    await expect.poll(() => statusOf(pid)).toMatch(/^ShdPnd:\s*\w*[4-7c-f]\w{3}$/m);
    signal(pid, 'SIGCONT');
    const stopped = await stopping;
    expect(stopped.code, stopped.stdout).toBe(2);
    expect(failure(stopped)).toMatchObject({ code: 'config.unwritable' });
    expect(existsSync(paths.running)).toBe(false);
  });

  test.skipIf(!hasMounts)('error: the disk is full as it starts', async () => {
    const disk = join(ferry.stateDir, '..', 'small-disk');
    const script = 'mkdir -p "$1" && mount -t tmpfs -o size=64k tmpfs "$1" && shift && exec "$@"';
    const command = [process.execPath, ferry.path, 'sandbox', 'start', '--json'];
    const env = { ...ferry.env, FERRY_STATE_DIR: disk } as NodeJS.ProcessEnv;
    const { stdout, status } = spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', disk, ...command], {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    });
    expect([status, failure({ stdout })]).toMatchObject([3, { code: 'sandbox.start' }]);
    expect(stdout).toMatch(/ENOSPC.*Free some space, then start it again/);
  });

  /** What the system says of a process: its state, and the signals that wait while it is frozen; SIGTERM is bit 14. */
  function statusOf(pid: number): string {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  }
});

describe('sandbox exec', () => {
  afterAll(clear);

  // First: a new sandbox knows no requests.
  test('behavior: the lines of the README, as they are printed there', async () => {
    const lines = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^ferry sandbox exec -- sh -c '(.*)'$/gm)];
    const answers: string[] = [];
    for (const [, line = ''] of lines) {
      const { stdout, code } = await ferry.run(['sandbox', 'exec', '--', 'sh', '-c', line], {
        PATH: `${castFolder}:${process.env.PATH}`,
      });
      expect([line, code]).toEqual([line, 0]);
      answers.push(stdout);
    }
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({ symbol: 'USDC', chainId: 313371 });
    expect(JSON.parse(answers[1] ?? '')).toEqual({ requests: [] });
    expect(answers.slice(2)).toEqual(['1\n']);
  });

  test('behavior: the clients of the manual, as they are printed there', async () => {
    const section = readFileSync(join(root, '.github/docs/guide/sandbox.md'), 'utf8');
    const [, line = ''] = /```sh\nferry sandbox exec -- sh -c '(.*)'\n```/.exec(section) ?? [];
    const asked = await ferry.run(['sandbox', 'exec', '--', 'sh', '-c', line]);
    expect(JSON.parse(asked.stdout)).toMatchObject({ symbol: 'USDC', chainId: 313371 });
    const [, program = ''] = /```js\n(.*?)\n```/s.exec(section) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'ferry-client-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'client.mjs'), program);
    const ended = await ferry.run(['sandbox', 'exec', '--', 'node', join(folder, 'client.mjs')]);
    expect([ended.stdout, ended.code]).toEqual(['success\n', 0]);
  });

  // It is not beside a copy in another folder.
  test('behavior: where the optional package is not installed, the chain of Solana’s kind is not there, and it says so', async () => {
    const { chains } = data<{ chains: { name: string; rpcUrl: string | null }[] }>(await here('status', '--json'));
    expect(chains.map(({ name, rpcUrl }) => [name, rpcUrl !== null])).toEqual([
      ['alpha', true],
      ['beta', true],
      ['lighter', false],
    ]);
    const { stdout: variables } = await ferry.run(['sandbox', 'exec', '--', 'env']);
    expect([variables.includes('ALPHA_KELP='), variables.includes('SVM_')]).toEqual([true, false]);
    const why = 'starts without the chain svm: the optional package litesvm is not installed';
    expect(readFileSync(paths.log, 'utf8')).toContain(why);
    const to = ['--recipient', 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE'];
    const refused = await ferry.run(['quote', '100', 'alpha/usdc', 'svm/usdc', ...to, '--json']);
    const said = JSON.stringify(failure(refused));
    expect([refused.code, said]).toEqual([3, expect.stringContaining('npm install litesvm')]);
  });
});
