import { describe, expect, test } from 'vitest';
import type { Code } from '../../../src/core/base/Errors.js';
import * as Errors from '../../../src/core/base/Errors.js';
import * as SmokeReport from '../../../src/core/checks/SmokeReport.js';

const source = {
  ...{ file: null, startedAt: 0, seconds: 1, version: '1.2.3' },
  budget: { caps: [], spent: { usd: '0.000000', tokens: [] } },
};
const one = { name: 'one', does: 'quote', amount: '1', from: 'a/x', to: 'b/y', options: {}, expect: {} } as const;
const as = (verdict: SmokeReport.Result['verdict'], code?: Code): SmokeReport.Result => ({
  ...SmokeReport.skipped(one),
  verdict,
  error: code ? { code, exit: Errors.entry(code).exit, message: 'M.', facts: [], hint: null, next: null } : null,
});

function isVerdict(end: string): end is SmokeReport.Result['verdict'] {
  return ['met', 'unmet', 'error', 'skipped'].includes(end);
}

describe('from', () => {
  test.each<[(SmokeReport.Result['verdict'] | Code)[], string | null]>([
    [['met', 'met'], null],
    [['met', 'skipped'], null],
    [['met', 'unmet'], 'expect.unmet'],
    [['unmet', 'service.refused'], 'service.refused'],
    [['service.refused', 'usage.invalid', 'internal.bug'], 'internal.bug'],
    [['track.failed', 'submit.unknown', 'track.failed'], 'submit.unknown'],
  ])('behavior: of %j the worst is %j', (ends, worst) => {
    const results = ends.map((end) => (isVerdict(end) ? as(end) : as('error', end)));
    expect(SmokeReport.from(results, source).worst).toBe(worst);
    expect(SmokeReport.from(results.reverse(), source).worst).toBe(worst);
  });
});

test('reasonOf: the expectations that were not met', () => {
  const checks = [
    { what: 'exit', expected: '0', found: '0', met: true },
    { what: 'minOut', expected: 'at least 2', found: '1', met: false },
    { what: 'maxSeconds', expected: 'at most 1 s', found: '2 s', met: false },
  ];
  expect(SmokeReport.reasonOf({ ...as('unmet'), checks })).toBe(
    'minOut: expected at least 2, found 1; maxSeconds: expected at most 1 s, found 2 s',
  );
});
