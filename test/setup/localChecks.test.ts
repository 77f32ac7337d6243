import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Check, Subject } from '../../src/core/checks/HealthCheck.js';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import { inspect } from '../../src/setup/localChecks.js';
import { castWallet } from '../support/cast.js';
import { temporaryFolder } from '../support/ferry.js';
import { intent, transactions } from '../support/journals.js';
import { deadLock } from '../support/locks.js';
import { contextAt } from '../support/ownNetwork.js';

/** A workbench with all folders and no terminal. */
function desk() {
  const folder = temporaryFolder();
  const keys = join(folder, 'config', 'keys');
  mkdirSync(keys, { recursive: true, mode: 0o700 });
  return {
    env: { FERRY_CONFIG_DIR: join(folder, 'config'), FERRY_STATE_DIR: join(folder, 'state') },
    folder,
    keys,
    write(name: string, text: string, mode = 0o600) {
      writeFileSync(join(folder, name), text);
      chmodSync(join(folder, name), mode);
      return join(folder, name);
    },
  };
}

async function checked(subject: Subject, env: Record<string, string>): Promise<Check | undefined> {
  return (await inspect(await contextAt(env))).find(({ check }) => check === subject);
}

/** The intent of a run. */
const { type: _, run: __, ...begun } = intent;

describe('configuration', () => {
  test('default: no settings', async () => {
    // Only the folders come from variables, which are not settings.
    expect(await checked('configuration', desk().env)).toMatchObject({
      verdict: 'ok',
      summary: 'Nothing is configured: ferry uses the sandbox.',
    });
  });

  test('behavior: each value with its source, without secrets', async () => {
    const { env, write } = desk();
    const networks = { mainnet: { apiKey: 'hush-1', chains: { base: { rpcUrl: 'https://rpc.example.org/hush-2' } } } };
    const path = write('config/config.json', JSON.stringify({ maxImpact: 3, networks }));
    const check = await checked('configuration', { ...env, FERRY_QUIET: 'true', FERRY_API_KEY: 'hush-3' });
    expect(check).toMatchObject({
      verdict: 'ok',
      facts: {
        maxImpact: `3% (${path})`,
        quiet: 'true (FERRY_QUIET)',
        apiKey: '*** (FERRY_API_KEY)',
        'networks.mainnet.apiKey': `*** (${path})`,
        'networks.mainnet.chains.base.rpcUrl': `https://rpc.example.org/… (${path})`,
      },
    });
    expect(check?.summary).toBe(`5 settings from ${path}, FERRY_QUIET, FERRY_API_KEY.`);
    expect(JSON.stringify(check)).not.toContain('hush');
  });

  test('behavior: a misspelled variable', async () => {
    const check = await checked('configuration', { ...desk().env, FERRY_NETWORT: 'testnet' });
    expect(check).toMatchObject({ verdict: 'warn', summary: expect.stringContaining('Did you mean FERRY_NETWORK?') });
  });

  test('behavior: a file with a key that other users can read', async () => {
    const { env, write } = desk();
    const path = write('config/config.json', '{"networks":{"mainnet":{"apiKey":"hush"}}}', 0o644);
    expect(await checked('configuration', env)).toMatchObject({ verdict: 'warn', fix: `chmod 600 ${path}` });
  });
});

describe('account', () => {
  test('default: dev0 on the sandbox, no account elsewhere', async () => {
    const { env } = desk();
    expect(await checked('account', env)).toMatchObject({
      verdict: 'ok',
      summary: `dev0 signs on the sandbox: ${DevelopmentAccount.address(0)}.`,
    });
    expect(await checked('account', { ...env, FERRY_NETWORK: 'testnet' })).toMatchObject({
      verdict: 'warn',
      code: 'auth.no-account',
      fix: 'ferry key new main',
    });
  });

  test('behavior: with keys and none selected, one of them, and not a new one', async () => {
    const { env, keys } = desk();
    castWallet('import', 'main', '-k', keys, '--private-key', DevelopmentAccount.key(5), '--unsafe-password', 'x');
    expect(await checked('account', { ...env, FERRY_NETWORK: 'testnet' })).toMatchObject({
      verdict: 'warn',
      facts: { keys: 'main' },
      fix: 'ferry config set account main --network testnet',
    });
  });

  test('behavior: names a stored key without unlocking it, with or without an address in its file', async () => {
    const { env, keys } = desk();
    const secret = ['--private-key', DevelopmentAccount.key(1), '--unsafe-password', 'x'];
    castWallet('import', 'main', '-k', keys, ...secret);
    // There is no terminal to prompt for its password.
    expect(await checked('account', { ...env, FERRY_ACCOUNT: 'main' })).toMatchObject({
      verdict: 'ok',
      summary: 'main signs on sandbox: its file does not contain its address.',
    });
    const named = await checked('account', { ...env, FERRY_ACCOUNT: 'mian' });
    expect(named).toMatchObject({ verdict: 'fail', code: 'auth.unknown-account', hint: 'Did you mean main?' });
    const password = join(keys, '..', 'password');
    const asked = { ...env, FERRY_ACCOUNT: 'main', FERRY_PASSWORD_FILE: password };
    expect(await checked('account', asked)).toMatchObject({ verdict: 'fail' });
    writeFileSync(password, 'x', { mode: 0o644 });
    expect(await checked('account', asked)).toMatchObject({ verdict: 'fail', fix: `chmod 600 ${password}` });
    chmodSync(password, 0o600);
    expect(await checked('account', asked)).toMatchObject({ verdict: 'ok' });
  });

  test('behavior: checks a key file without reading it', async () => {
    const { env, write } = desk();
    const path = write('key', 'no key at all', 0o644);
    const named = { ...env, FERRY_KEY_FILE: path };
    expect(await checked('account', named)).toMatchObject({ verdict: 'fail', fix: `chmod 600 ${path}` });
    chmodSync(path, 0o600);
    expect(await checked('account', named)).toMatchObject({ verdict: 'ok' });
    rmSync(path);
    expect(await checked('account', named)).toMatchObject({ verdict: 'fail', summary: 'The key file does not exist.' });
  });

  test('behavior: a variable with a key, or with an invalid one', async () => {
    const { env } = desk();
    const key = DevelopmentAccount.key(1);
    const check = await checked('account', { ...env, FERRY_PRIVATE_KEY: key });
    expect(check).toMatchObject({ verdict: 'ok', summary: 'The key in FERRY_PRIVATE_KEY signs on sandbox.' });
    expect(JSON.stringify(check)).not.toContain(key.slice(2));
    const broken = await checked('account', { ...env, FERRY_PRIVATE_KEY: key.slice(0, 40) });
    expect(broken).toMatchObject({ verdict: 'fail', code: 'auth.keystore' });
    expect(JSON.stringify(broken)).not.toContain(key.slice(2, 40));
  });
});

