import { describe, expect, test } from 'vitest';
import * as Errors from '../../../src/core/base/Errors.js';

test('entries: behavior: every code has the form area.name and a one-sentence description', () => {
  for (const [code, { docs }] of Errors.entries()) {
    expect(code).toMatch(/^[a-z]+\.[a-z-]+$/);
    expect(docs).toMatch(/^[A-Z].*\.$/);
  }
});

test('BaseError: takes exit code, funds and retryable from the table unless overridden', () => {
  const error = new Errors.BaseError('service.rate-limited', 'Slow down.');
  expect([error.exit, error.retryable, error.funds]).toEqual([3, true, 'untouched']);
  const known = new Errors.BaseError('track.unfinished', 'Not yet.', { funds: 'untouched', txHash: '0x01' });
  expect([known.exit, known.funds, known.txHash]).toEqual([9, 'untouched', '0x01']);
  const fundsOf = new Map(Errors.entries().map(([code, { exit }]) => [exit, new Errors.BaseError(code, 'It.').funds]));
  const funds = ['untouched', 'returned', 'held', 'in-flight', 'unknown'];
  expect([6, 7, 8, 9, 10].map((exit) => fundsOf.get(exit))).toEqual(funds);
});

test('BaseError: what is said of it later makes another of its class', () => {
  class LateError extends Errors.BaseError {
    override name = 'LateError';
    readonly minutes = 7;
  }
  const thrown = new LateError('track.unfinished', 'Not yet.', { hint: 'Wait.', txHash: '0x01', cause: 'the node' });
  const said = thrown.with({ run: 'r1', next: 'ferry resume r1' });
  expect(said).toBeInstanceOf(LateError);
  const { name, message, cause, exit, minutes, hint, txHash, run, next } = said;
  expect({ name, message, cause, exit, minutes, hint, txHash, run, next }).toEqual({
    ...{ name: 'LateError', message: 'Not yet.', cause: 'the node', exit: 9, minutes: 7 },
    ...{ hint: 'Wait.', txHash: '0x01', run: 'r1', next: 'ferry resume r1' },
  });
  expect([thrown.run, thrown.next]).toEqual([undefined, undefined]);
});

describe('inFile', () => {
  const factsOf = (thrown: unknown) => (thrown as Errors.BaseError).facts;

  test('default: adds the file', () => {
    const error = new Errors.BaseError('batch.ledger', 'It is broken.', { facts: [['line', '1']] });
    expect(factsOf(Errors.inFile(error, 'a.json'))).toEqual([
      ['line', '1'],
      ['file', 'a.json'],
    ]);
  });

  test('behavior: not twice, not for stdin, and not to any other error', () => {
    const named = new Errors.BaseError('batch.ledger', 'a.json is broken.');
    expect(factsOf(Errors.inFile(named, 'a.json'))).toEqual([]);
    const known = new Errors.BaseError('batch.ledger', 'It is broken.', { facts: [['file', '/x/a.json']] });
    expect(factsOf(Errors.inFile(known, 'a.json'))).toHaveLength(1);
    expect(factsOf(Errors.inFile(new Errors.BaseError('batch.ledger', 'Broken.'), '-'))).toEqual([]);
    const other = new TypeError('x');
    expect(Errors.inFile(other, 'a.json')).toBe(other);
  });
});
