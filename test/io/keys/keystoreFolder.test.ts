import { createCipheriv, pbkdf2Sync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { keccak256 } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as Keystore from '../../../src/core/accounts/Keystore.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import * as keystoreFolder from '../../../src/io/keys/keystoreFolder.js';
import { lightScrypt } from '../../support/lightScrypt.js';
import { answering, failure, type Wishes, type Workbench, workbench } from '../../support/workbench.js';

const key = DevelopmentAccount.key(1);
const address = DevelopmentAccount.address(1);
const password = 'pass word ünïcode';

/** The keystore's dependencies; without answers there is no terminal. */
function partsOf(
  bench: Workbench,
  { answers }: Pick<Wishes, 'answers'> = {},
  passwordFile?: string,
): keystoreFolder.KeystoreAccess {
  return {
    host: bench.host,
    prompt: answering(answers ?? []),
    interactive: answers !== undefined,
    config: { passwordFile: { value: passwordFile, source: { kind: 'default' } } },
  };
}

/** A key file that no password opens. */
const sealed = Keystore.format(
  {
    ...{ address, ciphertext: '01'.repeat(32), iv: '02'.repeat(16), mac: '03'.repeat(32) },
    kdf: { name: 'pbkdf2', c: 1, salt: '00' },
  },
  'id',
);

describe('createKeystore', () => {
  test('behavior: creates a key, keeps it private and lists it', async () => {
    const bench = workbench();
    const keys = keystoreFolder.createKeystore(partsOf(bench, { answers: [password, password] }));
    expect(await keys.list()).toEqual([]);
    const made = await keys.create('main');
    expect(await keys.list()).toEqual([made]);
    expect(made.path).toBe(join(keys.folder, 'main'));
    expect([statSync(made.path).mode & 0o777, statSync(keys.folder).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(keys.folder)).toEqual(['main']);
    const opened = await keystoreFolder.walletFiles(partsOf(bench, { answers: [password] })).unlock(made);
    expect(privateKeyToAddress(opened.key.reveal() as `0x${string}`)).toBe(made.address);
    const removed = await keys.remove('main');
    expect(removed).toEqual(made);
    expect(await keys.list()).toEqual([]);
  });

  test.each(['test.eth', 'my main.json', 'UTC--2020-01-01T00-00-00.000Z--2c7536e3605d9c16a7a3d7b1898e529396a65c23'])(
    'behavior: a key file named %j, as other tools name them, is told of',
    async (name) => {
      const bench = workbench();
      const keys = keystoreFolder.createKeystore(partsOf(bench));
      mkdirSync(keys.folder, { recursive: true, mode: 0o700 });
      const path = join(keys.folder, name);
      writeFileSync(path, sealed, { mode: 0o600 });
      writeFileSync(join(keys.folder, 'notes.txt'), 'not a key');
      expect(await keys.list()).toEqual([]);
      expect(await keys.unnamed()).toEqual([path]);
      const error = await failure('auth.keystore', () => keys.find(name));
      expect(error.facts.find(([label]) => label === 'reason')?.[1]).toContain('ferry key import <name> --keystore ');
      await failure('auth.unknown-account', () => keys.find('notes.txt'));
    },
  );

  test('behavior: imports from a file or stdin, with a password from a file', async () => {
    const bench = workbench({ stdin: `${key}\n` });
    const secret = bench.write('password', `${password}\n`);
    const file = bench.write('key', key);
    const keys = keystoreFolder.createKeystore(partsOf(bench, {}, secret));
    expect(await keys.add('a', file)).toMatchObject({ name: 'a', address });
    expect(await keys.add('b', '-')).toMatchObject({ name: 'b', address });
    // The same key and password twice, yet the files share nothing.
    const [a, b] = ['a', 'b'].map((name) => Keystore.from(readFileSync(join(keys.folder, name), 'utf8'), name));
    expect(a?.ciphertext).not.toBe(b?.ciphertext);
    expect(a?.iv).not.toBe(b?.iv);
    expect(a?.kdf).not.toEqual(b?.kdf);
  });

  test('error: a taken name, before any prompt', async () => {
    const bench = workbench();
    const path = bench.write('home/.config/ferry/keys/main', 'whatever');
    const keys = keystoreFolder.createKeystore(partsOf(bench, { answers: [] }));
    await failure('auth.key-exists', () => keys.create('main'));
    await failure('auth.key-exists', () => keys.add('main', undefined));
    expect(readFileSync(path, 'utf8')).toBe('whatever');
  });

  test.each(['../main', 'dev0', ''])('error: the name %j', async (name) => {
    const keys = keystoreFolder.createKeystore(partsOf(workbench(), { answers: [] }));
    await failure('usage.invalid', () => keys.create(name));
    await failure('usage.invalid', () => keys.add(name, undefined));
    await failure('auth.unknown-account', () => keys.remove(name));
  });

  test('error: a read-only folder', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry', 'a file');
    const keys = keystoreFolder.createKeystore(partsOf(bench, { answers: [password, password] }));
    await failure('config.unwritable', () => keys.create('main'));
  });

  test('behavior: lists only keystores', async () => {
    const bench = workbench();
    for (const [name, text] of [
      ['good', sealed],
      ['broken', '{'],
      ['.hidden', '{}'],
      ['name.json', '{}'],
    ] as const)
      bench.write(`home/.config/ferry/keys/${name}`, text);
    bench.write('home/.config/ferry/keys/folder/file', '');
    const keys = keystoreFolder.createKeystore(partsOf(bench));
    expect((await keys.list()).map((each) => each.name)).toEqual(['good']);
  });
});

/** A keystore file on a workbench, encrypted with `password` at low cost. */
async function cheapFile(bench: Workbench, path: string, more: object = {}): Promise<string> {
  const kdf = { dklen: 32, c: 1, prf: 'hmac-sha256', salt: '00' };
  const derived = pbkdf2Sync(password, Buffer.from('00', 'hex'), 1, 32, 'sha256');
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), Buffer.alloc(16));
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(key.slice(2), 'hex')), cipher.final()]);
  const mac = keccak256(Buffer.concat([derived.subarray(16), ciphertext])).slice(2);
  const cipherparams = { iv: '00'.repeat(16) };
  const crypto = {
    cipher: 'aes-128-ctr',
    cipherparams,
    ciphertext: ciphertext.toString('hex'),
    kdf: 'pbkdf2',
    kdfparams: kdf,
    mac,
  };
  return bench.write(path, JSON.stringify({ version: 3, id: 'theirs', crypto, ...more }));
}

