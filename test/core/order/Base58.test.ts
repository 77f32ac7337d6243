import fc from 'fast-check';
import { hexToBytes, stringToBytes } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as Base58 from '../../../src/core/order/Base58.js';
import { base58, bitcoinDigits, checked, xrpDigits } from '../../support/addresses.js';

const alphabets = [
  ['bitcoin', Base58.bitcoin, bitcoinDigits],
  ['xrp', Base58.xrp, xrpDigits],
] as const;

describe('decode', () => {
  test.each([
    ['', ''],
    ['2g', '61'],
    ['a3gV', '626262'],
    ['ABnLTmg', '516b6fcd0f'],
    ['3SEo3LWLoPntC', 'bf4f89001e670274dd'],
    ['1111111111', '00000000000000000000'],
    ['1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L', '00eb15231dfceb60925886b67d065299925915aeb172c06647'],
  ])('default: "%s"', (text, hex) => {
    expect(Base58.decode(text, Base58.bitcoin)).toEqual(hexToBytes(`0x${hex}`));
  });

  test('behavior: text', () => {
    expect(Base58.decode('2NEpo7TZRRrLZSi2U', Base58.bitcoin)).toEqual(stringToBytes('Hello World!'));
  });

  test.each(alphabets)('behavior: round-trips any bytes (%s)', (_, alphabet, digits) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 44 }), (bytes) => {
        expect(Base58.decode(base58(bytes, digits), alphabet)).toEqual(bytes);
      }),
    );
  });

  test.each(['0', 'O', 'I', 'l', ' 2g', '2g\n', 'é', '💧'])('error: "%s" has an invalid character', (text) => {
    expect(Base58.decode(text, Base58.bitcoin)).toBeUndefined();
  });

  test('error: longer than any address', () => {
    expect(Base58.decode('1'.repeat(64), Base58.bitcoin)).toEqual(new Uint8Array(64));
    expect(Base58.decode('1'.repeat(65), Base58.bitcoin)).toBeUndefined();
  });
});

describe('decodeChecked', () => {
  test('default', () => {
    expect(Base58.decodeChecked('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', Base58.bitcoin)).toEqual(
      hexToBytes('0x0077bff20c60e522dfaa3350c39b030a5d004e839a'),
    );
    expect(Base58.decodeChecked('rrrrrrrrrrrrrrrrrrrrrhoLvTp', Base58.xrp)).toEqual(new Uint8Array(21));
  });

  test.each(alphabets)('error: any changed character (%s)', (_, alphabet, digits) => {
    const payload = fc.uint8Array({ minLength: 21, maxLength: 21 });
    fc.assert(
      fc.property(payload, fc.nat(), fc.constantFrom(...digits), (bytes, place, letter) => {
        const text = base58(checked(bytes), digits);
        const at = place % text.length;
        const spoilt = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
        expect(Base58.decodeChecked(spoilt, alphabet)).toEqual(spoilt === text ? bytes : undefined);
      }),
    );
  });

  test('behavior: the checksum of no bytes', () => {
    expect(Base58.decodeChecked('3QJmnh', Base58.bitcoin)).toEqual(new Uint8Array());
  });

  // The last one is three of the four bytes of the checksum of no bytes.
  test.each(['', '1', '111', '1111', base58(Uint8Array.of(0x5d, 0xf6, 0xe0), bitcoinDigits)])(
    'error: "%s" has no checksum or an invalid one',
    (text) => {
      expect(Base58.decodeChecked(text, Base58.bitcoin)).toBeUndefined();
    },
  );
});
