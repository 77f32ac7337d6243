import { describe, expect, test } from 'vitest';
import type { Expect } from '../../../src/core/checks/SmokeFile.js';
import * as SmokeVerdict from '../../../src/core/checks/SmokeVerdict.js';

const well: SmokeVerdict.CaseResult = { code: null, status: 'success', out: '9.97', feeUsd: 22_626n, seconds: 0.4 };
const refunded: SmokeVerdict.CaseResult = { ...well, code: 'track.refunded', status: 'refund', out: null };

function judged(expected: Expect, found: SmokeVerdict.CaseResult): [SmokeVerdict.Verdict, ...string[]] {
  const checks = SmokeVerdict.check({ expect: expected }, found);
  return [
    SmokeVerdict.from(checks, found),
    ...checks.filter(({ met }) => !met).map(({ what, expected: e, found: f }) => `${what}: ${e}: ${f}`),
  ];
}

describe('check', () => {
  test('default: every given expectation, the outcome first', () => {
    const all: Expect = { status: 'success', exit: 0, minOut: '9.97', maxFeeUsd: '0.022626', maxSeconds: 0.4 };
    expect(SmokeVerdict.check({ expect: all }, well)).toEqual([
      { what: 'exit', expected: '0', found: '0', met: true },
      { what: 'status', expected: 'success', found: 'success', met: true },
      { what: 'minOut', expected: 'at least 9.97', found: '9.97', met: true },
      { what: 'maxFeeUsd', expected: 'at most $0.022626', found: '$0.022626', met: true },
      { what: 'maxSeconds', expected: 'at most 0.4 s', found: '0.4 s', met: true },
    ]);
  });

  test('behavior: decimals are compared as decimals', () => {
    expect(judged({ minOut: '9.9700000000000000001' }, well)).toEqual(['unmet', expect.any(String)]);
    expect(judged({ minOut: '9.970' }, well)).toEqual(['met']);
    expect(judged({ minOut: '10' }, { ...well, out: '9' })[0]).toBe('unmet');
  });

  test.each<[string, Expect, SmokeVerdict.CaseResult, SmokeVerdict.Verdict, ...string[]]>([
    ['less arrives', { minOut: '9.98' }, well, 'unmet', 'minOut: at least 9.98: 9.97'],
    ['it costs more', { maxFeeUsd: '0.02' }, well, 'unmet', 'maxFeeUsd: at most $0.02: $0.022626'],
    ['it takes longer', { maxSeconds: 0.3 }, well, 'unmet', 'maxSeconds: at most 0.3 s: 0.4 s'],
    [
      'an error was expected and none came',
      { code: 'service.refused' },
      well,
      'unmet',
      'code: service.refused: no error',
    ],
    ['an unexpected error', {}, refunded, 'error', 'outcome: no error: track.refunded'],
    ['another status', { status: 'success' }, refunded, 'error', 'status: success: refund'],
    [
      'the error that was expected, but too late',
      { code: 'track.refunded', maxSeconds: 0 },
      refunded,
      'unmet',
      'maxSeconds: at most 0 s: 0.4 s',
    ],
    ['nothing arrived', { status: 'refund', minOut: '1' }, refunded, 'unmet', 'minOut: at least 1: nothing'],
    [
      'no quote',
      { code: 'service.refused', maxFeeUsd: '1' },
      { ...refunded, code: 'service.refused', feeUsd: null },
      'unmet',
      'maxFeeUsd: at most $1: no quote',
    ],
  ])('error: %s', (_, expected, found, verdict, ...wrong) => {
    expect(judged(expected, found)).toEqual([verdict, ...wrong]);
  });
});

test('from: met', () => {
  expect(judged({ status: 'refund', exit: 7, code: 'track.refunded' }, refunded)).toEqual(['met']);
});
