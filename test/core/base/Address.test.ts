import { describe, expect, test } from 'vitest';
import * as Address from '../../../src/core/base/Address.js';

const checksummed = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

describe('from', () => {
  test('default: lowercase is checksummed; one letter in the wrong case fails the checksum', () => {
    expect(Address.from(checksummed.toLowerCase())).toBe(checksummed);
    expect(Address.from(checksummed)).toBe(checksummed);
    expect(() => Address.from(checksummed.replace('aad', 'Aad'))).toThrow('has an invalid checksum');
    expect(() => Address.from(`0x${checksummed.slice(2).toUpperCase()}`)).toThrow('has an invalid checksum');
  });
  test('behavior: the 0X of some explorers, and none at all, mean nothing else', () => {
    expect(Address.from(checksummed.toUpperCase())).toBe(checksummed);
    expect(Address.from(checksummed.slice(2))).toBe(checksummed);
    expect(() => Address.from(checksummed.slice(2).replace('aad', 'Aad'))).toThrow('has an invalid checksum');
  });

  test.each([
    [`${checksummed}\u200b`, /invisible character, U\+200B/],
    [checksummed.slice(0, -1), /has 39 hexadecimal digits, and an address has 40/],
  ])('error: %j, and why', (text, why) => {
    expect(() => Address.from(text)).toThrow(expect.objectContaining({ hint: expect.stringMatching(why) }));
  });

  test.each([
    '',
    '0x',
    '12345',
    `${checksummed}0`,
    checksummed.slice(0, -1),
    '0xg39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  ])('error: %j is not an address', (text) => {
    expect(() => Address.from(text, 'recipient')).toThrow(Address.InvalidAddressError);
  });

  test.each(['vitalik.eth', 'ada.base.eth', 'ada.example', 'адa.eth'])(
    'error: %j is a name, and nobody resolves it',
    (text) => {
      expect(() => Address.from(text, 'recipient')).toThrow(/ is a name, not an address/);
      expect(Address.isEnsName(text)).toBe(true);
    },
  );

  test.each(['ada', '1.5', 'alpha/usdc', 'http://a.example', '', 'a b.eth'])('behavior: %j is no such name', (text) => {
    expect(Address.isEnsName(text)).toBe(false);
  });
});

test('shorten', () => {
  expect(Address.shorten(checksummed)).toBe('0xf39F…2266');
  expect(Address.shorten('509564')).toBe('509564');
});
