import { describe, expect, test } from 'vitest';
import * as Keystore from '../../../src/core/accounts/Keystore.js';
import { failure } from '../../support/workbench.js';

const keystore: Keystore.Keystore & { address: `0x${string}` } = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  ciphertext: '01'.repeat(32),
  iv: '02'.repeat(16),
  mac: '03'.repeat(32),
  kdf: { name: 'scrypt', n: 8192, r: 8, p: 1, salt: '04'.repeat(32) },
};

const file = JSON.parse(Keystore.format(keystore, 'id'));

/** The file with parts of its `crypto` replaced. */
const changed = (parts: object) => ({ ...file, crypto: { ...file.crypto, ...parts } });
const withCrypto = (parts: object) => JSON.stringify(changed(parts));

describe('from', () => {
  test('default', () => {
    expect(Keystore.from(Keystore.format(keystore, 'id'), 'f')).toEqual(keystore);
  });

  test('behavior: supports pbkdf2', () => {
    const kdf = { name: 'pbkdf2', c: 262_144, salt: 'ae' } as const;
    expect(Keystore.from(Keystore.format({ ...keystore, kdf }, 'id'), 'f').kdf).toEqual(kdf);
  });

  test('behavior: the address may be missing, or start with 0x', () => {
    const { address: _, ...rest } = file;
    expect(Keystore.from(JSON.stringify(rest), 'f').address).toBeUndefined();
    expect(Keystore.from(JSON.stringify({ ...rest, address: `0x${file.address}` }), 'f').address).toBe(
      keystore.address,
    );
  });

  test.each([null, ''])('behavior: an address of %j is none', (address) => {
    expect(Keystore.from(JSON.stringify({ ...file, address }), 'f').address).toBeUndefined();
  });

  test('behavior: a key whose leading zeros are left out', () => {
    const ciphertext = '01'.repeat(30);
    expect(Keystore.from(withCrypto({ ciphertext }), 'f')).toMatchObject({ ciphertext });
  });

  const scrypt = file.crypto.kdfparams;
  test.each([
    ['no JSON', 'hush'],
    ['a short ciphertext', withCrypto({ ciphertext: '0102' })],
    ['scrypt with a cost that is no power of two', withCrypto({ kdfparams: { ...scrypt, n: 8191 } })],
    ['scrypt with wide blocks', withCrypto({ kdfparams: { ...scrypt, n: 2 ** 18, r: 32 } })],
    [
      'pbkdf2 that takes for ever',
      withCrypto({ kdf: 'pbkdf2', kdfparams: { dklen: 32, c: 1e9, prf: 'hmac-sha256', salt: '04' } }),
    ],
    [
      'pbkdf2 with another hash',
      withCrypto({ kdf: 'pbkdf2', kdfparams: { dklen: 32, c: 1, prf: 'hmac-md5', salt: '04' } }),
    ],
    ['a cost of nothing', withCrypto({ kdfparams: { ...scrypt, n: 0 } })],
    ['a fraction', withCrypto({ kdfparams: { ...scrypt, n: 2.5 } })],
  ])('error: %s', async (_, text) => {
    const error = await failure('auth.keystore', () => Keystore.from(text, '/keys/main'));
    expect(error.facts[0]).toEqual(['file', '/keys/main']);
    expect(JSON.stringify(error.facts)).not.toMatch(/hush|0101|0404/);
  });

  test('behavior: members in any case, hex with 0x, the version as text', () => {
    const { crypto, address, id } = file;
    const odd = {
      Version: '3',
      id,
      Address: `0x${address}`,
      Crypto: {
        ...crypto,
        MAC: `0x${crypto.mac}`,
        mac: undefined,
        cipherparams: { IV: `0x${crypto.cipherparams.iv}` },
      },
    };
    expect(Keystore.from(`\ufeff${JSON.stringify(odd)}`, 'f')).toEqual(keystore);
  });

  test.each([
    ['another version', { ...file, version: 1 }, 'version is 1: ferry reads version 3 keystores with version 3'],
    ['no version', { ...file, version: undefined }, /^version is missing/],
    ['another cipher', changed({ cipher: 'aes-256-ctr' }), /^crypto\.cipher is aes-256-ctr.*aes-128-ctr$/],
    ['another derivation', changed({ kdf: 'argon2id' }), /^crypto\.kdf is argon2id.*scrypt or pbkdf2$/],
    ['a short salt', changed({ kdfparams: { ...scrypt, salt: 'hush' } }), /^crypto\.kdfparams\.salt has another form/],
    ['few bytes', changed({ kdfparams: { ...scrypt, dklen: 16 } }), /^crypto\.kdfparams\.dklen is 16.*from 32$/],
    ['much work', changed({ kdfparams: { ...scrypt, p: 1_000_000 } }), /^crypto\.kdfparams\.p is 1000000.*up to 8$/],
    [
      'much memory',
      changed({ kdfparams: { ...scrypt, n: 2 ** 20 } }),
      /n 1048576, r 8 and p 1, which takes more than 512 MiB/,
    ],
    ['no crypto', { ...file, crypto: undefined }, /^crypto is missing/],
    ['a wallet of the presale', { encseed: 'hush', ethaddr: '', bkp: '' }, /presale/],
    ['a list', [], /^it is not an object/],
    ['a member twice', { ...file, CRYPTO: file.crypto }, 'it has crypto twice'],
  ])('error: %s is named', async (_, content, reason) => {
    const error = await failure('auth.keystore', () => Keystore.from(JSON.stringify(content), '/keys/main'));
    const said = error.facts.find(([label]) => label === 'reason')?.[1];
    if (typeof reason === 'string') expect(said).toBe(reason);
    else expect(said).toMatch(reason);
    expect(JSON.stringify(error)).not.toContain('hush');
  });

  test.each(['"version":1', '"\\u0061ddress":"hush"'])('error: a member twice, written alike: %s', async (member) => {
    const text = JSON.stringify(file).replace('{', `{${member},`);
    const error = await failure('auth.keystore', () => Keystore.from(text, 'f'));
    expect(error.facts).toContainEqual(['reason', 'it has a member twice']);
    expect(JSON.stringify(error)).not.toContain('hush');
  });
});

test('reformat: replaces the secret and keeps the rest', () => {
  const text = JSON.stringify({ ...file, name: 'of another tool' });
  const next = JSON.parse(Keystore.reformat(text, { ...keystore, mac: '05'.repeat(32) }, 'f'));
  expect(next).toEqual({ ...file, name: 'of another tool', crypto: { ...file.crypto, mac: '05'.repeat(32) } });
});

test('reformat of a file of an old wallet: has the secret once', () => {
  const { crypto, ...rest } = file;
  const next = JSON.parse(Keystore.reformat(JSON.stringify({ ...rest, Crypto: crypto }), keystore, 'f'));
  expect(Object.keys(next).filter((key) => /crypto/i.test(key))).toEqual(['crypto']);
});

describe('assertName', () => {
  test('default', () => {
    for (const name of ['main', 'my-key_2', 'A', 'dev10', 'a'.repeat(64)]) Keystore.assertName(name);
  });

  test.each(['', '.', '..', '../x', 'a/b', 'a\\b', '.hidden', '-x', 'a.json', 'a b', 'a'.repeat(65), 'dev0', 'DEV9'])(
    'error: %j',
    async (name) => {
      await failure('usage.invalid', () => Keystore.assertName(name));
    },
  );
});
