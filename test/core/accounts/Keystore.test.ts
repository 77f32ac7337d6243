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
function withCrypto(parts: object): string {
  return JSON.stringify({ ...file, crypto: { ...file.crypto, ...parts } });
}

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

  const scrypt = file.crypto.kdfparams;
  test.each([
    ['no JSON', 'hush'],
    ['another version', JSON.stringify({ ...file, version: 1 })],
    ['another cipher', withCrypto({ cipher: 'aes-256-cbc' })],
    ['another derivation', withCrypto({ kdf: 'argon2id' })],
    ['a short ciphertext', withCrypto({ ciphertext: '0102' })],
    ['scrypt with a cost that is no power of two', withCrypto({ kdfparams: { ...scrypt, n: 8191 } })],
    ['scrypt that takes a gigabyte', withCrypto({ kdfparams: { ...scrypt, n: 2 ** 20 } })],
    ['scrypt with wide blocks', withCrypto({ kdfparams: { ...scrypt, n: 2 ** 18, r: 32 } })],
    ['scrypt that takes for ever', withCrypto({ kdfparams: { ...scrypt, p: 1_000_000 } })],
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

  test('behavior: accepts the costs that geth and ethers use', () => {
    for (const n of [2 ** 13, 2 ** 17, 2 ** 18])
      expect(Keystore.from(withCrypto({ kdfparams: { ...scrypt, n } }), 'f').kdf).toMatchObject({ n });
  });
});

describe('format', () => {
  test('default', () => {
    expect(file).toMatchObject({
      version: 3,
      id: 'id',
      address: 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      crypto: { cipher: 'aes-128-ctr', kdf: 'scrypt', kdfparams: { dklen: 32, n: 8192, r: 8, p: 1 } },
    });
  });
});

describe('reformat', () => {
  test('default: replaces the secret and keeps the rest', () => {
    const text = JSON.stringify({ ...file, name: 'of another tool' });
    const next = JSON.parse(Keystore.reformat(text, { ...keystore, mac: '05'.repeat(32) }, 'f'));
    expect(next).toEqual({ ...file, name: 'of another tool', crypto: { ...file.crypto, mac: '05'.repeat(32) } });
  });
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
