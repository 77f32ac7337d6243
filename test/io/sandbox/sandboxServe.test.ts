import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SandboxInstance } from '../../../src/core/ports/SandboxProcess.js';
import * as processes from '../../../src/io/locks/processes.js';
import * as sandboxRecord from '../../../src/io/sandbox/sandboxRecord.js';
import { serve } from '../../../src/io/sandbox/sandboxServe.js';
import { type SandboxPaths, sandboxPaths } from '../../../src/io/state/paths.js';
import { type Host, host as realHost } from '../../../src/io/terminal/host.js';
import { temporaryFolder } from '../../support/ferry.js';

let folder: string;
let end: AbortController;
let host: Host;
let paths: SandboxPaths;
let served: Promise<void>;
let warnings: string[];

beforeEach(() => {
  folder = temporaryFolder();
  end = new AbortController();
  host = { ...realHost(end.signal), env: { PATH: process.env.PATH, FERRY_STATE_DIR: folder } };
  paths = sandboxPaths(host);
  served = Promise.resolve();
  warnings = [];
});

afterEach(async () => {
  end.abort();
  await served.catch(() => {});
});

/** Resolves when the sandbox is ready. */
function start(on: Host = host): Promise<SandboxInstance> {
  return new Promise((resolve, reject) => {
    served = serve(paths, on, { idleMs: 0, onReady: resolve }, (text) => warnings.push(text));
    served.catch(reject);
  });
}

test('default: one at a time, which leaves its state', async () => {
  const instance = await start();
  expect(sandboxRecord.find(paths)).toEqual(instance);
  expect(sandboxRecord.read(paths)).toMatchObject({ ...processes.self(), idleMs: 0 });
  expect(sandboxRecord.read(paths)?.children.map(processes.isAlive)).toEqual([true, true]);
  expect(readdirSync(paths.folder)).toEqual(['running.json', 'state']);
  await expect(serve(paths, host, { idleMs: 0 }, () => {})).rejects.toMatchObject({
    code: 'sandbox.start',
    message: 'A sandbox is already running.',
    facts: [
      ['url', instance.baseUrl],
      ['process', String(process.pid)],
    ],
  });
  expect([sandboxRecord.find(paths), existsSync(paths.lock)]).toEqual([instance, false]);
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

test('behavior: cleans up after a failure, and after a crash, which it reports', async () => {
  const without = { ...host, env: { ...host.env, FERRY_ANVIL: join(folder, 'absent') } };
  await expect(start(without)).rejects.toMatchObject({ code: 'sandbox.no-anvil' });
  // For those who wait for it.
  expect(JSON.parse(readFileSync(paths.failure, 'utf8'))).toMatchObject({ code: 'sandbox.no-anvil' });
  expect(readdirSync(paths.folder)).toEqual(['failure.json']);
  const first = await start();
  expect(readdirSync(paths.folder)).toEqual(['running.json', 'state']);
  const running = sandboxRecord.read(paths) as sandboxRecord.Running;
  end.abort();
  await served;
  sandboxRecord.write(paths, { ...running, startTime: '1' });
  end = new AbortController();
  const second = await start({ ...host, signal: end.signal });
  expect(second.instance).toBe(first.instance);
  expect(warnings).toEqual([
    expect.stringMatching(/^The last sandbox ended with an error: .* is not an executable file/),
    'The last sandbox did not stop in order. The start restores what it wrote as it ran, or says what is lost.',
  ]);
});

test('error: aborted before it was ready', async () => {
  end.abort(new Error('Stopped.'));
  await expect(start()).rejects.toThrow('Stopped.');
  expect(readdirSync(paths.folder)).toEqual([]);
});
