import { expect, test } from 'vitest';
import * as ExecutionFee from '../../../src/core/fees/ExecutionFee.js';

test.each([
  [0n, false, 'none: no solver takes part'],
  [-20_000n, false, 'the flat fee'],
  [-22_700n, false, 'the flat fee and gas on the destination'],
  [-22_700n, undefined, 'the flat fee and gas on the destination'],
  [-22_700n, true, 'the flat fee and gas on the destination and the origin'],
  [-100n, false, 'what the service takes to execute it'],
])('inWords: %d, without gas of one’s own: %j', (execution, isGasless, words) => {
  expect(ExecutionFee.inWords(execution, isGasless)).toBe(words);
});

test('partsOf: the flat fee and the rest, if there is a solver', () => {
  expect(ExecutionFee.partsOf(-22_700n)).toEqual({ flat: -20_000n, gas: -2_700n });
  expect(ExecutionFee.partsOf(-20_000n)).toEqual({ flat: -20_000n, gas: 0n });
  expect(ExecutionFee.partsOf(-19_999n)).toBeUndefined();
});
