import { describe, expect, test } from 'vitest';
import * as AddressName from '../../../src/core/accounts/AddressName.js';

describe('objection', () => {
  test('default: letters, digits, dashes and underscores', () => {
    for (const name of ['ada', 'Cold-wallet_2', '1inch', 'x'.repeat(24)])
      expect([name, AddressName.objection(name)]).toEqual([name, undefined]);
  });

  test.each([
    ['an address', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    ['the beginning of one', '0xada'],
    ['a venue account', '101'],
    ['as long as an address of another chain', 'x'.repeat(25)],
    ['a name of ENS', 'ada.eth'],
    ['a development account', 'Dev3'],
    ['what looks like one', 'devO'],
    ['a network', 'Mainnet'],
    ['what looks like one', 'test-net'],
    ['letters of another alphabet', 'аda'],
    ['what nobody sees', 'ada\u200b'],
    ['nothing', ''],
  ])('error: %s', (_, name) => {
    expect(AddressName.objection(name)).toMatch(/^(up to|unlike)/);
  });
});

describe('lookalike', () => {
  test.each([
    ['bob', 'b0b'],
    ['ada', 'Ada'],
    ['binance', 'blnance'],
    ['max1', 'maxl'],
    ['modern', 'modem'],
    ['cold-wallet', 'cold_wallet'],
    ['swap', 'svvap'],
    ['sales', '5ales'],
  ])('default: %s and %s', (one, other) => {
    expect(AddressName.lookalike(one, ['eve', other])).toBe(other);
    expect(AddressName.lookalike(other, [one])).toBe(one);
  });

  test('behavior: a name is not like itself, nor like others', () => {
    expect(AddressName.lookalike('ada', ['ada', 'adam', 'bob'])).toBeUndefined();
  });
});
