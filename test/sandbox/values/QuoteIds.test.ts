import { describe, expect, test } from 'vitest';
import * as QuoteIds from '../../../src/sandbox/values/QuoteIds.js';

const source = { seed: 'tide', sequence: 1, nowMs: 1_790_000_000_999 };

describe('from', () => {
  test('default', () => {
    const { requestId, salt } = QuoteIds.from(source);
    expect(requestId).toMatch(/^0x1790000000[0-9a-f]{54}$/);
    expect(salt).toMatch(/^0x[0-9a-f]{64}$/);
    expect(QuoteIds.from(source)).toEqual({ requestId, salt });
  });

  test('behavior: depends on seed and sequence number', () => {
    const all = [source, { ...source, seed: 'ebb' }, { ...source, sequence: 2 }, { ...source, seed: 'tide/1' }].map(
      QuoteIds.from,
    );
    expect(new Set(all.flatMap(({ requestId, salt }) => [requestId, salt])).size).toBe(8);
  });
});

test('claimId: deterministic, another for each claim, none of a quote', () => {
  const claim = QuoteIds.claimId({ seed: 'a', sequence: 1 });
  expect(claim).toMatch(/^0x[0-9a-f]{64}$/);
  expect(QuoteIds.claimId({ seed: 'a', sequence: 1 })).toBe(claim);
  expect(QuoteIds.claimId({ seed: 'a', sequence: 2 })).not.toBe(claim);
  expect(Object.values(QuoteIds.from({ seed: 'a', sequence: 1, nowMs: 0 }))).not.toContain(claim);
});
