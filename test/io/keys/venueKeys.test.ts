import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type * as KeyStores from '../../../src/core/accounts/KeyStores.js';
import type { VenueAccount } from '../../../src/core/accounts/VenueAccount.js';
import type { BaseError } from '../../../src/core/base/Errors.js';
import * as Config from '../../../src/core/config/Config.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import type { Network } from '../../../src/core/network/Network.js';
import { network as sandbox } from '../../../src/core/network/sandbox.js';
import { createKeystore } from '../../../src/io/keys/keystoreFolder.js';
import { createVenueKeys, folder } from '../../../src/io/keys/venueKeys.js';
import * as paths from '../../../src/io/state/paths.js';
import { publicKeys } from '../../../src/sandbox/venue/venueAccounts.js';
import * as Schnorr from '../../../src/venue/Schnorr.js';
import { lightScrypt } from '../../support/lightScrypt.js';
import { answering, failure, type Wishes, type Workbench, workbench } from '../../support/workbench.js';

const [key0, key1, key2] = [0, 1, 2].map((at) => DevelopmentAccount.venueKey(at));
const key = key1 ?? '0x';
const publicKey = publicKeys.dev1;
const password = 'pass word ünïcode';
const account: VenueAccount = {
  index: 101,
  wallet: DevelopmentAccount.address(1),
  isMaster: true,
  isActive: true,
  assets: [],
};
const place = { network: 'sandbox', accountIndex: 101, apiKeyIndex: 4 };
const mainnet: Network = { ...sandbox, name: 'mainnet' };

/** The API keys of a workbench; without answers there is no terminal. */
function keysOf(bench: Workbench, { flags, env, answers, user, network = sandbox }: More = {}): KeyStores.VenueKeys {
  const config = Config.merge({
    flags: flags ?? {},
    env: env ?? {},
    user: user && { path: '/u/config.json', content: user },
  });
  const interactive = answers !== undefined;
  return createVenueKeys({ host: bench.host, config, network, prompt: answering(answers ?? []), interactive });
}

function walletsOf({ host }: Workbench, ...answers: string[]): KeyStores.Keystore {
  return createKeystore({ host, config: Config.merge({}), prompt: answering(answers), interactive: true });
}

type More = Wishes & { network?: Network; user?: object };

/** All text of an error. */
const everything = (error: BaseError) =>
  `${error.stack} ${JSON.stringify(error.facts)} ${error.hint} ${error.next} ${error.cause}`;

describe('createVenueKeys', () => {
  test('behavior: stores a key privately, lists, unlocks and removes it', async () => {
    const bench = workbench();
    const made = await keysOf(bench, { answers: [key, password, password] }).add('mine', undefined, place);
    const path = join(folder(bench.host), 'mine');
    expect(made).toEqual({ name: 'mine', path, publicKey, ...place });
    const parent = statSync(paths.keys(bench.host)).mode & 0o777;
    expect([statSync(path).mode & 0o777, statSync(folder(bench.host)).mode & 0o777, parent]).toEqual([
      0o600, 0o700, 0o700,
    ]);
    expect(readdirSync(folder(bench.host))).toEqual(['mine']);
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain(key.slice(2));
    expect(JSON.parse(text).crypto).toMatchObject({ kdf: 'scrypt', kdfparams: lightScrypt });
    const keys = keysOf(bench, { answers: [password] });
    expect(await keys.list()).toEqual([made]);

    const signer = await keys.unlock(account, undefined);
    expect(signer).toMatchObject({ name: 'mine', publicKey });
    for (const message of [1, 2].map((byte) => new Uint8Array(40).fill(byte)))
      expect(
        Schnorr.verify({ publicKey: Buffer.from(publicKey, 'hex'), message, signature: signer.sign(message) }),
      ).toBe(true);

    expect(await keys.remove('other')).toBeUndefined();
    expect(await keys.remove('mine')).toEqual(made);
    expect(await keys.list()).toEqual([]);
  });

  test('behavior: from a file or stdin, with a password from a file', async () => {
    const bench = workbench({ stdin: `${key}\n` });
    const passwordFile = bench.write('password', `${password}\n`);
    const keys = keysOf(bench, { flags: { passwordFile } });
    await keys.add('a', bench.write('key', key.slice(2).toUpperCase()), place);
    await keys.add('b', '-', { ...place, apiKeyIndex: 5 });
    expect(await keys.list()).toMatchObject([
      { name: 'a', publicKey, apiKeyIndex: 4 },
      { name: 'b', publicKey, apiKeyIndex: 5 },
    ]);
    const several = await failure('auth.venue-key', () => keys.unlock(account, undefined));
    expect(Object.fromEntries(several.facts)).toEqual({ a: 'slot 4', b: 'slot 5' });
    expect(await keys.unlock(account, 5)).toMatchObject({ name: 'b' });
    expect(await keysOf(bench, { flags: { passwordFile, venueKey: 'a' } }).unlock(account, 5)).toMatchObject({
      name: 'a',
    });
  });

  test('error: a wallet key has the name already, and vice versa', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry/keys/main', 'whatever');
    await failure('auth.key-exists', () => keysOf(bench, { answers: [] }).add('main', undefined, place));
    bench.write('home/.config/ferry/keys/venue.keys/mine', 'whatever');
    await failure('auth.key-exists', () => keysOf(bench, { answers: [] }).add('mine', undefined, place));
    const wallets = walletsOf(bench);
    await failure('auth.key-exists', () => wallets.create('mine'));
    await failure('auth.key-exists', () => wallets.add('mine', undefined));
  });

  test('behavior: no wallet key can have the folder’s name', async () => {
    const bench = workbench();
    const wallets = walletsOf(bench, password, password);
    const { path } = await wallets.create('venue');
    expect(path).not.toBe(folder(bench.host));
    await failure('usage.invalid', () => wallets.create(paths.venueFolder));
    await keysOf(bench, { answers: [key, password, password] }).add('mine', undefined, place);
    expect((await wallets.list()).map(({ name }) => name)).toEqual(['venue']);
    expect((await keysOf(bench).list()).map(({ name }) => name)).toEqual(['mine']);
  });

  test('error: stores nothing without a password or for an invalid key', async () => {
    const bench = workbench();
    await failure('prompt.unavailable', () => keysOf(bench).add('mine', bench.write('key', key), place));
    const wallets = bench.write('other', DevelopmentAccount.key(1));
    const error = await failure('auth.keystore', () => keysOf(bench, { answers: [] }).add('mine', wallets, place));
    expect(everything(error)).not.toContain(DevelopmentAccount.key(1).slice(2, 20));
    expect(await keysOf(bench).list()).toEqual([]);
  });

  test('error: the folder is a file', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry/keys/venue.keys', 'a file');
    await failure('auth.keystore', () => keysOf(bench).list());
  });
});