describe('keys', () => {
  test('default', async () => {
    const { env, keys } = desk();
    expect(await checked('keys', env)).toMatchObject({ verdict: 'ok', summary: `There are no keys in ${keys} yet.` });
    castWallet('import', 'main', '-k', keys, '--private-key', DevelopmentAccount.key(1), '--unsafe-password', 'x');
    chmodSync(join(keys, 'main'), 0o644);
    expect(await checked('keys', env)).toMatchObject({ verdict: 'warn', fix: `chmod 600 ${join(keys, 'main')}` });
    chmodSync(join(keys, 'main'), 0o600);
    expect(await checked('keys', env)).toMatchObject({
      verdict: 'ok',
      summary: `1 key in ${keys}, readable only by you.`,
    });
  });

  test('behavior: leftovers of a crash, and files that are not keys', async () => {
    const { env, keys, write } = desk();
    const left = write('config/keys/.77.0.tmp', '');
    expect(await checked('keys', env)).toMatchObject({ verdict: 'warn', fix: `rm ${left}` });
    write('config/keys/main', '{');
    const check = await checked('keys', env);
    expect(check).toMatchObject({ verdict: 'warn', facts: { [join(keys, 'main')]: 'it is not JSON' } });
  });
});

describe('state', () => {
  test('default', async () => {
    const { env, folder } = desk();
    expect(await checked('state', env)).toMatchObject({
      verdict: 'ok',
      summary: `${join(folder, 'state')} is writable, and no run is unfinished.`,
      facts: { directory: join(folder, 'state'), free: expect.stringMatching(/^\d+ MiB$/) },
    });
  });

  test('behavior: a directory that other users can read', async () => {
    const { env, folder } = desk();
    mkdirSync(join(folder, 'state'), { mode: 0o755 });
    expect(await checked('state', env)).toMatchObject({ verdict: 'warn', fix: `chmod 700 ${join(folder, 'state')}` });
  });

  test('behavior: lists abandoned locks', async () => {
    const { env, folder } = desk();
    mkdirSync(join(folder, 'state', 'locks'), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'state', 'locks', '313371-0x1'), deadLock());
    const check = await checked('state', env);
    expect(check).toMatchObject({ verdict: 'ok', summary: expect.stringContaining('1 abandoned lock') });
    expect(check?.facts['abandoned lock']).toBe(join(folder, 'state', 'locks', '313371-0x1'));
  });

  test('behavior: unfinished runs', async () => {
    const { env } = desk();
    const context = await contextAt(env);
    const begin = async (): Promise<string> => {
      const run = await (await context.runs()).create(begun, { again: true });
      for (const entry of transactions.slice(1, 5)) await run.append(entry);
      // A held run is not listed: a process may still be executing it.
      expect(await checked('state', env)).not.toMatchObject({ facts: { [run.id]: expect.anything() } });
      run.close();
      return run.id;
    };
    const first = await begin();
    expect(await checked('state', env)).toMatchObject({
      verdict: 'warn',
      summary: '1 run is unfinished.',
      facts: { [first]: '100 alpha/usdc → beta/usdc' },
      hint: expect.stringContaining('ferry runs close'),
      fix: `ferry resume ${first}`,
    });
    await begin();
    expect(await checked('state', env)).toMatchObject({ summary: '2 runs are unfinished.', fix: 'ferry runs list' });
  });

  test('error: a directory that cannot be written', async () => {
    const { env, write } = desk();
    const path = write('file', '');
    expect(await checked('state', { ...env, FERRY_STATE_DIR: path })).toMatchObject({
      verdict: 'fail',
      summary: 'The state directory cannot be written: part of the path is a file.',
      fix: 'export FERRY_STATE_DIR="$(mktemp -d)"',
    });
  });
});
