import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/commands/key.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { publicKeys } from '../../../src/sandbox/venue/venueAccounts.js';
import { castWallet } from '../../support/cast.js';
import { context, failure, run, workbench } from '../../support/workbench.js';

const key = DevelopmentAccount.key(4);
const address = DevelopmentAccount.address(4);
/** The words of the development accounts. */
const words = `${'test '.repeat(11)}junk`;

describe('run', () => {
  test('default', async () => {
    const parts = await context(workbench(), { answers: [key, 'long secret', 'long secret'] });
    const kept = await run(commands.import, { args: ['main'] }, parts);
    expect(kept).toMatchObject({ name: 'main', address });
  });

  test('error: key and password cannot both be stdin', async () => {
    const parts = await context(workbench({ stdin: key }), { flags: { passwordFile: '-', keyFile: '-' } });
    await failure('usage.invalid', () =>
      run(commands.import, { args: ['main'], keyFile: '-', passwordFile: '-' }, parts),
    );
    expect(await parts.keystore.list()).toEqual([]);
  });

  test.each([
    ['stdin', '-'],
    ['a file', 'words'],
  ])('behavior: the words of another wallet, from %s', async (_, from) => {
    const bench = workbench({ stdin: `${words}\n` });
    const keyFile = from === '-' ? from : bench.write(from, words);
    const passwordFile = bench.write('password', 'long secret');
    const parts = await context(bench, { flags: { passwordFile, keyFile } });
    const options = { mnemonic: true, mnemonicIndex: '4', keyFile, passwordFile };
    const kept = await run(commands.import, { args: ['main'], ...options }, parts);
    expect(kept.address).toBe(address);
    expect(readFileSync(kept.path, 'utf8')).not.toContain('junk');
  });

  test('behavior: the words of another wallet, from a prompt', async () => {
    const parts = await context(workbench(), { answers: [words, 'long secret', 'long secret'] });
    const kept = await run(commands.import, { args: ['main'], mnemonic: true, mnemonicIndex: '4' }, parts);
    expect(kept.address).toBe(address);
  });

  test('error: words that others can read, that are wrong, or for something else', async () => {
    const bench = workbench();
    const keyFile = bench.write('words', words, 0o644);
    const parts = await context(bench, { answers: [words.slice(5)] });
    const open = await failure('auth.keystore', () =>
      run(commands.import, { args: ['main'], mnemonic: true, keyFile }, parts),
    );
    expect(open.message).toContain('Other users can read');
    await failure('auth.keystore', () => run(commands.import, { args: ['main'], mnemonic: true }, parts));
    const venue = { mnemonic: true, venueAccount: '100', apiKeyIndex: '4' };
    await failure('usage.invalid', () => run(commands.import, { args: ['main'], ...venue }, parts));
    expect(await parts.keystore.list()).toEqual([]);
  });

  test('behavior: an API key of the venue', async () => {
    const apiKey = DevelopmentAccount.venueKey(4);
    const bench = workbench({ stdin: apiKey });
    const passwordFile = bench.write('password', 'long secret');
    const parts = await context(bench, { flags: { passwordFile, keyFile: '-', network: 'mainnet' } });
    const venue = { venueAccount: '281474976710654', apiKeyIndex: '4' };
    const kept = await run(commands.import, { args: ['venue'], keyFile: '-', passwordFile, ...venue }, parts);
    expect(kept).toEqual({
      name: 'venue',
      address: null,
      path: expect.stringMatching(/keys\/venue\.keys\/venue$/),
      venue: { network: 'mainnet', accountIndex: 281474976710654, apiKeyIndex: 4, publicKey: publicKeys.dev4 },
    });
    expect(await parts.keystore.list()).toEqual([]);
    expect(await (await parts.venueKeys()).list()).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(apiKey.slice(2));
  });

  test.each([
    [{ venueAccount: '100' }, 'usage.missing', '--venue-account and --api-key-index'],
    [{ apiKeyIndex: '4' }, 'usage.missing', '--venue-account and --api-key-index'],
    [{ venueAccount: address, apiKeyIndex: '4' }, 'usage.invalid', '--venue-account must be an account index'],
    [{ venueAccount: '281474976710655', apiKeyIndex: '4' }, 'usage.invalid', '--venue-account must be'],
    [{ venueAccount: '100', apiKeyIndex: '255' }, 'usage.invalid', '--api-key-index must be the index of an API key'],
  ])('error: %j is %s, before the key is asked', async (options, code, words) => {
    const parts = await context(workbench(), { answers: [] });
    const error = await failure(code, () => run(commands.import, { args: ['venue'], ...options }, parts));
    expect(error.message).toContain(words);
  });
});

