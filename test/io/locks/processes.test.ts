import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import * as processes from '../../../src/io/locks/processes.js';

const children: ChildProcess[] = [];

/** A process that does nothing until it is stopped. */
async function idle(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child as ChildProcess & { pid: number };
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe('identify', () => {
  test('behavior: no process of that id', async () => {
    const child = await idle();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(processes.identify(child.pid)).toBeUndefined();
  });

  test('behavior: a zombie does not count as a process', async () => {
    // The shell's child exits at once and stays a zombie, because the shell, now node, never reaps it.
    const parent = spawn('sh', ['-c', 'sh -c "exit 0" & echo $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(parent);
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => processes.identify(pid)).toBeUndefined();
  });
});

describe('isAlive', () => {
  test('behavior: another process with the same id does not match', async () => {
    expect(processes.isAlive({ ...processes.self(), startTime: '1' })).toBe(false);
    expect(await processes.gone([processes.self()], 30)).toBe(false);
  });

  test.runIf(process.platform === 'linux')('behavior: a process from before the last boot does not match', () => {
    const own = processes.self();
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    expect(own.startTime).toMatch(new RegExp(`^\\d+@${boot}$`));
    expect(processes.isAlive({ ...own, startTime: own.startTime.replace(boot, 'another') })).toBe(false);
  });
});

describe('signal', () => {
  test('behavior: does not signal another process with the same id', async () => {
    const child = await idle();
    processes.signal([{ pid: child.pid, startTime: '1' }], 'SIGKILL');
    expect(await processes.gone([processes.identify(child.pid) as processes.Identity], 100)).toBe(false);
  });
});

describe('isIdentity', () => {
  test.each([
    [{ pid: 1, startTime: '2' }, true],
    [{ pid: -1.5, startTime: '2' }, false],
    [{ pid: 1, startTime: '' }, false],
    [null, false],
    ['1', false],
  ])('behavior: %j is %s', (value, expected) => {
    expect(processes.isIdentity(value)).toBe(expected);
  });
});
