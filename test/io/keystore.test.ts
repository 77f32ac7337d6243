import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as DevelopmentAccount from '../../src/core/DevelopmentAccount.js';
import * as Keystore from '../../src/core/Keystore.js';
import * as Secret from '../../src/core/Secret.js';
import * as keystore from '../../src/io/keystore.js';
import { castWallet } from '../support/cast.js';
import { answering, failure, type Wishes, type Workbench, workbench } from '../support/workbench.js';

const key = DevelopmentAccount.key(1);
const address = DevelopmentAccount.address(1);
const password = 'pass word ünïcode';

/** What the keystore is made of; without answers nobody can be asked. */
function partsOf(bench: Workbench, { answers }: Pick<Wishes, 'answers'> = {}, passwordFile?: string): keystore.Parts {
  return {
    host: bench.host,
    prompt: answering(answers ?? []),
    interactive: answers !== undefined,
    config: { passwordFile: { value: passwordFile, source: { kind: 'default' } } },
  };
}

/** A keystore whose derivation is cheap, so that tests of other things need not wait. */
const cheap: Keystore.Kdf = { name: 'pbkdf2', c: 1, salt: '00' };

describe('folder', () => {
  test('default', () => {
    const { host } = workbench();
    expect(keystore.folder(host)).toBe(join(host.home, '.config/ferry/keys'));
    expect(keystore.folder({ ...host, env: { FERRY_CONFIG_DIR: '/c' } })).toBe('/c/keys');
    expect(keystore.folder({ ...host, env: { FERRY_CONFIG_DIR: '/c', FERRY_KEYSTORE_DIR: 'k' } })).toBe(
      join(host.cwd, 'k'),
    );
  });
});

describe('createKeystore', () => {
  test('behavior: makes a key, keeps it closed, and lists it', async () => {
    const bench = workbench();
    const keys = keystore.createKeystore(partsOf(bench, { answers: [password, password] }));
    expect(await keys.list()).toEqual([]);
    const made = await keys.create('main');
    expect(await keys.list()).toEqual([made]);
    expect(made.path).toBe(join(keys.folder, 'main'));
    expect([statSync(made.path).mode & 0o777, statSync(keys.folder).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(keys.folder)).toEqual(['main']);
    const opened = await keystore.unlock(made, partsOf(bench, { answers: [password] }));
    expect(privateKeyToAddress(opened.reveal() as `0x${string}`)).toBe(made.address);
    const removed = await keys.remove('main');
    expect(removed).toEqual(made);
    expect(await keys.list()).toEqual([]);
  });

  test('behavior: imports from a file or stdin, with a password from a file', async () => {
    const bench = workbench({ stdin: `${key}\n` });
    const secret = bench.write('password', `${password}\n`);
    const file = bench.write('key', key);
    const keys = keystore.createKeystore(partsOf(bench, {}, secret));
    expect(await keys.add('a', file)).toMatchObject({ name: 'a', address });
    expect(await keys.add('b', '-')).toMatchObject({ name: 'b', address });
    // Twice the same key and password, and nothing alike in the files.
    const [a, b] = ['a', 'b'].map((name) => Keystore.from(readFileSync(join(keys.folder, name), 'utf8'), name));
    expect(a?.ciphertext).not.toBe(b?.ciphertext);
    expect(a?.iv).not.toBe(b?.iv);
    expect(a?.kdf).not.toEqual(b?.kdf);
  });

  test('behavior: imports what a person types', async () => {
    const bench = workbench();
    const keys = keystore.createKeystore(partsOf(bench, { answers: [key, 'x', 'x'] }));
    expect(await keys.add('main', undefined)).toMatchObject({ address });
  });

  test('error: a name that is taken, before anything is asked', async () => {
    const bench = workbench();
    const path = bench.write('home/.config/ferry/keys/main', 'whatever');
    const keys = keystore.createKeystore(partsOf(bench, { answers: [] }));
    await failure('auth.key-exists', () => keys.create('main'));
    await failure('auth.key-exists', () => keys.add('main', undefined));
    expect(readFileSync(path, 'utf8')).toBe('whatever');
  });

  test.each(['../main', 'dev0', ''])('error: the name %j', async (name) => {
    const keys = keystore.createKeystore(partsOf(workbench(), { answers: [] }));
    await failure('usage.invalid', () => keys.create(name));
    await failure('usage.invalid', () => keys.add(name, undefined));
    await failure('auth.unknown-account', () => keys.remove(name));
  });

  test('error: nobody to ask for the password', async () => {
    const bench = workbench();
    const keys = keystore.createKeystore(partsOf(bench));
    const error = await failure('prompt.unavailable', () => keys.create('main'));
    expect(error.hint).toContain('--password-file');
    expect(await keys.list()).toEqual([]);
  });

  test('error: two passwords that differ leave nothing behind', async () => {
    const keys = keystore.createKeystore(partsOf(workbench(), { answers: ['a', 'b'] }));
    await failure('auth.password', () => keys.create('main'));
    expect(await keys.list()).toEqual([]);
  });

  test('error: a folder that cannot be written', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry', 'a file');
    const keys = keystore.createKeystore(partsOf(bench, { answers: ['x', 'x'] }));
    await failure('config.unwritable', () => keys.create('main'));
  });

  test('behavior: lists keystores only', async () => {
    const bench = workbench();
    for (const [name, text] of [
      [
        'good',
        Keystore.format(
          { address, ciphertext: '01'.repeat(32), iv: '02'.repeat(16), mac: '03'.repeat(32), kdf: cheap },
          '',
        ),
      ],
      ['broken', '{'],
      ['.hidden', '{}'],
      ['name.json', '{}'],
    ] as const)
      bench.write(`home/.config/ferry/keys/${name}`, text);
    bench.write('home/.config/ferry/keys/folder/file', '');
    const keys = keystore.createKeystore(partsOf(bench));
    expect((await keys.list()).map((each) => each.name)).toEqual(['good']);
  });
});

