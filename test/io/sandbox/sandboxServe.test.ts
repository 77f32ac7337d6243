import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SandboxInstance } from '../../../src/core/ports/SandboxProcess.js';
import * as processes from '../../../src/io/locks/processes.js';
import * as sandboxRecord from '../../../src/io/sandbox/sandboxRecord.js';
import { serve } from '../../../src/io/sandbox/sandboxServe.js';
import { type SandboxPaths, sandboxPaths } from '../../../src/io/state/paths.js';
import { type Host, host as realHost } from '../../../src/io/terminal/host.js';

let folder: string;
let end: AbortController;
let host: Host;
let paths: SandboxPaths;
let served: Promise<void>;
let warnings: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ferry-serve-'));
  end = new AbortController();
  host = { ...realHost(end.signal), env: { PATH: process.env.PATH, FERRY_STATE_DIR: folder } };
  paths = sandboxPaths(host);
  served = Promise.resolve();
  warnings = [];
});

afterEach(async () => {
  end.abort();
  await served.catch(() => {});
  rmSync(folder, { recursive: true, force: true });
});

/** Resolves when the sandbox is ready. */
function start(on: Host = host): Promise<SandboxInstance> {
  return new Promise((resolve, reject) => {
    served = serve(paths, on, { idleMs: 0, onReady: resolve }, (text) => warnings.push(text));
    served.catch(reject);
  });
}

describe('serve', () => {
  test('default', async () => {
    const instance = await start();
    expect(sandboxRecord.find(paths)).toEqual(instance);
    expect(sandboxRecord.read(paths)).toMatchObject({ ...processes.self(), idleMs: 0 });
    expect(sandboxRecord.read(paths)?.children.map(processes.isAlive)).toEqual([true, true]);
    expect(readdirSync(paths.folder)).toEqual(['running.json', 'state']);
    end.abort();
    await served;
    expect(readdirSync(paths.folder)).toEqual(['state']);
    expect(warnings).toEqual([]);
  });

  test('behavior: stops if another sandbox took over the record, and leaves record and state alone', async () => {
    await start();
    const running = sandboxRecord.read(paths) as sandboxRecord.Running;
    const parent = processes.identify(process.ppid) as processes.Identity;
    sandboxRecord.write(paths, { ...running, ...parent });
    await served;
    expect(readdirSync(paths.folder)).toEqual(['running.json', 'state']);
    expect(sandboxRecord.isOwn(paths, parent)).toBe(true);
    expect(running.children.filter(processes.isAlive)).toEqual([]);
  });

  test('behavior: cleans up after a crash and reports it', async () => {
    const first = await start();
    const running = sandboxRecord.read(paths) as sandboxRecord.Running;
    end.abort();
    await served;
    sandboxRecord.write(paths, { ...running, startTime: '1' });
    end = new AbortController();
    const second = await start({ ...host, signal: end.signal });
    expect(second.instance).toBe(first.instance);
    expect(warnings).toEqual([
      'The last sandbox did not stop in order. The start restores what it wrote as it ran, or says what is lost.',
    ]);
  });

  test('error: another sandbox is running', async () => {
    const { baseUrl } = await start();
    await expect(serve(paths, host, { idleMs: 0 }, () => {})).rejects.toMatchObject({
      code: 'sandbox.start',
      message: 'A sandbox is already running.',
      facts: [
        ['url', baseUrl],
        ['process', String(process.pid)],
      ],
    });
    expect(sandboxRecord.find(paths)?.baseUrl).toBe(baseUrl);
    expect(existsSync(paths.lock)).toBe(false);
  });

  test('error: records a failure for waiting processes', async () => {
    const without = { ...host, env: { ...host.env, FERRY_ANVIL: join(folder, 'absent') } };
    await expect(start(without)).rejects.toMatchObject({ code: 'sandbox.no-anvil' });
    expect(JSON.parse(readFileSync(paths.failure, 'utf8'))).toMatchObject({ code: 'sandbox.no-anvil' });
    expect(readdirSync(paths.folder)).toEqual(['failure.json']);
    // The next successful start deletes it.
    await start();
    expect(readdirSync(paths.folder)).toEqual(['running.json', 'state']);
  });

  test('error: aborted before it was ready', async () => {
    end.abort(new Error('Stopped.'));
    await expect(start()).rejects.toThrow('Stopped.');
    expect(readdirSync(paths.folder)).toEqual([]);
  });
});
