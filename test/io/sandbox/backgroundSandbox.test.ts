import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as HelpPages from '../../../src/core/docs/HelpPages.js';
import { network } from '../../../src/core/network/sandbox.js';
import { createSandboxProcess, environmentOfCommand } from '../../../src/io/sandbox/backgroundSandbox.js';
import * as files from '../../../src/io/sandbox/sandboxFiles.js';
import * as sandboxRecord from '../../../src/io/sandbox/sandboxRecord.js';
import { type SandboxPaths, sandboxPaths } from '../../../src/io/state/paths.js';
import type { Host } from '../../../src/io/terminal/host.js';
import * as stateFolder from '../../../src/sandbox/service/stateFolder.js';
import { useFerry } from '../../support/builtFerry.js';
import { temporaryFolder } from '../../support/ferry.js';

const built = useFerry();
let folder: string;
let host: Host;
let paths: SandboxPaths;

beforeEach(() => {
  folder = temporaryFolder();
  host = built.host({ FERRY_STATE_DIR: join(folder, 'state') });
  paths = sandboxPaths(host);
});

afterEach(async () => void (await createSandboxProcess(host).stop()));

/** A one-line server that records each of its starts. */
function server(script: string): Host {
  const path = join(folder, 'server.mjs');
  const note = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(join(folder, 'starts'))}, '.');`;
  writeFileSync(path, `${note}\n${script}`);
  return { ...host, self: [process.execPath, path] };
}

const starts = (): number => readFileSync(join(folder, 'starts'), 'utf8').length;

test('createSandboxProcess: concurrent calls start one, which is found, used, stopped, continued and reset', async () => {
  const seen: unknown[] = [];
  const sandbox = createSandboxProcess({
    ...host,
    run: async (command, args, { env, stdout }) => {
      seen.push(command, args, stdout, env.FERRY_NETWORK, env.FERRY_SANDBOX_URL);
      return 5;
    },
  });
  expect(await sandbox.instance()).toBeUndefined();
  const [first, ...others] = await Promise.all([
    sandbox.ensure(),
    ...Array.from({ length: 4 }, () => createSandboxProcess(host).ensure()),
  ]);
  expect(others).toEqual([first, first, first, first]);
  await expect.poll(() => existsSync(paths.lock)).toBe(false);
  expect(await sandbox.find()).toEqual(first);
  expect(first).toEqual({
    lost: null,
    instance: expect.stringMatching(/^[0-9a-f]{16}$/),
    pid: expect.any(Number),
    baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    venueUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    rpcUrls: { alpha: expect.any(String), beta: expect.any(String) },
    startedAt: expect.any(Number),
  });
  expect(await sandbox.instance()).toBe(first.instance);

  expect(await sandbox.stop()).toEqual({ ...first, wasKilled: false });
  expect(await sandbox.stop()).toBeUndefined();
  const second = await sandbox.ensure();
  expect([second.instance, second.pid === first.pid]).toEqual([first.instance, false]);
  const text = join(folder, 'text');
  writeFileSync(text, 'text');
  await expect(createSandboxProcess(host).exec([text], 'stdout')).rejects.toMatchObject({
    code: 'usage.invalid',
    message: `Cannot run the command "${text}".`,
    facts: [['reason', 'not executable']],
  });
  expect(await sandbox.reset()).toEqual(second);
  expect(readdirSync(paths.stateDir)).toEqual([]);
  expect(await sandbox.exec(['make', '-j', 'test'], 'stderr')).toBe(5);
  const third = await sandbox.find();
  expect(third?.instance).not.toBe(first.instance);
  expect(seen).toEqual(['make', ['-j', 'test'], 'stderr', 'sandbox', third?.baseUrl]);
}, 60_000);

test('instance: behavior: the saved instance that the next start restores, until a reset', async () => {
  const sandbox = createSandboxProcess(host);
  const state = { instance: 'abc', seed: 'abc', isStopped: true };
  stateFolder.begin(paths.stateDir, { version: stateFolder.version, ...state });
  expect(await sandbox.instance()).toBe('abc');
  stateFolder.write(paths.stateDir, { version: 'another', ...state });
  expect(await sandbox.instance()).toBeUndefined();
  await sandbox.reset();
  expect(await sandbox.instance()).toBeUndefined();
});

describe('ensure', () => {
  test('behavior: an aborted wait does not stop the start, and the next call finds it', async () => {
    const end = new AbortController();
    const [, program = ''] = host.self;
    const go = join(folder, 'go');
    const slow = server(`import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
