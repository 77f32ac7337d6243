import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/key/new.js';
import * as KeyListing from '../../../src/core/accounts/KeyListing.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { ferry, temporaryFolder } from '../../support/ferry.js';
import { context, failure, run, workbench } from '../../support/workbench.js';

describe('run', () => {
  test('default', async () => {
    const parts = await context(workbench(), { answers: ['long secret', 'long secret'] });
    const made = await run(command, { args: ['main'] }, parts);
    expect((await parts.keystore.list()).map(KeyListing.from)).toEqual([made]);
  });

  test('behavior: --password-file asks nothing', async () => {
    const bench = workbench();
    const passwordFile = bench.write('password', 'long secret\n');
    const parts = await context(bench, { flags: { passwordFile } });
    const made = await run(command, { args: ['ci'], passwordFile }, parts);
    expect(made).toMatchObject({ name: 'ci', address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) });
  });

  test.each([
    ['', ['--weak-password'], 'The password is empty.'],
    ['\n', [], 'The password is empty.'],
    ['short', [], 'The password has fewer than 8 characters.'],
  ])('error: a file with the password %j, after %j', async (password, flags, message) => {
    const folder = temporaryFolder();
    const file = join(folder, 'password');
    writeFileSync(file, password, { mode: 0o600 });
    const argv = ['key', 'new', 'main', '--password-file', file, ...flags, '--json'];
    const { code, json } = await ferry(argv, { home: folder });
    expect([code, json().error]).toMatchObject([4, { code: 'auth.weak-password', message, funds: 'untouched' }]);
    expect(existsSync(join(folder, '.config'))).toBe(false);
  });

  test('behavior: a short password that is to be', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'password');
    writeFileSync(file, 'short', { mode: 0o600 });
    const argv = ['key', 'new', 'main', '--password-file', file, '--weak-password', '--json'];
    expect((await ferry(argv, { home: folder })).json().data).toMatchObject({ name: 'main' });
  });

  test('error: a name it cannot have', async () => {
    const parts = await context(workbench(), { answers: [] });
    const error = await failure('usage.invalid', () => run(command, { args: ['dev3'] }, parts));
    expect(error.hint).toContain('development accounts');
  });

  test('error: nobody to ask', async () => {
    const parts = await context(workbench());
    await failure('prompt.unavailable', () => run(command, { args: ['main'] }, parts));
  });
});

describe('view', () => {
  test('default', () => {
    const key = {
      name: 'main',
      address: '0x1111111111111111111111111111111111111111',
      path: '/keys/main',
      venue: null,
    };
    expect(command.view(key, plain)).toMatch(/^Created main\n {2}address {2}0x1111/);
  });
});
