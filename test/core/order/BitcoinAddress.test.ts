import { bytesToHex } from 'viem/utils';
import { expect, test } from 'vitest';
import * as BitcoinAddress from '../../../src/core/order/BitcoinAddress.js';
import { base58, bech32, bitcoinDigits, checked, segwit } from '../../support/addresses.js';

const taproot = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

test.each([
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '0xff0062e907b15cbf27d5425399ebf6f0fb50ebb88f18'],
  ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', '0xff05b472a266d0bd89c13706a4132ccfb16f7c3b9fcb'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '0x00751e76e8199196d454941c45d1b3a323f1433bd6'],
  ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', `0x01${taproot}`],
  ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', '0x02751e76e8199196d454941c45d1b3a323'],
  ['bc1sw50qgdz25j', '0x10751e'],
  [
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    '0x01751e76e8199196d454941c45d1b3a323f1433bd6751e76e8199196d454941c45d1b3a323f1433bd6',
  ],
])('default: %s', (text, hex) => {
  const bytes = BitcoinAddress.decode(text);
  expect(bytes && bytesToHex(bytes)).toBe(hex);
});

test.each([
  ['nothing', ''],
  ['the prefix alone', 'bc1'],
  ['a checksum alone', 'bc1gmk9yu'],
  ['capitals', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['mixed case', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4'],
  ['a test chain', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
  ['a test chain, older form', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
  ['the first checksum on a later version', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
  ['the second checksum on version 0', bech32('bc', [0, ...Array(32).fill(0)], 0x2bc830a3)],
  ['a letter that is none', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4'],
  ['version 17', segwit('bc', 17, new Uint8Array(32))],
  ['a program of one byte', 'bc1pw5dgrnzv'],
  ['a program of 41 bytes', segwit('bc', 1, new Uint8Array(41))],
  ['a program of 16 bytes in version 0', 'bc1qr508d6qejxtdg4y5r3zarvaryvg6kdaj'],
  ['a program of 19 bytes in version 0: the currency', BitcoinAddress.native],
  ['more padding than four bits', bech32('bc', [1, ...Array(54).fill(0)], 0x2bc830a3)],
  ['padding that is not zero', bech32('bc', [1, ...Array(51).fill(0), 1], 0x2bc830a3)],
  ['another version byte, older form', base58(checked(Uint8Array.of(0x30, ...new Uint8Array(20))), bitcoinDigits)],
  ['a hash of 19 bytes, older form', base58(checked(new Uint8Array(20)), bitcoinDigits)],
  ['a prefix that only starts as it should', segwit('bc1q', 1, new Uint8Array(32))],
  ['longer than any address', `bc1${'q'.repeat(100)}`],
])('error: %s', (_, text) => {
  expect(BitcoinAddress.decode(text)).toBeUndefined();
});
