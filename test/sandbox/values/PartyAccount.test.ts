import { describe, expect, test } from 'vitest';
import * as PartyAccount from '../../../src/sandbox/values/PartyAccount.js';

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

describe('toAddress', () => {
  test('default: as it was written', () => {
    expect(PartyAccount.toAddress(address)).toBe(address);
    expect(PartyAccount.toAddress(address.toLowerCase())).toBe(address.toLowerCase());
  });

  test.each(['', '100', '0x12', `${address}00`, address.replace('f39F', 'F39f')])('error: %s', (text) => {
    expect(PartyAccount.toAddress(text)).toBeUndefined();
  });
});

describe('toIndex', () => {
  test.each(['0', '7', '509564', '281474976710654'])('default: %s', (text) => {
    expect(PartyAccount.toIndex(text)).toBe(text);
  });

  test.each(['', '-1', '007', '1.0', '0x7', '1e3', '281474976710655', '99999999999999999999', address])(
    'error: %s',
    (text) => {
      expect(PartyAccount.toIndex(text)).toBeUndefined();
    },
  );
});

describe('address', () => {
  test('default', () => {
    expect(PartyAccount.address(address)).toBe(address);
  });

  test('error: an index', () => {
    expect(() => PartyAccount.address('7')).toThrow('not an address');
  });
});

describe('index', () => {
  test('default', () => {
    expect(PartyAccount.index('281474976710654')).toBe(281_474_976_710_654);
  });

  test('error: an address', () => {
    expect(() => PartyAccount.index(address)).toThrow('not a venue account');
  });
});

describe('isEqual', () => {
  test('default', () => {
    expect(PartyAccount.isEqual(address, address.toLowerCase() as `0x${string}`)).toBe(true);
    expect(PartyAccount.isEqual('7', '7')).toBe(true);
    expect(PartyAccount.isEqual('7', '70')).toBe(false);
  });
});
