import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as fileLock from '../../../src/io/locks/fileLock.js';
import * as processes from '../../../src/io/locks/processes.js';
import { bundle } from '../../support/bundle.js';
import { deadLock, lockElsewhere, lockOf } from '../../support/locks.js';
import { signal } from '../../support/processes.js';

let folder: string;
let path: string;
let script: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ferry-lock-'));
  script = join(folder, 'lockHolder.mjs');
  await bundle('test/support/lockHolder.ts', script);
});

beforeEach(() => {
  path = join(mkdtempSync(join(folder, 'case-')), 'lock');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const dead = deadLock();

function contend(times: number, ...rest: string[]): Promise<unknown> {
  return once(
    spawn(process.execPath, [script, path, `${path}.log`, String(times), ...rest], { stdio: 'inherit' }),
    'exit',
  );
}

const me = { pid: process.pid, host: hostname(), isElsewhere: false };

describe('acquire', () => {
  test('behavior: six processes hold it one after another, some of which die while holding it', async () => {
    writeFileSync(path, dead);
    const contenders = Array.from({ length: 6 }, (_, i) => contend(8, ...(i % 3 === 0 ? ['die'] : [])));
    await Promise.all(contenders);
    const lines = readFileSync(`${path}.log`, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(6 * 8 * 2);
    for (let i = 0; i < lines.length; i += 2) {
      expect(lines[i]).toMatch(/^in /);
      expect(lines[i + 1]).toBe(lines[i]?.replace('in', 'out'));
    }
    await fileLock.acquire(path);
    fileLock.release(path);
    expect(readdirSync(join(path, '..'))).toEqual(['lock.log']);
  });

  test('behavior: stops waiting on the signal', async () => {
    writeFileSync(path, lockOf());
    await expect(fileLock.acquire(path, AbortSignal.timeout(50))).rejects.toThrow(/timeout/);
    expect(await fileLock.holder(path)).toEqual({ ...me, pid: process.ppid });
  });

  test('error: no folder', async () => {
    await expect(fileLock.acquire(join(folder, 'absent', 'lock'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('tryAcquire', () => {
  test('behavior: refuses a second holder in this process', async () => {
    expect(await fileLock.tryAcquire(path)).toBe(true);
    expect(await fileLock.tryAcquire(path)).toBe(false);
    fileLock.release(path);
    expect(await fileLock.tryAcquire(path)).toBe(true);
  });

  test('behavior: respects a living holder', async () => {
    writeFileSync(path, lockOf());
    expect(await fileLock.tryAcquire(path)).toBe(false);
    expect(await fileLock.isHeld(path)).toBe(true);
  });

  test('behavior: takes over an unreadable file that stays as it is', async () => {
    writeFileSync(path, '');
    const began = performance.now();
    expect(await fileLock.tryAcquire(path)).toBe(true);
    expect(performance.now() - began).toBeGreaterThan(1_900);
  });

  test('behavior: respects who has come between the look and the file', async () => {
    const taking = fileLock.tryAcquire(path);
    const theirs = lockElsewhere();
    writeFileSync(path, theirs);
    expect(await taking).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe(theirs);
  });

  test('behavior: respects a holder on another machine until the user decides', async () => {
    writeFileSync(path, lockElsewhere());
    expect(await fileLock.tryAcquire(path)).toBe(false);
    expect(await fileLock.tryAcquire(path, async () => false)).toBe(false);
    const elsewhere = await fileLock.holder(path);
    expect(elsewhere).toEqual({ pid: process.ppid, host: 'web-2', isElsewhere: true });
    // Errors show it beside the label process.
    expect(elsewhere && fileLock.formatHolder(elsewhere)).toBe(`${process.ppid} on web-2`);
    await expect(fileLock.tryAcquire(path, () => Promise.reject(new Error('declined')))).rejects.toThrow('declined');
    expect(await fileLock.tryAcquire(path, async () => true)).toBe(true);
    expect(await fileLock.holder(path)).toEqual(me);
  });

  test('behavior: a holder from before a restart of this machine is dead, one on a copied disk is not', async () => {
    const before = { ...JSON.parse(lockOf()), kernel: 'the boot before' };
    writeFileSync(path, JSON.stringify({ ...before, host: 'clone' }));
    expect(await fileLock.tryAcquire(path)).toBe(false);
    writeFileSync(path, JSON.stringify(before));
    expect(await fileLock.tryAcquire(path)).toBe(true);
  });

  test('behavior: an abandoned recovery guard blocks no one', async () => {
    writeFileSync(path, dead);
    writeFileSync(`${path}.recovery`, dead);
    expect(await fileLock.tryAcquire(path)).toBe(true);
    fileLock.release(path);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('behavior: a path too long for a socket', async () => {
    path = join(folder, 'x'.repeat(120), 'lock');
    mkdirSync(dirname(path));
    expect(await fileLock.tryAcquire(path)).toBe(true);
    expect(readdirSync(dirname(path))).toHaveLength(process.platform === 'linux' ? 2 : 1);
    fileLock.release(path);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('error: a file system that does not exclude', async () => {
    // Every exclusive creation succeeds there.
    const lying = join(folder, 'lying.cjs');
    writeFileSync(
      lying,
      `const fs = require('node:fs'); const { openSync } = fs;
       fs.linkSync = () => { throw Object.assign(new Error(), { code: 'EPERM' }); };
       fs.openSync = (path, flags, mode) => openSync(path, flags === 'wx' ? 'w' : flags, mode);
       require('node:module').syncBuiltinESMExports();`,
    );
    const { status, stderr } = spawnSync(process.execPath, ['--require', lying, script, path, `${path}.log`, '1'], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('cannot lock files');
    expect(existsSync(`${path}.log`)).toBe(false);
  });
});

/** Runs the script in a new namespace of process ids, as a container does. */
function inNamespace(...args: string[]): ChildProcess {
  const child = spawn('unshare', ['-rpf', '--kill-child', process.execPath, script, path, `${path}.log`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  return child;
}

const hasNamespaces = spawnSync('unshare', ['-rpf', 'true']).status === 0;
if (!hasNamespaces) process.stdout.write('skipped: locks between containers, since unshare does not work here\n');

describe.skipIf(!hasNamespaces)('between containers', () => {
  async function holding(...args: string[]): Promise<ChildProcess> {
    const child = inNamespace('1', 'hold', ...args);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    return child;
  }

  /** Stops the script itself, which is a child of unshare. */
  function signalled(child: ChildProcess, name: NodeJS.Signals): void {
    signal(child.pid, name, { group: true });
  }

  test('behavior: a living holder keeps it, a frozen one too, and a killed one loses it at once', async () => {
    const child = await holding();
    expect(await fileLock.tryAcquire(path)).toBe(false);
    signalled(child, 'SIGSTOP');
    expect(await fileLock.tryAcquire(path)).toBe(false);
    expect(await fileLock.holder(path)).toMatchObject({ pid: 1, isElsewhere: false });
    signalled(child, 'SIGKILL');
    // Its output ends with the script; unshare itself may end before.
    await once(child, 'close');
    await expect.poll(() => fileLock.tryAcquire(path), { timeout: 900 }).toBe(true);
    fileLock.release(path);
    expect(readdirSync(dirname(path))).toEqual(['lock.log']);
  });

  test('behavior: without sockets, a holder in another container cannot be asked', async () => {
    const child = await holding();
    rmSync(join(dirname(path), readdirSync(dirname(path)).find((name) => name.endsWith('.sock')) ?? 'none'));
    expect(await fileLock.holder(path)).toMatchObject({ pid: 1, isElsewhere: true });
    signalled(child, 'SIGKILL');
    await once(child, 'exit');
    expect(await fileLock.tryAcquire(path)).toBe(false);
    expect(await fileLock.tryAcquire(path, async () => true)).toBe(true);
  });

  test('behavior: four containers hold it one after another, some of which die while holding it', async () => {
    const contenders = Array.from({ length: 4 }, (_, i) => inNamespace('8', ...(i % 3 === 0 ? ['die'] : [])));
    await Promise.all(contenders.map((child) => once(child, 'exit')));
    const lines = readFileSync(`${path}.log`, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(4 * 8 * 2);
    for (let i = 0; i < lines.length; i += 2) expect(lines[i + 1]).toBe(lines[i]?.replace('in', 'out'));
  });
});

describe('handOver', () => {
  test('default', async () => {
    const parent = processes.identify(process.ppid) as processes.Identity;
    expect(await fileLock.tryAcquire(path)).toBe(true);
    fileLock.handOver(path, parent);
    expect(await fileLock.holder(path)).toEqual({ ...me, pid: process.ppid });
    fileLock.release(path);
    expect(await fileLock.holder(path)).toEqual({ ...me, pid: process.ppid });
  });

  test('behavior: the new holder acquires it at once', async () => {
    writeFileSync(path, lockOf(processes.self()));
    expect(await fileLock.tryAcquire(path)).toBe(true);
  });
});
