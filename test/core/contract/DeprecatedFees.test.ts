import { describe, expect, test } from 'vitest';
import * as DeprecatedFees from '../../../src/core/contract/DeprecatedFees.js';
import { decode, problems } from '../../support/problems.js';
import { read } from '../../support/recorded.js';

const { fees } = read('quote-swap') as { fees: DeprecatedFees.DeprecatedFees };

describe('schema', () => {
  test('default', () => {
    expect(Object.keys(decode(DeprecatedFees.schema, fees)).sort()).toEqual([
      'app',
      'gas',
      'relayer',
      'relayerGas',
      'relayerService',
      'subsidized',
    ]);
  });

  test('behavior: being deprecated, any part may be gone', () => {
    expect(problems(DeprecatedFees.schema, { relayer: fees.relayer })).toEqual([]);
  });

  test('error: a part that is no amount', () => {
    expect(problems(DeprecatedFees.schema, { ...fees, gas: '1' })).toEqual(['gas: expected an object']);
  });
});
