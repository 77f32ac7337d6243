import { describe, expect, test } from 'vitest';
import * as Address from '../../../src/core/base/Address.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as Currency from '../../../src/core/quote/Currency.js';

const alpha = Network.chain(network, 'alpha');

describe('parse', () => {
  test.each(['alpha/usdc', 'ALPHA/USDC', '313371/usdc', `alpha/${Network.token(alpha, 'usdc')?.address}`])(
    'default: %s',
    (text) => {
      expect(Currency.parse(text, network)).toEqual({ chain: alpha, token: Network.token(alpha, 'usdc') });
    },
  );
  test('behavior: an unknown address stays an address', () => {
    const address = '0x00000000000000000000000000000000000000ff';
    expect(Currency.parse(`alpha/${address}`, network).token).toBe(Address.from(address));
  });
  test.each(['', 'usdc', 'alpha/', '/usdc', 'alpha/usdc/x', 'alpha usdc'])('error: %j is not a currency', (text) => {
    expect(() => Currency.parse(text, network)).toThrow('is not a currency');
  });
  test.each(['0.5', '500'])('error: %s in the place of a currency, which may be a part of the amount', (text) => {
    const hint = 'One amount, without spaces, stands before the currencies: 1500 alpha/usdc.';
    expect(() => Currency.parse(text, network)).toThrow(expect.objectContaining({ hint, next: undefined }));
  });
  test.each(['usds', 'USDe', 'usdd', 'pyusd'])('error: %s is a token of its own, and not USDC', (symbol) => {
    const hint = 'Any token can be named by its address.';
    expect(() => Currency.parse(`alpha/${symbol}`, network)).toThrow(
      expect.objectContaining({ code: 'request.unknown-token', hint }),
    );
  });
  test.each(['udsc', 'usdcc', 'usc'])('error: %s is meant to be USDC', (symbol) => {
    const hint = expect.stringContaining('Did you mean alpha/usdc?');
    expect(() => Currency.parse(`alpha/${symbol}`, network)).toThrow(expect.objectContaining({ hint }));
  });
  test('error: an address with a wrong checksum', () => {
    expect(() => Currency.parse('alpha/0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266', network)).toThrow(
      'has an invalid checksum',
    );
  });
});

test('attack: read: what a contract calls itself is one short line', async () => {
  const spoken = `USDC from alpha\n${'for 100 USDC '.repeat(9)}\u202e`;
  const nodeOf = () => ({ token: async () => ({ symbol: spoken, name: spoken, decimals: 6 }) });
  const { token } = await Currency.read({ chain: alpha, token: '0x00000000000000000000000000000000000000fF' }, nodeOf);
  expect([token.symbol, token.name]).toEqual(Array(2).fill('USDC from alpha for 100 USDC for…'));
});

test('format: as typed, by address if the symbol belongs to another token', () => {
  expect(Currency.format({ chain: alpha, token: alpha.native })).toBe('alpha/eth');
  const fake = { symbol: 'USDC', name: 'Fake', address: '0x00000000000000000000000000000000000000fF', decimals: 6 };
  expect(Currency.format({ chain: alpha, token: fake })).toBe(`alpha/${fake.address}`);
});
