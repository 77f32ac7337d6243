import { describe, expect, test } from 'vitest';
import * as Keystore from '../../../src/core/accounts/Keystore.js';
import * as Secret from '../../../src/core/base/Secret.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import * as keystoreCipher from '../../../src/io/keys/keystoreCipher.js';
import { host } from '../../../src/io/terminal/host.js';
import { lightScrypt } from '../../support/lightScrypt.js';
import { failure } from '../../support/workbench.js';

describe('encrypt', () => {
  const real = host(new AbortController().signal);

  test.each([
    // What a real process pays is tried in test/process/keys.test.ts too.
    ...(process.env.KEYS === 'all' ? [['a wallet’s key, at the cost of a real process', real] as const] : []),
    ['a wallet’s key', { ...real, scryptCost: lightScrypt }] as const,
  ])('default: %s', async (_, by) => {
    const key = DevelopmentAccount.key(1);
    const encrypted = await keystoreCipher.encrypt(Secret.from(key), '', by);
    expect(encrypted.kdf).toMatchObject({ name: 'scrypt', ...(by.scryptCost ?? Keystore.scryptCost) });
    expect((await keystoreCipher.decrypt(encrypted, '', 'main')).toString('hex')).toBe(key.slice(2));
  });

  test('behavior: an API key of the venue, and the cost of a real process is that of the format', async () => {
    const key = DevelopmentAccount.venueKey(1);
    const encrypted = await keystoreCipher.encrypt(Secret.from(key), '', { ...real, scryptCost: lightScrypt });
    expect((await keystoreCipher.decrypt(encrypted, '', 'main')).toString('hex')).toBe(key.slice(2));
    expect([real.scryptCost, Keystore.scryptCost]).toEqual([undefined, { n: 262_144, r: 8, p: 1 }]);
  });
});

describe('decrypt', () => {
  // Test vector of the Web3 Secret Storage Definition (github.com/ethereum/wiki).
  const vector = {
    key: '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d',
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

  const publishedWithR1 = {
    name: 'as published',
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    cost: { n: 262_144, p: 8 },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  };

  test('behavior: decrypts the published vector', async () => {
    const parsed = Keystore.from(JSON.stringify({ version: 3, id: 'x', crypto: vector.crypto }), 'vector');
    expect((await keystoreCipher.decrypt(parsed, vector.password, 'main')).toString('hex')).toBe(vector.key);
  });

  // OpenSSL refuses r = 1, and what does it instead takes long at the cost of the published vector. The other is as that, at
  // the least cost that OpenSSL refuses, made by a third implementation.
  test.each([
    {
      name: 'at little cost',
      ciphertext: 'e2b7617c65c4a8e9eea62e616a6f99231252ec16c82cccfed86d4aad932dcc8d',
      cost: { n: 65_536, p: 1 },
      mac: 'a450ecccb86679a395aef2497de1875e7cbaa7c1cb7bae551000aab07dcdeb39',
    },
    ...(process.env.KEYS === 'all' ? [publishedWithR1] : []),
  ])('behavior: decrypts a vector with r = 1, $name', async ({ ciphertext, cost, mac }) => {
    const crypto = {
      ...{ cipher: 'aes-128-ctr', ciphertext, mac },
      cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
      kdf: 'scrypt',
      kdfparams: {
        ...{ dklen: 32, r: 1, ...cost },
        salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
      },
    };
    const parsed = Keystore.from(JSON.stringify({ version: 3, id: 'x', crypto }), 'vector');
    expect((await keystoreCipher.decrypt(parsed, vector.password, 'main')).toString('hex')).toBe(vector.key);
  });

  test('error: a wrong password', async () => {
    const parsed = Keystore.from(JSON.stringify({ version: 3, id: 'x', crypto: vector.crypto }), 'vector');
    const error = await failure('auth.password', () => keystoreCipher.decrypt(parsed, 'hush', 'main'));
    expect(`${error.stack} ${JSON.stringify(error.facts)}`).not.toContain('hush');
  });
});
