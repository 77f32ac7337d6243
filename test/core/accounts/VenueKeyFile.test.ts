import { describe, expect, test } from 'vitest';
import * as VenueKeyFile from '../../../src/core/accounts/VenueKeyFile.js';
import { failure } from '../../support/workbench.js';

const key: VenueKeyFile.VenueKey = {
  network: 'mainnet',
  accountIndex: 281_474_976_710_654,
  apiKeyIndex: 254,
  publicKey: 'ab'.repeat(40),
  ciphertext: '01'.repeat(40),
  iv: '02'.repeat(16),
  mac: '03'.repeat(32),
  kdf: { name: 'scrypt', n: 8192, r: 8, p: 1, salt: '04'.repeat(32) },
};

const file = JSON.parse(VenueKeyFile.format(key, 'id'));

describe('from', () => {
  test('default', () => {
    expect(VenueKeyFile.from(VenueKeyFile.format(key, 'id'), 'f')).toEqual(key);
  });

  const { venue, crypto } = file;
  test.each([
    ['no JSON', 'hush'],
    ['a wallet’s key', JSON.stringify({ ...file, crypto: { ...crypto, ciphertext: '01'.repeat(32) } })],
    ['another version', JSON.stringify({ ...file, version: 4 })],
    ['nothing of the venue', JSON.stringify({ version: 3, crypto })],
    ['an index that is no number', JSON.stringify({ ...file, venue: { ...venue, apiKeyIndex: '4' } })],
    ['another kind of public key', JSON.stringify({ ...file, venue: { ...venue, publicKey: '0xhush' } })],
    [
      'scrypt that takes a gigabyte',
      JSON.stringify({ ...file, crypto: { ...crypto, kdfparams: { ...crypto.kdfparams, n: 2 ** 20 } } }),
    ],
  ])('error: %s', async (_, text) => {
    const error = await failure('auth.keystore', () => VenueKeyFile.from(text, '/keys/mine'));
    expect(error.facts[0]).toEqual(['file', '/keys/mine']);
    expect(JSON.stringify(error.facts)).not.toMatch(/hush|0101|0404/);
  });
});

test.each([
  ['{"version":3,"venue":{}}', true],
  ['{"version":3}', false],
  ['null', false],
  ['no JSON', false],
])('isOne: %s is %s', (text, is) => {
  expect(VenueKeyFile.isOne(text)).toBe(is);
});