describe('addEncrypted', () => {
  test('behavior: imports another tool’s file, adds the address and raises the scrypt cost', async () => {
    const bench = workbench();
    const path = await cheapFile(bench, 'theirs.json');
    const keys = keystoreFolder.createKeystore(partsOf(bench, { answers: [password] }));
    const kept = await keys.addEncrypted('main', { path, text: readFileSync(path, 'utf8') });
    expect(kept).toEqual({ name: 'main', address, path: join(keys.folder, 'main') });
    const { kdf } = Keystore.from(readFileSync(kept.path, 'utf8'), kept.path);
    expect(kdf).toMatchObject({ name: 'scrypt', ...lightScrypt });
    expect((await keystoreFolder.walletFiles(partsOf(bench, { answers: [password] })).unlock(kept)).key.reveal()).toBe(
      key,
    );
  });

  test('error: a wrong password, or a file with another address, stores nothing', async () => {
    const bench = workbench();
    const other = { address: DevelopmentAccount.address(2).slice(2) };
    const file = async (more?: object) => {
      const path = await cheapFile(bench, 'theirs.json', more);
      return { path, text: readFileSync(path, 'utf8') };
    };
    const keys = keystoreFolder.createKeystore(partsOf(bench, { answers: ['hush', 'hush', 'hush', password] }));
    const good = await file();
    const error = await failure('auth.password', () => keys.addEncrypted('main', good));
    expect(`${error.stack} ${JSON.stringify(error.facts)}`).not.toContain('hush');
    const lying = await file(other);
    const lie = await failure('auth.keystore', () => keys.addEncrypted('main', lying));
    expect(JSON.stringify(lie.facts)).toContain(`it names the address ${DevelopmentAccount.address(2)}`);
    expect(await keys.list()).toEqual([]);
  });

  test('error: a taken name, before the password prompt', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry/keys/main', 'whatever');
    const keys = keystoreFolder.createKeystore(partsOf(bench, { answers: [] }));
    await failure('auth.key-exists', () => keys.addEncrypted('main', { path: 'x', text: '{}' }));
  });
});

