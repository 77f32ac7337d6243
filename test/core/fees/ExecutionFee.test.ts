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
