import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHttp } from '../../../src/io/http/httpClient.js';
import * as processes from '../../../src/io/locks/processes.js';
import * as files from '../../../src/io/sandbox/sandboxFiles.js';
import * as sandboxRecord from '../../../src/io/sandbox/sandboxRecord.js';
import { type SandboxPaths, sandboxPaths } from '../../../src/io/state/paths.js';
import { temporaryFolder } from '../../support/ferry.js';
import { html, json, loopback, reset } from '../../support/loopback.js';

let paths: SandboxPaths;

beforeEach(() => {
  paths = sandboxPaths({ env: { FERRY_STATE_DIR: temporaryFolder() }, cwd: '/', home: '/nowhere' });
  files.makeFolder(paths);
});

const instance = {
  instance: 'abc',
  lost: null,
  pid: process.pid,
  baseUrl: 'http://127.0.0.1:4000',
  venueUrl: 'http://127.0.0.1:4003',
  rpcUrls: { alpha: 'http://127.0.0.1:4001', beta: 'http://127.0.0.1:4002' },
  startedAt: 1,
};
const running: sandboxRecord.Running = { ...instance, ...processes.self(), idleMs: 60_000, children: [] };

describe('find', () => {
  test('default', () => {
    sandboxRecord.write(paths, running);
    expect(sandboxRecord.find(paths)).toEqual(instance);
  });

  test.each([
    ['half a file', JSON.stringify(running).slice(0, 40)],
    ['an empty one', ''],
    ['of another shape', JSON.stringify({ ...running, children: [1] })],
    ['with a URL that is none', JSON.stringify({ ...running, baseUrl: '0xff' })],
    ['without RPC URLs', JSON.stringify({ ...running, rpcUrls: null })],
    ['without a start time', JSON.stringify({ ...running, startTime: undefined })],
    ['of another process under the same id', JSON.stringify({ ...running, startTime: '1' })],
  ])('behavior: %s is not a record', (_, text) => {
    writeFileSync(paths.running, text);
    expect(sandboxRecord.find(paths)).toBeUndefined();
  });

  test('behavior: runs with the requested options', () => {
    sandboxRecord.write(paths, running);
    expect(sandboxRecord.find(paths, { port: 4000, idleMs: 60_000 })).toEqual(instance);
    expect(sandboxRecord.find(paths, { port: 0 })).toEqual(instance);
  });

  test.each([
    [{ port: 4003 }, 'It listens on port 4000. Stop it first. Its state is kept.'],
    [{ idleMs: 0 }, 'It stops after 1 idle minutes. Stop it first. Its state is kept.'],
  ])('error: runs with other options than %j', (wishes, hint) => {
    sandboxRecord.write(paths, running);
    expect(() => sandboxRecord.find(paths, wishes)).toThrow(
      expect.objectContaining({ code: 'sandbox.start', hint, next: 'ferry sandbox stop' }),
    );
  });
});

test('sweep', async () => {
  const orphan = spawn('sleep', ['30']);
  const identity = processes.identify(orphan.pid ?? 0) as processes.Identity;
  sandboxRecord.write(paths, { ...running, startTime: '1', children: [identity] });
  const warnings: string[] = [];
  sandboxRecord.sweep(paths, (text) => warnings.push(text));
  expect(await once(orphan, 'exit')).toEqual([null, 'SIGKILL']);
  expect(existsSync(paths.running)).toBe(false);
  expect(warnings).toEqual([
    'The last sandbox did not stop in order. The start restores what it wrote as it ran, or says what is lost.',
  ]);
});

describe('instanceAt', () => {
  const fetchAt = createHttp({ signal: new AbortController().signal, env: {}, userAgent: 'ferry/test' }).fetch;

  test('default', async () => {
    const { url, seen } = await loopback(json({ instance: 'abc' }));
    expect(await sandboxRecord.instanceAt(`${url}/`, fetchAt)).toBe('abc');
    expect(seen[0]?.path).toBe('/sandbox/instance');
  });

  test('behavior: it is asked again if its answer is lost', async () => {
    const { url } = await loopback(reset, json({ instance: 'abc' }));
    expect(await sandboxRecord.instanceAt(url, fetchAt)).toBe('abc');
  });

  test.each([
    ['another service', json({ message: 'Not found' }, 404)],
    ['no JSON', html()],
    ['another type', json({ instance: 1 })],
    ['a lost connection', reset],
  ])('behavior: %s is not a sandbox', async (_, behaviour) => {
    expect(await sandboxRecord.instanceAt((await loopback(behaviour)).url, fetchAt)).toBeUndefined();
  });
});
