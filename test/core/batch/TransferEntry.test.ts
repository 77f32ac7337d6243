import { expect, test } from 'vitest';
import * as Decode from '../../../src/core/api/schema/Decode.js';
import * as TransferEntry from '../../../src/core/batch/TransferEntry.js';

test('problems: error: invalid percentages, durations and dollars', () => {
  const found = TransferEntry.problems({ slippage: 'much', timeout: 'long', maxVenueFee: '1.0000000001' }, [
    'cases',
    0,
  ]);
  expect(found.map(({ path }) => Decode.formatPath(path))).toEqual([
    'cases[0].slippage',
    'cases[0].maxVenueFee',
    'cases[0].timeout',
  ]);
});

test('typed: numbers become strings, the rest is unchanged', () => {
  expect(TransferEntry.typed({ slippage: 0.5, gasless: true, appFee: ['a'], referrer: 'r' })).toEqual({
    slippage: '0.5',
    gasless: true,
    appFee: ['a'],
    referrer: 'r',
  });
});