describe('unlock', () => {
  test('default: the public development key on the sandbox', async () => {
    expect(await keysOf(workbench()).unlock(account, undefined)).toMatchObject({ name: 'dev1', publicKey });
  });

  test.each(['mainnet', 'testnet', 'mine'])('error: no default key on %s', async (name) => {
    const keys = keysOf(workbench(), { network: { ...sandbox, name } });
    const error = await failure('auth.venue-key', () => keys.unlock(account, undefined));
    expect(error).toMatchObject({ exit: 4, facts: [['wallet', account.wallet]] });
    expect(error.next).toBe(`ferry key import venue --venue-account 101 --api-key-index <slot> --network ${name}`);
  });

  test('error: no default key for a wallet that is not a development account', async () => {
    const strange = { ...account, wallet: `0x${'12'.repeat(20)}` as const };
    await failure('auth.venue-key', () => keysOf(workbench()).unlock(strange, undefined));
  });

  test('behavior: flags override variables, which override the user file', async () => {
    const bench = workbench();
    const [file0, file2] = [bench.write('zero', key0 ?? ''), bench.write('two', key2 ?? '')];
    const passwordFile = bench.write('password', password);
    await keysOf(bench, { flags: { passwordFile } }).add('stored', bench.write('key', key), place);
    const env = { FERRY_VENUE_PRIVATE_KEY: key2 ?? '', FERRY_PASSWORD_FILE: passwordFile };
    const user = { venueKeyFile: file0 };
    const unlock = async (more: More) => (await keysOf(bench, more).unlock(account, undefined)).publicKey;
    expect(await unlock({ env, user, flags: { venueKey: 'stored' } })).toBe(publicKey);
    expect(await unlock({ env, user, flags: { venueKeyFile: file0 } })).toBe(publicKeys.dev0);
    expect(await unlock({ env, user })).toBe(publicKeys.dev2);
    expect(await unlock({ env: { ...env, FERRY_VENUE_KEY_FILE: file0 } })).toBe(publicKeys.dev0);
    expect(await unlock({ user: { venueKeyFile: file2 } })).toBe(publicKeys.dev2);
    const both = { venueKey: 'stored', venueKeyFile: file0 };
    await failure('usage.invalid', () => keysOf(bench, { flags: both }).unlock(account, undefined));
  });

  test('behavior: only the key of the account, the index and the network', async () => {
    const bench = workbench();
    const passwordFile = bench.write('password', password);
    const keys = keysOf(bench, { network: mainnet, flags: { passwordFile } });
    await keys.add('mine', bench.write('key', key), { ...place, network: 'mainnet' });
    expect(await keys.unlock(account, 4)).toMatchObject({ name: 'mine' });
    await failure('auth.venue-key', () => keys.unlock({ ...account, index: 102 }, undefined));
    await failure('auth.venue-key', () => keys.unlock(account, 5));
    expect(await keysOf(bench).unlock(account, undefined)).toMatchObject({ name: 'dev1' });
    const other = await failure('auth.unknown-account', () =>
      keysOf(bench, { flags: { venueKey: 'mien' } }).unlock(account, undefined),
    );
    expect(other.hint).toBe('Did you mean mine?');
  });

  test('error: another public key in the file', async () => {
    const bench = workbench();
    const { path } = await keysOf(bench, { answers: [key, password, password] }).add('mine', undefined, place);
    bench.write(
      'home/.config/ferry/keys/venue.keys/mine',
      readFileSync(path, 'utf8').replace(publicKey, publicKeys.dev0),
    );
    const error = await failure('auth.keystore', () =>
      keysOf(bench, { answers: [password] }).unlock(account, undefined),
    );
    expect(error.facts).toContainEqual(['reason', `it names the public key ${publicKeys.dev0}, but holds another key`]);
    expect(everything(error)).not.toContain(key.slice(2, 22));
  });

  test.each([
    ['a variable', { env: { FERRY_VENUE_PRIVATE_KEY: 'hush-hush' } }, 'FERRY_VENUE_PRIVATE_KEY'],
    ['a wallet’s key', { env: { FERRY_VENUE_PRIVATE_KEY: `0x${'ab'.repeat(32)}` } }, 'FERRY_VENUE_PRIVATE_KEY'],
  ])('error: %s with an invalid API key is not repeated', async (_, more, from) => {
    const error = await failure('auth.keystore', () => keysOf(workbench(), more).unlock(account, undefined));
    expect(error.facts).toEqual([['read from', from]]);
    expect(everything(error)).not.toMatch(/hush|abab/);
  });
});
