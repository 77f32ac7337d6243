import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as fileLock from '../../../src/io/state/fileLock.js';
import * as processes from '../../../src/io/state/processes.js';

let folder: string;
let path: string;
let script: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ferry-lock-'));
  script = join(folder, 'lockHolder.mjs');
  await build({
    entryPoints: ['test/support/lockHolder.ts'],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
});

beforeEach(() => {
  path = join(mkdtempSync(join(folder, 'case-')), 'lock');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A dead holder: this process's id with another start time. */
const dead = JSON.stringify({ ...processes.self(), startTime: '1' });

function contend(times: number, ...rest: string[]): Promise<unknown> {
  return once(
    spawn(process.execPath, [script, path, `${path}.log`, String(times), ...rest], { stdio: 'inherit' }),
    'exit',
  );
}

describe('acquire', () => {
  test('default', async () => {
    await fileLock.acquire(path);
    expect(fileLock.holder(path)).toEqual(processes.self());
    fileLock.release(path);
    expect(existsSync(path)).toBe(false);
  });

  test('behavior: twelve processes hold it one after another, some of which die while holding it', async () => {
    writeFileSync(path, dead);
    const contenders = Array.from({ length: 12 }, (_, i) => contend(8, ...(i % 3 === 0 ? ['die'] : [])));
    await Promise.all(contenders);
    const lines = readFileSync(`${path}.log`, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(12 * 8 * 2);
    for (let i = 0; i < lines.length; i += 2) {
      expect(lines[i]).toMatch(/^in /);
      expect(lines[i + 1]).toBe(lines[i]?.replace('in', 'out'));
    }
    await fileLock.acquire(path);
    fileLock.release(path);
    expect(readdirSync(join(path, '..'))).toEqual(['lock.log']);
  });

  test('behavior: stops waiting on the signal', async () => {
    const parent = processes.identify(process.ppid) as processes.Identity;
    writeFileSync(path, JSON.stringify(parent));
    await expect(fileLock.acquire(path, AbortSignal.timeout(50))).rejects.toThrow(/timeout/);
    expect(fileLock.holder(path)).toEqual(parent);
  });

  test('error: no folder', async () => {
    await expect(fileLock.acquire(join(folder, 'absent', 'lock'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('tryAcquire', () => {
  test('behavior: takes over the lock of a dead holder', () => {
    writeFileSync(path, dead);
    expect(fileLock.tryAcquire(path)).toBe(true);
    expect(fileLock.holder(path)).toEqual(processes.self());
  });

  test('behavior: refuses a second holder in this process', () => {
    expect(fileLock.tryAcquire(path)).toBe(true);
    expect(fileLock.tryAcquire(path)).toBe(false);
    fileLock.release(path);
    expect(fileLock.tryAcquire(path)).toBe(true);
  });

  test('behavior: respects a living holder', () => {
    writeFileSync(path, JSON.stringify(processes.identify(process.ppid)));
    expect(fileLock.tryAcquire(path)).toBe(false);
    expect(fileLock.isHeld(path)).toBe(true);
  });

  test('behavior: respects a new file without a holder, and takes over an old one', () => {
    writeFileSync(path, '');
    expect(fileLock.tryAcquire(path)).toBe(false);
    utimesSync(path, 1, 1);
    expect(fileLock.tryAcquire(path)).toBe(true);
  });

  test('behavior: an abandoned recovery guard blocks no one', () => {
    writeFileSync(path, dead);
    writeFileSync(`${path}.recovery`, dead);
    expect(fileLock.tryAcquire(path)).toBe(false);
    expect(fileLock.tryAcquire(path)).toBe(true);
  });
});

describe('handOver', () => {
  test('default', () => {
    const parent = processes.identify(process.ppid) as processes.Identity;
    expect(fileLock.tryAcquire(path)).toBe(true);
    fileLock.handOver(path, parent);
    expect(fileLock.holder(path)).toEqual(parent);
    fileLock.release(path);
    expect(fileLock.holder(path)).toEqual(parent);
  });

  test('behavior: the new holder acquires it at once', () => {
    writeFileSync(path, JSON.stringify(processes.self()));
    expect(fileLock.tryAcquire(path)).toBe(true);
  });
});

describe('isAbandoned', () => {
  test('default', () => {
    expect(fileLock.isAbandoned(path)).toBe(false);
    writeFileSync(path, dead);
    expect(fileLock.isAbandoned(path)).toBe(true);
    fileLock.tryAcquire(path);
    expect(fileLock.isAbandoned(path)).toBe(false);
  });
});

describe('isHeld', () => {
  test.each([
    ['absent', undefined],
    ['of a dead process', dead],
  ])('behavior: not when %s', (_, text) => {
    if (text !== undefined) writeFileSync(path, text);
    expect(fileLock.isHeld(path)).toBe(false);
  });
});
