import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/key/rename.js';
import type { Context } from '../../../src/core/command/Context.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { context, failure, run, type Workbench, workbench } from '../../support/workbench.js';

async function withKey(bench: Workbench, flags = {}): Promise<Context & { warnings: string[] }> {
  const passwordFile = bench.write('password', 'long secret');
  const parts = await context(bench, { flags: { passwordFile, ...flags } });
  const warnings: string[] = [];
  return { ...parts, warn: (text) => warnings.push(text), warnings };
}

describe('key rename', () => {
  test('default: the same key and password under another name', async () => {
    const parts = await withKey(workbench());
    const made = await parts.keystore.create('main');
    const text = await parts.keystore.text('main');
    const path = join(parts.keystore.folder, 'savings');
    expect(await run(command, { args: ['main', 'savings'] }, parts)).toEqual({
      ...{ name: 'savings', address: made.address, path, venue: null },
    });
    expect(await parts.keystore.list()).toEqual([{ ...made, name: 'savings', path }]);
    expect(await parts.keystore.text('savings')).toBe(text);
    expect(parts.warnings).toEqual([]);
  });

  test('behavior: an API key of the venue', async () => {
    const bench = workbench();
    const parts = await withKey(bench);
    const apiKeys = await parts.venueKeys();
    const place = { network: 'sandbox', accountIndex: 101, apiKeyIndex: 4 };
    const made = await apiKeys.add('api', bench.write('key', DevelopmentAccount.venueKey(1)), place);
    const { name, venue } = await run(command, { args: ['api', 'other'] }, parts);
    expect([name, venue?.accountIndex]).toEqual(['other', 101]);
    expect(await apiKeys.list()).toMatchObject([{ ...made, name: 'other', path: expect.stringMatching(/other$/) }]);
  });

  test('behavior: settings that name the old one are named', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry/config.json', '{ "account": "main" }');
    const parts = await withKey(bench);
    await parts.keystore.create('main');
    await run(command, { args: ['main', 'savings'] }, parts);
    expect(parts.warnings).toEqual(['Your settings name the old one: ferry config set account savings']);
  });

  test.each([
    ['a name that a wallet key has', ['main', 'taken'], 'auth.key-exists'],
    ['a name that an API key has', ['main', 'api'], 'auth.key-exists'],
    ['its own name', ['main', 'main'], 'auth.key-exists'],
    ['a name that is none', ['main', '../x'], 'usage.invalid'],
    ['a key that does not exist', ['other', 'new'], 'auth.unknown-account'],
  ])('error: %s changes nothing', async (_, args, code) => {
    const bench = workbench();
    const parts = await withKey(bench);
    for (const name of ['main', 'taken']) await parts.keystore.create(name);
    const apiKeys = await parts.venueKeys();
    const place = { network: 'sandbox', accountIndex: 101, apiKeyIndex: 4 };
    await apiKeys.add('api', bench.write('key', DevelopmentAccount.venueKey(1)), place);
    const before = [await parts.keystore.list(), await apiKeys.list()];
    await failure(code, () => run(command, { args }, parts));
    expect([await parts.keystore.list(), await apiKeys.list()]).toEqual(before);
  });
});