while (!existsSync(${JSON.stringify(go)})) await delay(5);
await import(${JSON.stringify(program)});`);
    const asked = createSandboxProcess({ ...slow, signal: end.signal }).ensure();
    await expect.poll(() => existsSync(join(folder, 'starts'))).toBe(true);
    end.abort(new Error('Stopped.'));
    await expect(asked).rejects.toThrow('Stopped.');
    writeFileSync(go, '');
    const { pid } = await createSandboxProcess(host).ensure();
    const running = sandboxRecord.read(paths) as sandboxRecord.Running;
    expect(running.pid).toBe(pid);
    expect(starts()).toBe(1);
  });

  test('error: the process fails once, and every waiting call gets the reason', async () => {
    const failing = server(`console.error('one'); console.error('two'); process.exit(7);`);
    const asked = Array.from({ length: 4 }, () => createSandboxProcess(failing).ensure());
    const results = await Promise.allSettled(asked);
    for (const result of results)
      expect(result).toMatchObject({
        reason: {
          code: 'sandbox.start',
          message: 'The sandbox did not start.',
          facts: [
            ['ended', 'exit code 7'],
            ['log', paths.log],
            ['last lines', 'one\ntwo'],
          ],
        },
      });
    expect(starts()).toBe(1);
    expect(existsSync(paths.lock)).toBe(false);
  });

  test('error: one that was stopped is told to who started it, and is no failure of others', async () => {
    const stopped = server(`process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1_000);`);
    await expect(createSandboxProcess(stopped).ensure()).rejects.toMatchObject({
      code: 'sandbox.start',
      facts: [['ended', 'killed by SIGTERM'], expect.anything()],
    });
    expect(existsSync(paths.failure)).toBe(false);
  });

  test('error: the program to start does not exist', async () => {
    const sandbox = createSandboxProcess({ ...host, self: [join(folder, 'absent')] });
    await expect(sandbox.ensure()).rejects.toMatchObject({
      code: 'sandbox.start',
      facts: [['ended', expect.stringContaining('ENOENT')], expect.anything()],
    });
    expect(existsSync(paths.lock)).toBe(false);
  });

  test('error: no anvil', async () => {
    const without = built.host({ ...host.env, FERRY_ANVIL: 'absent', PATH: '' });
    await expect(createSandboxProcess(without).ensure()).rejects.toMatchObject({
      code: 'sandbox.no-anvil',
      // Relative to the working directory of the command.
      message: expect.stringContaining(join(host.cwd, 'absent')),
      next: expect.stringContaining('@foundry-rs/anvil'),
    });
  });
});

test('stop: behavior: stops a sandbox that is starting', async () => {
  const sandbox = createSandboxProcess(host);
  const starting = sandbox.ensure();
  await expect.poll(() => existsSync(paths.log)).toBe(true);
  // The starting call may have seen it ready or not.
  const seen = starting.catch(() => undefined);
  const stopped = await sandbox.stop();
  expect(stopped).toMatchObject({ pid: expect.any(Number) });
  expect([stopped?.pid, undefined]).toContain((await seen)?.pid);
  expect(await sandbox.find()).toBeUndefined();
});

test('reset: behavior: keeps files that are not the sandbox’s', async () => {
  files.makeFolder(paths);
  writeFileSync(join(paths.folder, 'notes'), 'of the user');
  expect(await createSandboxProcess(host).reset()).toBeUndefined();
  expect(readdirSync(paths.folder)).toEqual(['notes']);
});

describe('environmentOfCommand', () => {
  const instance = {
    instance: 'a',
    lost: null,
    pid: 1,
    baseUrl: 'http://127.0.0.1:1',
    venueUrl: 'http://127.0.0.1:4',
    rpcUrls: { alpha: 'http://127.0.0.1:2', beta: 'http://127.0.0.1:3', svm: 'http://127.0.0.1:5' },
    startedAt: 0,
  };
  const tokens = Object.fromEntries(
    network.chains.flatMap((chain) => {
      const prefix = chain.name.toUpperCase();
      const all = [chain.native, ...chain.tokens].map(({ symbol, address }) => [`${prefix}_${symbol}`, address]);
      return [[`${prefix}_CHAIN_ID`, String(chain.id)], ...all];
    }),
  );
  const own = {
    ALPHA_RPC_URL: 'http://127.0.0.1:2',
    BETA_RPC_URL: 'http://127.0.0.1:3',
    SVM_RPC_URL: 'http://127.0.0.1:5',
    ETH_RPC_URL: 'http://127.0.0.1:2',
    FERRY_NETWORK: 'sandbox',
    FERRY_SANDBOX_URL: 'http://127.0.0.1:1',
    FERRY_STATE_DIR: '/state',
    FERRY_SANDBOX_VENUE_URL: 'http://127.0.0.1:4',
    FERRY_SANDBOX_WS_URL: 'ws://127.0.0.1:1/',
    FERRY_SANDBOX_VENUE_CHAIN_ID: '313373',
    FERRY_SANDBOX_API_KEY: 'sandbox-key',
    FERRY_SANDBOX_REFERRER: 'sandbox-referrer',
    ...tokens,
  };

  test('default', () => {
    const env = { PATH: '/bin', ETH_RPC_URL: 'https://elsewhere.example', FERRY_NETWORK: 'mainnet' };
    expect(environmentOfCommand(env, { stateDir: '/state' }, instance)).toEqual({ PATH: '/bin', ...own });
  });

  test('behavior: without litesvm there is nothing of the chain svm', () => {
    const { svm: _, ...rpcUrls } = instance.rpcUrls;
    const names = Object.keys(environmentOfCommand({}, { stateDir: '/state' }, { ...instance, rpcUrls }));
    const rest = Object.keys(own).filter((name) => !name.startsWith('SVM_'));
    expect(names.sort()).toEqual(rest.sort());
  });

  test('behavior: ferry help environment lists all of it, and nothing else', () => {
    const section = HelpPages.environment().find(([title]) => title === 'Set by ferry sandbox exec');
    const text = JSON.stringify(section);
    const listed = new Set(text.match(/[A-Z]+(_[A-Z]+)+/g));
    const symbols = text.match(/tokens: ([A-Z, ]+)/)?.[1]?.split(', ') ?? [];
    for (const symbol of symbols) for (const chain of ['ALPHA', 'BETA']) listed.add(`${chain}_${symbol}`);
    const set = Object.keys(own).filter((name) => !['FERRY_NETWORK', 'FERRY_STATE_DIR'].includes(name));
    expect([...listed].sort()).toEqual(set.sort());
  });

  test('behavior: folders and what is not ferry’s are passed on, and nothing else', () => {
    const kept = 'FERRY_KEYSTORE_DIR FERRY_CONFIG_DIR FERRY_ANVIL FERRY_COLOR AWS_REGION'.split(' ');
    const dropped =
      'FERRY_PRIVATE_KEY FERRY_API_KEY FERRY_KEY_FILE FERRY_PASSWORD FERRY_PASSWORD_FILE FERRY_BASE_URL FERRY_RPC_URL_ALPHA FERRY_ACCOUNT ferry_private_key'.split(
        ' ',
      );
    const of = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'x']));
    const passed = environmentOfCommand(of([...kept, ...dropped]), { stateDir: '/state' }, instance);
    expect(passed).toEqual({ ...own, ...of(kept) });
  });
});
