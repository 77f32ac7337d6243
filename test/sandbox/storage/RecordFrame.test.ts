import { describe, expect, test } from 'vitest';
import { DamagedLogError } from '../../../src/sandbox/storage/frameLog.js';
import * as RecordFrame from '../../../src/sandbox/storage/RecordFrame.js';
import * as Signature from '../../../src/sandbox/storage/Signature.js';

const summary: RecordFrame.Summary = {
  sequence: 7,
  createdAtMs: 1_790_000_000_123,
  updatedAtMs: 1_790_000_000_456,
  writtenAtMs: 1_790_000_000_789,
  weight: 12_345_678,
  expiresAtMs: Infinity,
  isActive: true,
  balance: -5n,
  id: [1, 0xffffffff],
  alias: [0, 0],
  signature: Signature.of(['a', 'b']),
};

describe('ofRecord', () => {
  test.each([undefined, Buffer.from('{"name":"value"}')])('default: round trip against %s', (dictionary) => {
    const frame = RecordFrame.ofRecord(summary, { name: 'value', list: [1, null] }, dictionary);
    expect(RecordFrame.kindOf(frame)).toBe('record');
    expect(RecordFrame.summaryOf(frame)).toEqual(summary);
    expect(RecordFrame.bodyOf(frame, dictionary)).toEqual({ name: 'value', list: [1, null] });
  });

  test('error: too short', () => {
    expect(() => RecordFrame.summaryOf(Buffer.from([2]))).toThrow(DamagedLogError);
  });
});

describe('ofPatch', () => {
  test('default', () => {
    const frame = RecordFrame.ofPatch({ a: 'ä' });
    expect([RecordFrame.kindOf(frame), RecordFrame.patchOf(frame)]).toEqual(['patch', { a: 'ä' }]);
  });
});

describe('ofDictionary', () => {
  test('default', () => {
    const frame = RecordFrame.ofDictionary(Buffer.from('text'));
    expect([RecordFrame.kindOf(frame), RecordFrame.dictionaryOf(frame).toString()]).toEqual(['dictionary', 'text']);
  });
});
