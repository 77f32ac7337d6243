import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as BatchLine from '../../../src/core/batch/BatchLine.js';
import * as BatchMistakes from '../../../src/core/batch/BatchMistakes.js';
import { thrownBy } from '../../support/thrown.js';

const unknown = new BaseError('request.unknown-token', 'Unknown token "x" on beta.', {
  facts: [['tokens', 'usdc']],
  hint: 'Any token can be named by its address.',
  next: 'ferry tokens beta',
});
const unread = new BaseError('batch.unreadable', 'Line 3 is not JSON.', { facts: [['amount', 'expected a string']] });

const of = (...mistakes: BatchMistakes.Mistake[]) => mistakes.reduce(BatchMistakes.add, BatchMistakes.none);
const failing = (act: () => unknown) => thrownBy(BaseError, act) as BaseError;
const thrown = (mistakes: BatchMistakes.BatchMistakes) => failing(() => BatchMistakes.assertNone(mistakes));

test.each([
  [unknown, true],
  [new BaseError('auth.unknown-account', 'No such account.'), true],
  [new BaseError('chain.unreachable', 'No answer.'), false],
  [new BaseError('run.stopped', 'Stopped.'), false],
  [new TypeError('x'), false],
])('isOne: %s', (error, expected) => {
  expect(BatchMistakes.isOne(error)).toBe(expected);
});

describe('assertNone', () => {
  test('error: one line, with what its error knows', () => {
    expect(thrown(of({ number: 2, id: 'a\u001b', error: unknown }))).toMatchObject({
      code: 'batch.unreadable',
      message: 'Line 2 of the batch ("a\\x1b") is not a valid transfer. Unknown token "x" on beta.',
      facts: [['tokens', 'usdc']],
      hint: 'Any token can be named by its address.',
      next: 'ferry tokens beta',
    });
  });

  test('error: one line that cannot be read has its own error', () => {
    expect(thrown(of({ number: 3, id: undefined, error: unread }))).toBe(unread);
  });

  test('error: several lines, each numbered once', () => {
    const read = BatchLine.createReader('execute', 'batch.ndjson');
    const unreadable = (number: number, text: string): BatchMistakes.Mistake => ({
      number,
      id: undefined,
      error: failing(() => read({ number, text })),
    });
    const line = '{"id":"a","amount":"1","from":"alpha/usdc","to":"beta/usdc"}';
    read({ number: 1, text: line });
    expect(thrown(of(unreadable(2, '{'), unreadable(3, line)))).toMatchObject({
      facts: [
        ['line 2', 'is not a valid transfer: it is not JSON.'],
        ['line 3', 'has the same id "a" as line 1.'],
      ],
    });
  });

  test('error: several lines, the first ten in full', () => {
    const more = Array.from({ length: 11 }, (_, index) => ({ number: index + 5, id: `l${index}`, error: unknown }));
    const { message, facts } = thrown(of({ number: 3, id: undefined, error: unread }, ...more)) as BaseError;
    expect(message).toBe('12 lines of the batch are not valid transfers.');
    expect(facts.slice(0, 2)).toEqual([
      ['line 3', 'amount: expected a string'],
      ['line 5', '"l0": Unknown token "x" on beta.'],
    ]);
    expect([facts.length, facts.at(-1)]).toEqual([11, ['and', '2 more']]);
  });
});
