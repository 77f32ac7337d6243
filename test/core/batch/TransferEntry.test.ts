import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as Decode from '../../../src/core/api/schema/Decode.js';
import * as TransferEntry from '../../../src/core/batch/TransferEntry.js';

const schema = z.strictObject({ ...TransferEntry.route, ...TransferEntry.options });
const transfer = { amount: '1', from: 'alpha/usdc', to: 'beta/usdc' };

function read(written: unknown): readonly string[] {
  const decoding = Decode.from(schema, written);
  return decoding.ok ? [] : decoding.problems.map((each) => TransferEntry.toFact(each, 'the line').join(': '));
}

describe('options and route', () => {
  test.each([
    [{ ...transfer, amount: 1 }, ['amount: expected a string']],
    [{ ...transfer, amount: '-1' }, [expect.stringMatching(/^amount: expected /)]],
    [{ ...transfer, to: undefined }, ['to: missing, expected a string']],
    [{ ...transfer, slipage: '1' }, ['slipage: expected unknown field'.replace('expected ', '')]],
    [[], [expect.stringMatching(/^the line: expected /)]],
  ])('error: %j', (written, expected) => {
    expect(read(written)).toEqual(expected);
  });
});

describe('problems', () => {
  test('error: invalid percentages, durations and dollars', () => {
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
});

test('misplaced: options of executions do not apply to a quote', () => {
  const found = TransferEntry.misplaced({ maxIn: '1', slippage: 1, replay: true }, 'quote', []);
  expect(found.map(({ path }) => path)).toEqual([['maxIn'], ['replay']]);
  expect(TransferEntry.misplaced({ maxIn: '1', replay: true }, 'execute', [])).toEqual([]);
});

test('typed: numbers become strings, the rest is unchanged', () => {
  expect(TransferEntry.typed({ slippage: 0.5, gasless: true, appFee: ['a'], referrer: 'r' })).toEqual({
    slippage: '0.5',
    gasless: true,
    appFee: ['a'],
    referrer: 'r',
  });
});
