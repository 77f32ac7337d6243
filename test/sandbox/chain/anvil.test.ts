import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Anvil, type AnvilOptions, find, start } from '../../../src/sandbox/chain/anvil.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { isGone, signal } from '../../support/processes.js';

const folder = mkdtempSync(join(tmpdir(), 'ferry-anvil-'));
const path = find({});
const running: Anvil[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((anvil) => anvil.stop()));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('find', () => {
  test('default', () => {
    expect(find({ searchPath: '/nowhere' })).toMatch(/@foundry-rs\/anvil-\w+-\w+\/bin\/anvil$/);
  });

  test('behavior: prefers the configured path', () => {
    expect(find({ path: '/bin/sh', searchPath: '/nowhere' })).toBe('/bin/sh');
  });

  test('error: the configured path is not executable', () => {
    expect(() => find({ path: join(folder, 'none') })).toThrow(
      expect.objectContaining({ code: 'sandbox.no-anvil', message: expect.stringContaining(join(folder, 'none')) }),
    );
    expect(() => find({ path: folder })).toThrow(expect.objectContaining({ code: 'sandbox.no-anvil' }));
  });
});

describe('find, without the optional package', () => {
  // A copy of the module in a place without node_modules.
  const load = async () => (await import(await bundle('anvil'))) as { find: typeof find };

  test('behavior: uses the first executable file on PATH', async () => {
    const [empty, folders, plain, good] = ['empty', 'folders', 'plain', 'good'].map((name) => join(folder, name));
    mkdirSync(join(folder, 'folders', 'anvil'), { recursive: true });
    chmodSync(write('plain/anvil', ''), 0o600);
    const executable = write('good/anvil', '#!/bin/sh\n');
    const searchPath = [empty, folders, plain, good].join(':');
    expect((await load()).find({ searchPath })).toBe(executable);
  });

  test('error: nowhere', async () => {
    const lonely = await load();
    expect(() => lonely.find({ searchPath: '' })).toThrow(
      expect.objectContaining({
        code: 'sandbox.no-anvil',
        message: 'The sandbox runs its chains on anvil, which is not installed.',
        next: 'npm install @foundry-rs/anvil',
      }),
    );
  });
});

describe('start', () => {
  test('behavior: listens where a web page cannot find it, and allows none to read its answers', async () => {
    const [one, two] = [await started({}), await started({})];
    const hosts = [one, two].map(({ rpcUrl }) => new URL(rpcUrl).hostname);
    expect(new Set(hosts).size).toBe(process.platform === 'linux' ? 2 : 1);
    const { port } = new URL(one.rpcUrl);
    if (process.platform === 'linux')
      await expect(nodeRpc.call(`http://127.0.0.1:${port}`, 'eth_chainId')).rejects.toThrow();
    const headers = { 'content-type': 'application/json', origin: 'http://localhost:3000' };
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
    const answer = await fetch(one.rpcUrl, { method: 'POST', headers, body });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect((await fetch(one.rpcUrl, { method: 'OPTIONS', headers })).status).toBe(405);
  });

  test('behavior: writes nothing to the home directory', async () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    const anvil = await started({ path: write('homely', `#!/bin/sh\nHOME='${home}' exec '${path}' "$@"\n`) });
    await nodeRpc.call(anvil.rpcUrl, 'anvil_mine', '0x4b0');
    await anvil.stop();
    expect(readdirSync(home)).toEqual([]);
  });

  test('behavior: passes only PATH to anvil', async () => {
    const seen = join(folder, 'environment');
    const script = write('curious', `#!/bin/sh\n/usr/bin/env > '${seen}'\nexec '${path}' "$@"\n`);
    process.env.FERRY_SECRET = 'secret';
    await started({ path: script, searchPath: '/bin' });
    delete process.env.FERRY_SECRET;
    const names = readFileSync(seen, 'utf8').match(/^\w+(?==)/gm);
    expect(names?.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name))).toEqual(['PATH']);
  });

  test("error: reports anvil's error output", async () => {
    const script = write('broken', '#!/bin/sh\necho "error: no such flag" >&2\nexit 2\n');
    await expect(started({ path: script })).rejects.toMatchObject({
      code: 'sandbox.start',
      facts: [['anvil', 'error: no such flag']],
    });
  });

  test('error: not executable', async () => {
    await expect(started({ path: write('garbage', '\0\0\0') })).rejects.toMatchObject({ code: 'sandbox.start' });
  });
});

describe('stop', () => {
  test('behavior: also kills processes started by a script', async () => {
    const anvil = await started({ path: write('wrapper', `#!/bin/sh\n'${path}' "$@" &\nwait\n`) });
    expect(await nodeRpc.call(anvil.rpcUrl, 'eth_chainId')).toBe('0x7a69');
    await anvil.stop();
    await expect(nodeRpc.call(anvil.rpcUrl, 'eth_chainId')).rejects.toThrow();
  });
});

describe('ended', () => {
  test('behavior: no process remains when anvil is killed', async () => {
    const anvil = await started({});
    signal(anvil.pid, 'SIGKILL');
    await anvil.ended;
    expect(isGone(anvil.pid)).toBe(true);
  });

  test('behavior: no process remains when the shell is killed', async () => {
    const anvil = await started({});
    signal(parentOf(anvil.pid), 'SIGKILL');
    await anvil.ended;
    await expect(nodeRpc.call(anvil.rpcUrl, 'eth_chainId')).rejects.toThrow();
  });
});

async function started(options: Partial<AnvilOptions>): Promise<Anvil> {
  const anvil = await start({ path, chainId: 31337, ...options });
  running.push(anvil);
  return anvil;
}

/** An executable file in the test's directory. */
function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o700 });
  return file;
}

/** A bundled module of the sandbox in the test's directory. */
async function bundle(module: string): Promise<string> {
  const outfile = join(folder, `${module}.mjs`);
  const entry = fileURLToPath(new URL(`../../../src/sandbox/chain/${module}.ts`, import.meta.url));
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return outfile;
}

function parentOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
}
