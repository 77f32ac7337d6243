import { describe, expect, test } from 'vitest';
import * as BatchResult from '../../../src/core/batch/BatchResult.js';

const owner = { command: 'execute', network: 'sandbox' } as const;
const result = { network: 'sandbox', command: 'execute', id: 'a', digest: '0x01', ok: true, data: {}, error: null };
const failure = { code: 'service.timeout', message: 'late', funds: 'untouched' };

describe('toEntry', () => {
  test('default: reads a line of a ledger', () => {
    const line = JSON.stringify({ schema: 'ferry.event/1', type: 'result', ...result });
    const entry = { id: 'a', digest: '0x01', code: null, mayBeTriedAgain: false };
    expect(BatchResult.toEntry(line, 1, owner)).toEqual(entry);
    expect(BatchResult.toEntry(JSON.stringify({ ...result, ok: false, error: failure }), 1, owner)).toMatchObject({
      code: 'service.timeout',
      mayBeTriedAgain: true,
    });
    const unknown = { ...failure, code: 'submit.unknown', funds: 'unknown' };
    expect(BatchResult.toEntry(JSON.stringify({ ...result, ok: false, error: unknown }), 1, owner)).toMatchObject({
      code: 'submit.unknown',
      mayBeTriedAgain: false,
    });
  });

  test('behavior: an unknown code counts as internal.bug', () => {
    const text = JSON.stringify({ ...result, ok: false, error: { ...failure, code: 'service.sulks' } });
    expect(BatchResult.toEntry(text, 1, owner).code).toBe('internal.bug');
  });

  test.each([
    ['{"id":"a"', 'line 3 is not a batch result'],
    ['null', 'line 3 is not a batch result'],
    [JSON.stringify({ ...result, id: 1 }), 'line 3 is not a batch result'],
    [JSON.stringify({ ...result, ok: false }), 'line 3 is not a batch result'],
    [JSON.stringify({ ...result, error: failure }), 'line 3 is not a batch result'],
    [JSON.stringify({ ...result, command: 'quote' }), 'it contains results of ferry quote'],
    [JSON.stringify({ ...result, network: 'mainnet' }), 'its results belong to the network mainnet'],
  ])('error: %s', (text, why) => {
    expect(() => BatchResult.toEntry(text, 3, owner)).toThrow(
      expect.objectContaining({ code: 'batch.ledger', message: `The ledger cannot be continued: ${why}.` }),
    );
  });
});

test('otherTransfer: error: a different transfer under the same id', () => {
  expect(BatchResult.otherTransfer({ number: 4, id: 'a' }).message).toContain(
    '"a" belongs to a different transfer than line 4',
  );
});
