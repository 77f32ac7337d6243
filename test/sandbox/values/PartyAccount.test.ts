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
