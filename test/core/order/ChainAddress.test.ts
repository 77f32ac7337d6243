/** Accounts as people paste them. The vectors are those of BIP-173, BIP-350, the documentation of TON and of Tron. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { network } from '../../../src/core/network/mainnet.js';
import * as Network from '../../../src/core/network/Network.js';
import * as ChainAddress from '../../../src/core/order/ChainAddress.js';
import { account, base58, bitcoinDigits, checked, friendly } from '../../support/addresses.js';

const on = (name: string) => Network.chain(network, name);
const from = (text: string, name: string) => ChainAddress.from(text, on(name), 'recipient');

const tonHash = Uint8Array.from(Buffer.from('ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e', 'hex'));

describe('assertNotForeign', () => {
  const held = (text: string) => () => ChainAddress.assertNotForeign(text, on('base'), 'recipient');

  test('default', () => {
    for (const text of ['0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97', 'ada', 'someone.eth', ''])
      expect(held(text)).not.toThrow();
  });

  test.each([
    ['7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'Solana'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'Bitcoin'],
    ['TCNtTa1rveKkovHR2ebABu4K66U6ocUCZX', 'Tron'],
  ])('error: %s is of %s', (text, name) => {
    expect(held(text)).toThrow(`The recipient "${text}" is no account on Base: it is an address of ${name}.`);
  });
});

describe('from', () => {
  test.each([
    ['solana', 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE'],
    ['solana', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'],
    // P2PKH, P2SH; P2WPKH and P2WSH of BIP-173; P2TR of BIP-350.
    ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['bitcoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
    ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['bitcoin', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
    ['bitcoin', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
    ['tron', 'TCNtTa1rveKkovHR2ebABu4K66U6ocUCZX'],
    ['tron', 'TQHgMpVzWkhSsRB4BzZgmV8uW4cFL8eaBr'],
    ['ton', 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF'],
    ['ton', 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA'],
    ['ton', '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e'],
    ['hyperliquid', '0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97'],
  ])('default: %s %s', (chain, text) => {
    expect(from(text, chain)).toBe(text);
  });

  test('behavior: another spelling becomes the one that orders have', () => {
    expect(from('BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bitcoin')).toBe(
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    );
    expect(from('EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPrHF', 'ton')).toBe(
      'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
    );
    expect(from('0x4838b106fce9647bdf1e7877bf73ce8b0bad5f97', 'hyperliquid')).toBe(
      '0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97',
    );
  });

  test.each([
    // Of another chain.
    ['solana', '0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97', 'it is an address of EVM chains'],
    ['solana', 'TCNtTa1rveKkovHR2ebABu4K66U6ocUCZX', 'it is an address of Tron'],
    ['solana', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'it is an address of Bitcoin'],
    ['bitcoin', 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE', 'it is an address of Solana'],
    ['tron', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'it is an address of Bitcoin'],
    ['bitcoin', 'TCNtTa1rveKkovHR2ebABu4K66U6ocUCZX', 'it is an address of Tron'],
    ['bitcoin', '0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97', 'it is an address of EVM chains'],
    ['solana', 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF', 'it is an address of TON'],
    // Of another network of the same chain: BIP-173's, and Tron's and TON's test networks.
    ['bitcoin', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'it is for a test network of Bitcoin'],
    ['bitcoin', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'it is for a test network of Bitcoin'],
    [
      'bitcoin',
      base58(checked(Uint8Array.of(0x30, ...new Uint8Array(20))), bitcoinDigits),
      'it is for another network than Bitcoin',
    ],
    [
      'tron',
      base58(checked(Uint8Array.of(0xa0, ...new Uint8Array(20))), bitcoinDigits),
      'it is for a test network of Tron',
    ],
    ['ton', friendly({ flags: 0x91, workchain: 0 }, tonHash), 'it is for the test network of TON'],
    ['ton', friendly({ flags: 0xd1, workchain: 0 }, tonHash), 'it is for the test network of TON'],
    ['ton', friendly({ flags: 0x11, workchain: -1 }, tonHash), 'it is on the masterchain'],
    ['ton', `-1:${'ab'.repeat(32)}`, 'it is on the masterchain'],
    // Mistyped: one character.
    ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'it is mistyped or cut'],
    ['tron', 'TCNtTa1rveKkovHR2ebABu4K66U6ocUCZx', 'it is mistyped or cut'],
    ['tron', '419D1015E669C2DF831003C5C54CEB48DA613D9979', 'it is in the hexadecimal form'],
    ['ton', 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHG', 'it is mistyped or cut'],
    ['ton', '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a', 'it is mistyped or cut'],
    ['solana', 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQ', 'it has 30 bytes, and a Solana account has 32'],
    ['solana', 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTEE', 'it has 33 bytes, and a Solana account has 32'],
    ['solana', 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBT0', 'it has characters that Base58 does not have'],
    // Nobody owns these: witness versions without rules (valid by BIP-350), tokens, the native asset.
    ['bitcoin', 'bc1sw50qgdz25j', 'it is of a kind that anybody can spend today'],
    [
      'bitcoin',
      'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
      'it is of a kind that anybody can spend today',
    ],
    ['solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'it stands for USDC itself'],
    ['solana', '11111111111111111111111111111111', 'it stands for SOL itself'],
    ['bitcoin', 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8', 'it stands for BTC itself'],
    ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'it stands for USDT itself'],
    ['ton', 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c', 'it stands for TON itself'],
  ])('error: %s %s', (chain, text, why) => {
    expect(() => from(text, chain)).toThrow(
      expect.objectContaining({ code: 'request.invalid-address', message: expect.stringContaining(why) }),
    );
  });

  test('error: an EVM form with a wrong checksum', () => {
    expect(() => from('0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5F97', 'hyperliquid')).toThrow(/invalid checksum/);
  });

  test.each([
    ['bitcoin', 'bitcoin-vm'],
    ['tron', 'tron-vm'],
    ['ton', 'ton-vm'],
  ] as const)('error: no changed character of an account with a checksum on %s passes', (chain, vm) => {
    const letters = [...'ABCxyz019-_qp'];
    const of = account(vm).filter(({ text }) => !text.startsWith('0:'));
    fc.assert(
      fc.property(of, fc.nat(), fc.constantFrom(...letters), ({ text }, place, letter) => {
        const at = place % text.length;
        const spoilt = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
        if (spoilt !== text) expect(() => from(spoilt, chain)).toThrow(/ is no account on /);
      }),
    );
  });
});

test('isEqual: the same account in any of its forms, and not in another case where that says another', () => {
  const raw = '0:CA6E321C7CCE9ECEDF0A8CA2492EC8592494AA5FB5CE0387DFF96EF6AF982A3E';
  expect(ChainAddress.isEqual('EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF', raw, on('ton'))).toBe(true);
  expect(ChainAddress.isEqual('UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA', raw, on('ton'))).toBe(true);
  const address = '0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97';
  expect(ChainAddress.isEqual(address, address.toLowerCase(), on('base'))).toBe(true);
  expect(ChainAddress.isEqual(address, address.toLowerCase(), on('hyperliquid'))).toBe(true);
  const own = 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE';
  const other = 'gTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE';
  expect(ChainAddress.isEqual(own, other, on('solana'))).toBe(false);
  expect(ChainAddress.isEqual(own, other, undefined)).toBe(false);
});
