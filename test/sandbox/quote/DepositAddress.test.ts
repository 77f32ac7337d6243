import { describe, expect, test } from 'vitest';
import * as DepositAddress from '../../../src/sandbox/quote/DepositAddress.js';

describe('from', () => {
  test('default: a captured one', () => {
    const contracts = {
      depositFactory: '0x1dF43AB501F8B0d604F9A58A41A51744f2f8Cd22',
      depositImplementation: '0x40b309095342d0823d6B9458cCC07AB170bC3E94',
    } as const;
    const orderId = '0xb6f17ce7bc21e018001a496987a1d148e70b7f9717886d3dc6d6fa7f37a763cd';
    expect(DepositAddress.from(contracts, orderId, '0x40ad8cf176672efe12a0d7ac50fa5da2b0b64e74')).toBe(
      '0x0EdCeCa268d17A1725280227a7fAf8bF38A45AeB',
    );
  });
});
