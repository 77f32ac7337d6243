/** What looks at keys and gives them other names. What opens their files has tests of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/key.js';
import * as KeyListing from '../../src/core/accounts/KeyListing.js';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import { publicKeys } from '../../src/sandbox/venue/venueAccounts.js';
import { context, failure, run, type Wishes, type Workbench, workbench } from '../support/workbench.js';

const place = { network: 'sandbox', accountIndex: 101, apiKeyIndex: 4 };

/** A workbench with the wallet's key `main` and the API key `api`, and a command's context there. */
async function kept() {
  const bench: Workbench = workbench();
  const flags = { passwordFile: bench.write('password', 'long secret') };
  const maker = await context(bench, { flags });
  const main = await maker.keystore.create('main');
  const apiKeys = await maker.venueKeys();
  const api = await apiKeys.add('api', bench.write('key', DevelopmentAccount.venueKey(1)), place);
  const both = async () => [await maker.keystore.list(), await apiKeys.list()];
  const warned: string[] = [];
  /** Nobody can be asked, and nothing unlocked, unless there are answers. */
  const parts = async (wishes: Wishes = {}) => ({
    ...(await context(bench, wishes)),
    warn: (text: string) => void warned.push(text),
  });
  return { bench, main, api, both, parts, warned };
}

describe('key list', () => {
  test('default: API keys of the venue stand behind the wallets’ keys; development accounts on the sandbox alone', async () => {
    const { main, api, parts } = await kept();
    const found = await run(commands.list, { args: [] }, await parts());
    expect(found.keys).toEqual([KeyListing.from(main), KeyListing.fromVenue(api)]);
    expect(found.development.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, i) => `dev${i}`));
    const elsewhere = await run(commands.list, { args: [] }, await parts({ flags: { network: 'mainnet' } }));
    expect(elsewhere.development).toEqual([]);
  });
});

describe('key show', () => {
  test('default: of either kind, and nothing of it but its address', async () => {
    const { main, api, parts } = await kept();
    const shown = await run(commands.show, { args: ['main'] }, await parts());
    expect(shown).toEqual({ ...main, kind: 'wallet', venue: null });
    const { crypto } = JSON.parse(readFileSync(main.path, 'utf8'));
    expect(JSON.stringify(shown)).not.toContain(crypto.ciphertext);
    expect(await run(commands.show, { args: ['api'] }, await parts())).toEqual({
      ...{ name: 'api', kind: 'venue', address: null, path: api.path },
      venue: { ...place, publicKey: publicKeys.dev1 },
    });
  });

  test('behavior: a development key on the sandbox, and nowhere else', async () => {
    const shown = await run(commands.show, { args: ['dev3'] }, await context(workbench()));
    expect(shown).toMatchObject({ kind: 'development', address: DevelopmentAccount.address(3), path: null });
    const elsewhere = await context(workbench(), { flags: { network: 'mainnet' } });
    await failure('auth.unknown-account', () => run(commands.show, { args: ['dev3'] }, elsewhere));
  });
});

describe('key remove', () => {
  test.each(['main', 'api'])('default: %s after asking, and nothing else', async (name) => {
    const { both, parts } = await kept();
    const before = await both();
    await failure('prompt.declined', async () =>
      run(commands.remove, { args: [name] }, await parts({ answers: ['n'] })),
    );
    expect(await both()).toEqual(before);
    expect(await run(commands.remove, { args: [name] }, await parts({ answers: ['y'] }))).toMatchObject({ name });
    expect((await both()).flat().map((each) => each.name)).toEqual([name === 'main' ? 'api' : 'main']);
  });

  test('error: no key of that name, before anything is asked', async () => {
    const parts = await context(workbench(), { answers: [] });
    for (const name of ['main', '../../config.json'])
      await failure('auth.unknown-account', () => run(commands.remove, { args: [name] }, parts));
  });
});

describe('key rename', () => {
  test('default: the same key and password under another name', async () => {
    const { main, both, parts, warned } = await kept();
    const { keystore } = await parts();
    const text = await keystore.text('main');
    const path = join(keystore.folder, 'savings');
    expect(await run(commands.rename, { args: ['main', 'savings'] }, await parts())).toEqual({
      ...{ name: 'savings', address: main.address, path, venue: null },
    });
    expect((await both())[0]).toEqual([{ ...main, name: 'savings', path }]);
    expect(await keystore.text('savings')).toBe(text);
    expect(warned).toEqual([]);
  });

  test('behavior: an API key of the venue', async () => {
    const { api, both, parts } = await kept();
    expect(await run(commands.rename, { args: ['api', 'other'] }, await parts())).toMatchObject({
      name: 'other',
      venue: place,
    });
    expect((await both())[1]).toMatchObject([{ ...api, name: 'other', path: expect.stringMatching(/other$/) }]);
  });

  test('behavior: settings that name the old one are named', async () => {
    const { bench, parts, warned } = await kept();
    bench.write('home/.config/ferry/config.json', '{ "account": "main" }');
    await run(commands.rename, { args: ['main', 'savings'] }, await parts());
    expect(warned).toEqual(['Your settings name the old one: ferry config set account savings']);
  });

  test.each([
    ['a name that an API key has', ['main', 'api'], 'auth.key-exists'],
    ['a name that a wallet key has', ['api', 'main'], 'auth.key-exists'],
    ['its own name', ['main', 'main'], 'auth.key-exists'],
    ['a name that is none', ['main', '../x'], 'usage.invalid'],
    ['a key that does not exist', ['other', 'new'], 'auth.unknown-account'],
  ])('error: %s changes nothing', async (_, args, code) => {
    const { both, parts } = await kept();
    const before = await both();
    await failure(code, async () => run(commands.rename, { args }, await parts()));
    expect(await both()).toEqual(before);
  });
});
