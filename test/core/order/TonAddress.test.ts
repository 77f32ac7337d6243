import { bytesToHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as TonAddress from '../../../src/core/order/TonAddress.js';
import { friendly } from '../../support/addresses.js';

const hash = Uint8Array.from({ length: 32 }, (_, index) => 7 * index + 250);

describe('decode', () => {
  test('default: an account in each of its forms', () => {
    // The TON documentation spells one address in these ways.
    const forms = [
      'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
      'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
      '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e',
    ];
    for (const form of forms) {
      const bytes = TonAddress.decode(form);
      expect(bytes && bytesToHex(bytes)).toBe('0xca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e');
    }
  });

  test.each([
    ['nothing', ''],
    ['the master chain', friendly({ flags: 0x11, workchain: -1 }, hash)],
    ['the master chain, raw', `-1:${'00'.repeat(32)}`],
    ['another workchain', friendly({ flags: 0x11, workchain: 1 }, hash)],
    ['for test chains only', friendly({ flags: 0x91, workchain: 0 }, hash)],
    ['flags that mean nothing', friendly({ flags: 0x12, workchain: 0 }, hash)],
    ['a short hash, raw', `0:${'00'.repeat(31)}`],
    ['a long hash, raw', `0:${'00'.repeat(33)}`],
    ['a letter that is none, raw', `0:${'0g'.repeat(32)}`],
    ['a line end', `0:${'00'.repeat(32)}\n`],
    ['a byte too few, with padding', `${friendly({ flags: 0x11, workchain: 0 }, hash.subarray(1))}=`],
    ['a byte too much', friendly({ flags: 0x11, workchain: 0 }, Uint8Array.of(...hash, 0))],
  ])('error: %s', (_, text) => {
    expect(TonAddress.decode(text)).toBeUndefined();
  });
});
