import { describe, expect, test } from 'vitest';
import * as VenueAccount from '../../../src/core/accounts/VenueAccount.js';

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const usdc = (perps: string | undefined, balance = '0') => ({
  symbol: 'USDC',
  asset_id: 3,
  balance,
  ...(perps === undefined ? {} : { margin_balance: perps }),
});

/** Reads an account that must be valid. */
function account(wire: object): VenueAccount.VenueAccount {
  const found = VenueAccount.from({ index: 100, l1_address: wallet, ...wire });
  if (!found) throw new Error('It is no account.');
  return found;
}

describe('from', () => {
  test('default', () => {
    const assets = [usdc('10000.5', '2'), { symbol: 'ETH', asset_id: 1, balance: '1.5' }];
    expect(account({ status: 1, assets })).toEqual({
      index: 100,
      wallet,
      isMaster: true,
      isActive: true,
      assets: [
        { symbol: 'USDC', assetIndex: 3, perps: '10000.5', spot: '2' },
        { symbol: 'ETH', assetIndex: 1, perps: '0', spot: '1.5' },
      ],
    });
    expect(account({ status: 0 })).toMatchObject({ isActive: false, assets: undefined });
    expect(account({})).toMatchObject({ isActive: undefined });
  });

  test('behavior: the index under any of its three names, as a number or digits', () => {
    const of = (wire: object) => VenueAccount.from({ l1_address: wallet, ...wire })?.index;
    expect([of({ index: 0 }), of({ account_index: '7' }), of({ accountIndex: 8 })]).toEqual([0, 7, 8]);
    expect(of({ index: 1, account_index: 2, accountIndex: 3 })).toBe(1);
  });

  test('behavior: sub-accounts count down from the largest index', () => {
    expect(account({ index: 2 ** 47 - 1 }).isMaster).toBe(true);
    expect(account({ index: 2 ** 47 }).isMaster).toBe(false);
    expect(account({ index: VenueAccount.maxIndex }).index).toBe(281_474_976_710_654);
  });

  test.each([
    {},
    { index: -1 },
    { index: VenueAccount.maxIndex + 1 },
    { index: '99999999999999999999' },
    { index: 1, l1_address: '' },
    { index: 1, l1_address: '\u001b[2J' },
  ])('behavior: %j is not an account', (wire) => {
    expect(VenueAccount.from({ l1_address: wallet, ...wire })).toBeUndefined();
  });
});

describe('usdc', () => {
  test.each([
    ['10000.000000', 10_000_000_000n],
    ['0.000001', 1n],
    ['7', 7_000_000n],
    ['1.5', 1_500_000n],
    ['1.0000019', 1_000_001n],
    ['-0.5', -500_000n],
    [undefined, 0n],
  ])('default: %s on the perps route', (perps, base) => {
    expect(VenueAccount.usdc(account({ assets: [usdc(perps, '99')] }))).toBe(base);
  });

  test('behavior: ignores other assets', () => {
    expect(VenueAccount.usdc(account({ assets: [{ ...usdc('5'), asset_id: 1 }] }))).toBe(0n);
    expect(VenueAccount.usdc(account({}))).toBe(0n);
  });
});

test('isIndex', () => {
  const texts = ['0', '100', '281474976710654', '281474976710655', '', '-1', '1.0', '0x1', '1e3', ' 1', wallet];
  expect(texts.filter(VenueAccount.isIndex)).toEqual(['0', '100', '281474976710654']);
});

test('unknownVenueAccount: names the host that was queried, without its path', () => {
  const network = { name: 'mine', venue: { baseUrl: 'https://v.example/key?x=secret', signingChainId: 304 } };
  const error = VenueAccount.unknownVenueAccount({ index: 5 }, network);
  expect(error).toMatchObject({ code: 'venue.unknown-account', message: 'The venue has no account 5.', exit: 2 });
  expect(Object.fromEntries(error.facts)).toEqual({ network: 'mine', asked: 'https://v.example' });
  expect(VenueAccount.unknownVenueAccount({ wallet }, { name: 'mine' }).message).toContain(wallet);
});