describe('find', () => {
  test('error: suggests the nearest', async () => {
    const bench = workbench();
    const text = Keystore.format(
      { address, ciphertext: '01'.repeat(32), iv: '02'.repeat(16), mac: '03'.repeat(32), kdf: cheap },
      '',
    );
    bench.write('keys/main', text);
    const error = await failure('auth.unknown-account', () => keystore.find(join(bench.folder, 'keys'), 'mian'));
    expect(error.hint).toBe('Did you mean main?');
  });

  test('error: a file that is no keystore says why', async () => {
    const bench = workbench();
    const path = bench.write('keys/main', 'hush');
    const error = await failure('auth.keystore', () => keystore.find(join(bench.folder, 'keys'), 'main'));
    expect(error.facts).toEqual([
      ['file', path],
      ['reason', 'it is not JSON'],
    ]);
  });
});

describe('decrypt', () => {
  const place = { name: 'main', path: '/keys/main' };

  // From the definition of the format (github.com/ethereum/wiki, Web3 Secret Storage Definition).
  const vector = {
    key: '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d',
    password: 'testpassword',
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
      ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
      kdf: 'pbkdf2',
      kdfparams: {
        c: 262144,
        dklen: 32,
        prf: 'hmac-sha256',
        salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
      },
      mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
    },
  };

  test('behavior: the published vector', async () => {
    const parsed = Keystore.from(JSON.stringify({ version: 3, id: 'x', crypto: vector.crypto }), 'vector');
    expect((await keystore.decrypt(parsed, vector.password, place)).reveal()).toBe(vector.key);
  });

  test('error: another password', async () => {
    const parsed = Keystore.from(JSON.stringify({ version: 3, id: 'x', crypto: vector.crypto }), 'vector');
    const error = await failure('auth.password', () => keystore.decrypt(parsed, 'hush', place));
    expect(`${error.stack} ${JSON.stringify(error.facts)}`).not.toContain('hush');
  });
});

describe('encrypt', () => {
  test('default', async () => {
    const { host } = workbench();
    const encrypted = await keystore.encrypt(Secret.from(key), '', host.randomBytes);
    expect(encrypted.kdf).toMatchObject({ name: 'scrypt', n: 262_144, r: 8, p: 1 });
    const opened = await keystore.decrypt(encrypted, '', { name: 'main', path: '/keys/main' });
    expect(opened.reveal()).toBe(key);
  });
});

describe('unlock', () => {
  test('error: a file that names another address', async () => {
    const bench = workbench();
    const keys = keystore.createKeystore(partsOf(bench, { answers: [key, '', ''] }));
    const stored = await keys.add('main', undefined);
    const other = DevelopmentAccount.address(2).slice(2).toLowerCase();
    bench.write(
      'home/.config/ferry/keys/main',
      readFileSync(stored.path, 'utf8').replace(address.slice(2).toLowerCase(), other),
    );
    const error = await failure('auth.keystore', () => keystore.unlock(stored, partsOf(bench, { answers: [''] })));
    expect(JSON.stringify(error.facts)).toContain(`it names ${DevelopmentAccount.address(2)}`);
  });
});

describe('cast wallet', () => {
  test('behavior: opens a key that ferry made', async () => {
    const bench = workbench();
    const keys = keystore.createKeystore(partsOf(bench, { answers: [key, password, password] }));
    const { path } = await keys.add('main', undefined);
    const decrypted = castWallet('decrypt-keystore', 'main', '-k', keys.folder, '--unsafe-password', password);
    expect(decrypted).toContain(key);
    expect(castWallet('address', '--keystore', path, '--password', password).trim()).toBe(address);
  });

  test('behavior: its keys open here', async () => {
    const bench = workbench();
    bench.write('keys/.keep', '');
    const directory = join(bench.folder, 'keys');
    castWallet('import', 'theirs', '-k', directory, '--private-key', key, '--unsafe-password', password);
    const stored = await keystore.find(directory, 'theirs');
    // cast does not write the address down.
    expect(stored.address).toBeUndefined();
    expect((await keystore.unlock(stored, partsOf(bench, { answers: [password] }))).reveal()).toBe(key);
    await failure('auth.password', () => keystore.unlock(stored, partsOf(bench, { answers: ['other'] })));
  });
});
