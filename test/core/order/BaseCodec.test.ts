import fc from 'fast-check';
import { hexToBytes } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as BaseCodec from '../../../src/core/order/BaseCodec.js';
import { base58, bitcoinDigits, checked, xrpDigits } from '../../support/addresses.js';

const alphabets = [
  ['bitcoin', BaseCodec.bitcoin, bitcoinDigits],
  ['xrp', BaseCodec.xrp, xrpDigits],
] as const;

describe('decode', () => {
  test.each(alphabets)('behavior: round-trips any bytes (%s)', (_, alphabet, digits) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 44 }), (bytes) => {
        expect(BaseCodec.decode(base58(bytes, digits), alphabet)).toEqual(bytes);
      }),
    );
  });

  test.each(['0', ' 2g', '2g\n', '💧'])('error: "%s" has an invalid character', (text) => {
    expect(BaseCodec.decode(text, BaseCodec.bitcoin)).toBeUndefined();
  });

  test('error: longer than any address', () => {
    expect(BaseCodec.decode('1'.repeat(64), BaseCodec.bitcoin)).toEqual(new Uint8Array(64));
    expect(BaseCodec.decode('1'.repeat(65), BaseCodec.bitcoin)).toBeUndefined();
  });
});

describe('decodeChecked', () => {
  test('default', () => {
    expect(BaseCodec.decodeChecked('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', BaseCodec.bitcoin)).toEqual(
      hexToBytes('0x0077bff20c60e522dfaa3350c39b030a5d004e839a'),
    );
    expect(BaseCodec.decodeChecked('rrrrrrrrrrrrrrrrrrrrrhoLvTp', BaseCodec.xrp)).toEqual(new Uint8Array(21));
  });

  test.each(alphabets)('error: any changed character (%s)', (_, alphabet, digits) => {
    const payload = fc.uint8Array({ minLength: 21, maxLength: 21 });
    fc.assert(
      fc.property(payload, fc.nat(), fc.constantFrom(...digits), (bytes, place, letter) => {
        const text = base58(checked(bytes), digits);
        const at = place % text.length;
        const spoilt = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
        expect(BaseCodec.decodeChecked(spoilt, alphabet)).toEqual(spoilt === text ? bytes : undefined);
      }),
    );
  });

  test('behavior: the checksum of no bytes', () => {
    expect(BaseCodec.decodeChecked('3QJmnh', BaseCodec.bitcoin)).toEqual(new Uint8Array());
  });

  // The last one is three of the four bytes of the checksum of no bytes.
  test.each(['', '1', '111', '1111', base58(Uint8Array.of(0x5d, 0xf6, 0xe0), bitcoinDigits)])(
    'error: "%s" has no checksum or an invalid one',
    (text) => {
      expect(BaseCodec.decodeChecked(text, BaseCodec.bitcoin)).toBeUndefined();
    },
  );
});