describe('changePassword', () => {
  const at = 'home/.config/ferry/keys/main';

  test('default: only the new password opens it, and the rest of the file stays', async () => {
    const bench = workbench();
    const path = await cheapFile(bench, at, { name: 'of another tool' });
    const keys = keystoreFolder.createKeystore(partsOf(bench, { answers: [password, 'new secret', 'new secret'] }));
    await keys.changePassword('main', undefined);
    const { crypto, ...rest } = JSON.parse(readFileSync(path, 'utf8'));
    expect(rest).toEqual({ version: 3, id: 'theirs', name: 'of another tool' });
    expect(crypto).toMatchObject({ kdf: 'scrypt', kdfparams: lightScrypt });
    expect([statSync(path).mode & 0o777, readdirSync(keys.folder)]).toEqual([0o600, ['main']]);
    const stored = await keys.find('main');
    expect(
      (await keystoreFolder.walletFiles(partsOf(bench, { answers: ['new secret'] })).unlock(stored)).key.reveal(),
    ).toBe(key);
    await failure('auth.password', () =>
      keystoreFolder.walletFiles(partsOf(bench, {}, bench.write('old', password))).unlock(stored),
    );
  });

  test.each([
    ['the old password is wrong', ['hush', 'hash', 'hosh'], 'auth.password'],
    ['the new ones differ', [password, ...[1, 2, 3].flatMap(() => ['new secret', 'mew secret'])], 'auth.password'],
    ['there is no terminal', undefined, 'prompt.unavailable'],
  ])('error: %s, and the file is unchanged', async (_, answers, code) => {
    const bench = workbench();
    const path = await cheapFile(bench, at);
    const before = readFileSync(path, 'utf8');
    const keys = keystoreFolder.createKeystore(partsOf(bench, answers ? { answers } : {}));
    await failure(code, () => keys.changePassword('main', undefined));
    expect([readFileSync(path, 'utf8'), readdirSync(keys.folder)]).toEqual([before, ['main']]);
  });
});

test('holds: finds any key in the folder, however it got there', async () => {
  const bench = workbench();
  const keys = keystoreFolder.createKeystore(partsOf(bench));
  const own = bench.write('home/.config/ferry/keys/venue.keys/api', '');
  const other = bench.write('home/.config/ferry/keys.json', '');
  symlinkSync(keys.folder, join(bench.folder, 'link'));
  const paths = [own, join(bench.folder, 'link', 'venue.keys', 'api'), other, join(keys.folder, 'none')];
  expect(await Promise.all(paths.map(keys.holds))).toEqual([true, true, false, false]);
});

describe('find', () => {
  test('error: suggests the nearest', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry/keys/main', sealed);
    const error = await failure('auth.unknown-account', () => keystoreFolder.walletFiles(partsOf(bench)).find('mian'));
    expect(error.hint).toBe('Did you mean main?');
    const ofSandbox = await failure('auth.unknown-account', () =>
      keystoreFolder.walletFiles(partsOf(bench)).find('dev11'),
    );
    expect(ofSandbox.hint).toBe('The development accounts of the sandbox are dev0 to dev9.');
  });

  test('error: reports why a file is not a keystore', async () => {
    const bench = workbench();
    const path = bench.write('home/.config/ferry/keys/main', 'hush');
    const error = await failure('auth.keystore', () => keystoreFolder.walletFiles(partsOf(bench)).find('main'));
    expect(Object.fromEntries(error.facts)).toEqual({ file: path, reason: 'it is not JSON' });
  });
});