describe('run --keystore', () => {
  test('default: an encrypted file, of either kind, keeps its password', async () => {
    const bench = workbench();
    const passwordFile = bench.write('password', 'long secret');
    const parts = await context(bench, { flags: { passwordFile } });
    const apiKey = bench.write('venue', DevelopmentAccount.venueKey(1));
    const venue = { venueAccount: '101', apiKeyIndex: '4' };
    const wallet = await run(commands.import, { args: ['main'], keyFile: bench.write('key', key) }, parts);
    const api = await run(commands.import, { args: ['api'], keyFile: apiKey, ...venue }, parts);
    const again = [
      await run(commands.import, { args: ['wallet2'], keystore: wallet.path }, parts),
      await run(commands.import, { args: ['api2'], keystore: api.path }, parts),
    ];
    expect(again).toMatchObject([
      { name: 'wallet2', address, venue: null },
      { name: 'api2', venue: api.venue },
    ]);
  });

  test('behavior: from stdin', async () => {
    const made = workbench();
    const flags = { passwordFile: made.write('password', 'long secret') };
    const kept = await (await context(made, { flags })).keystore.add('main', made.write('key', key));
    const bench = workbench({ stdin: readFileSync(kept.path, 'utf8') });
    const parts = await context(bench, { flags });
    expect(await run(commands.import, { args: ['main'], keystore: '-' }, parts)).toMatchObject({ address });
  });

  /** A workbench with a keystore of another tool, of an empty or short password, and its password in a file. */
  function theirs(password: string) {
    const bench = workbench();
    castWallet('import', 'theirs', '-k', bench.folder, '--private-key', key, '--unsafe-password', password);
    return { bench, keystore: join(bench.folder, 'theirs'), passwordFile: bench.write('password', password) };
  }

  test.each([
    ['', false, 'The password is empty.'],
    ['', true, 'The password is empty.'],
    ['short', false, 'The password has fewer than 8 characters.'],
  ])('error: the password %j of the file, weak or not (%s), stores nothing', async (password, weakPassword, words) => {
    const { bench, keystore, passwordFile } = theirs(password);
    const parts = await context(bench, { flags: { passwordFile } });
    const error = await failure('auth.weak-password', () =>
      run(commands.import, { args: ['main'], keystore, passwordFile, weakPassword }, parts),
    );
    expect(error.message).toBe(words);
    expect(await parts.keystore.list()).toEqual([]);
  });

  test('behavior: a short password of the file that is to be', async () => {
    const { bench, keystore, passwordFile } = theirs('short');
    const parts = await context(bench, { flags: { passwordFile } });
    const kept = await run(commands.import, { args: ['main'], keystore, weakPassword: true }, parts);
    expect(kept).toMatchObject({ name: 'main', address });
  });

  test.each(['', 'short'])('behavior: on a terminal, a new password takes the place of %j', async (password) => {
    const { bench, keystore } = theirs(password);
    const parts = await context(bench, { answers: [password, 'long secret', 'long secret'] });
    await run(commands.import, { args: ['main'], keystore }, parts);
    const opened = await context(bench, { flags: { passwordFile: bench.write('long', 'long secret') } });
    await opened.keystore.changePassword('main', bench.write('next', 'longer secret'));
  });

  test.each([
    ['a key file beside it', { keyFile: 'key' }, 'usage.invalid'],
    ['a place at the venue beside it', { venueAccount: '1', apiKeyIndex: '2' }, 'usage.invalid'],
    ['no such file', {}, 'auth.keystore'],
  ])('error: %s', async (_, more, code) => {
    const parts = await context(workbench(), { answers: [] });
    await failure(code, () => run(commands.import, { args: ['main'], keystore: 'nowhere.json', ...more }, parts));
  });

  test('error: what is no keystore, without a word of it', async () => {
    const bench = workbench();
    const parts = await context(bench, { answers: [] });
    const keystore = bench.write('key', key);
    const error = await failure('auth.keystore', () => run(commands.import, { args: ['main'], keystore }, parts));
    expect(`${error.stack} ${JSON.stringify(error.facts)} ${error.hint}`).not.toContain(key.slice(2));
  });
});
