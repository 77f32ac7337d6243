import { describe, expect, test } from 'vitest';
import * as LegacyFees from '../../../../src/core/api/schema/LegacyFees.js';
import { decode, problems } from '../../../support/problems.js';
import { read } from '../../../support/recorded.js';

const { fees } = read('quote-swap') as { fees: LegacyFees.DeprecatedFees };

describe('schema', () => {
  test('default', () => {
    expect(Object.keys(decode(LegacyFees.schema, fees)).sort()).toEqual([
      'app',
      'gas',
      'relayer',
      'relayerGas',
      'relayerService',
      'subsidized',
    ]);
  });

  test('behavior: deprecated, so every part may be absent', () => {
    expect(problems(LegacyFees.schema, { relayer: fees.relayer })).toEqual([]);
  });

  test('error: a part that is not an amount', () => {
    expect(problems(LegacyFees.schema, { ...fees, gas: '1' })).toEqual(['gas: expected an object']);
  });
});
