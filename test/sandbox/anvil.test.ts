import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Anvil, find, type Options, start } from '../../src/sandbox/anvil.js';
import { mnemonic } from '../../src/sandbox/chains.js';
import * as rpc from '../../src/sandbox/rpc.js';
import { areGone, isGone } from '../support/processes.js';

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

  test('behavior: the file that the user names comes first', () => {
    expect(find({ path: '/bin/sh', searchPath: '/nowhere' })).toBe('/bin/sh');
  });

  test('error: the file that the user names is none', () => {
    expect(() => find({ path: join(folder, 'none') })).toThrow(
      expect.objectContaining({ code: 'sandbox.no-anvil', message: expect.stringContaining(join(folder, 'none')) }),
    );
    expect(() => find({ path: folder })).toThrow(expect.objectContaining({ code: 'sandbox.no-anvil' }));
  });
});

describe('find, without the optional package', () => {
  // A copy of the module where nothing is installed.
  const lone = join(folder, 'lone', 'anvil.mjs');
  const load = async () => (await import(lone)) as { find: typeof find };
  beforeAll(async () => {
    await bundle('../../src/sandbox/anvil.ts', lone);
  });

  test('behavior: takes the first on the search path', async () => {
    const empty = join(folder, 'empty');
    const bin = join(folder, 'bin');
    mkdirSync(empty);
    mkdirSync(join(bin, 'anvil', 'anvil'), { recursive: true });
    const script = write('anvil/bin2/anvil', '#!/bin/sh\n');
    const searchPath = [empty, bin, join(folder, 'anvil/bin2')].join(':');
    expect((await load()).find({ searchPath })).toBe(script);
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
  test('default', async () => {
    const anvil = await started({});
    expect(await rpc.call(anvil.rpcUrl, 'eth_chainId')).toBe('0x7a69');
    expect(isGone(anvil.pid)).toBe(false);
  });

  test('behavior: leaves a fresh home clean', async () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    const anvil = await started({ path: write('homely', `#!/bin/sh\nHOME='${home}' exec '${path}' "$@"\n`) });
    await rpc.call(anvil.rpcUrl, 'anvil_mine', '0x4b0');
    await anvil.stop();
    expect(readdirSync(home)).toEqual([]);
  });

  test('behavior: gives anvil nothing of the environment but the search path', async () => {
    const seen = join(folder, 'environment');
    const script = write('curious', `#!/bin/sh\n/usr/bin/env > '${seen}'\nexec '${path}' "$@"\n`);
    process.env.FERRY_SECRET = 'secret';
    await started({ path: script, searchPath: '/bin' });
    delete process.env.FERRY_SECRET;
    const { readFileSync } = await import('node:fs');
    const names = readFileSync(seen, 'utf8').match(/^\w+(?==)/gm);
    expect(names?.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name))).toEqual(['PATH']);
  });

  test('error: what anvil complains of is told', async () => {
    const script = write('broken', '#!/bin/sh\necho "error: no such flag" >&2\nexit 2\n');
    await expect(started({ path: script })).rejects.toMatchObject({
      code: 'sandbox.start',
      facts: [['anvil', 'error: no such flag']],
    });
  });

  test('error: the file cannot be run', async () => {
    await expect(started({ path: write('garbage', '\0\0\0') })).rejects.toMatchObject({ code: 'sandbox.start' });
  });
});

describe('stop', () => {
  test('behavior: ends what a script started, too', async () => {
    const anvil = await started({ path: write('wrapper', `#!/bin/sh\n'${path}' "$@" &\nwait\n`) });
    const listener = Number(await rpc.call(anvil.rpcUrl, 'eth_chainId'));
    expect(listener).toBe(31337);
    await anvil.stop();
    await expect(rpc.call(anvil.rpcUrl, 'eth_chainId')).rejects.toThrow();
  });
});

describe('ended', () => {
  test('behavior: nothing is left when anvil is killed', async () => {
    const anvil = await started({});
    process.kill(anvil.pid, 'SIGKILL');
    await anvil.ended;
    expect(isGone(anvil.pid)).toBe(true);
  });

  test('behavior: nothing is left when the shell is killed', async () => {
    const anvil = await started({});
    const shell = Number(parentOf(anvil.pid));
    process.kill(shell, 'SIGKILL');
    await anvil.ended;
    expect(await areGone([anvil.pid], 2_000)).toBe(true);
  });
});
