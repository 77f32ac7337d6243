import { describe, expect, test } from 'vitest';
import type { Code } from '../../../src/core/base/Errors.js';
import * as Errors from '../../../src/core/base/Errors.js';
import * as SmokeReport from '../../../src/core/checks/SmokeReport.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { width } from '../../../src/core/text/TerminalText.js';

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

test.each<[(SmokeReport.Result['verdict'] | Code)[], string | null]>([
  [['met', 'met'], null],
  [['met', 'skipped'], null],
  [['met', 'unmet'], 'expect.unmet'],
  [['unmet', 'service.refused'], 'service.refused'],
  [['service.refused', 'usage.invalid', 'internal.bug'], 'internal.bug'],
  [['track.failed', 'submit.unknown', 'track.failed'], 'submit.unknown'],
])('from: behavior: of %j the worst is %j', (ends, worst) => {
  const results = ends.map((end) => (isVerdict(end) ? as(end) : as('error', end)));
  expect(SmokeReport.from(results, source).worst).toBe(worst);
  expect(SmokeReport.from(results.reverse(), source).worst).toBe(worst);
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

function result(changes: Partial<SmokeReport.Result>): SmokeReport.Result {
  return { ...SmokeReport.skipped(one), does: 'execute', verdict: 'met', seconds: 1.2345, ...changes };
}

const outcome = { what: 'outcome', expected: 'no error', found: 'no error', met: true };
const minOut = { what: 'minOut', expected: 'at least 2', found: '1', met: false };
const refunded = { ...outcome, found: 'track.refunded', met: false };
const error = {
  code: 'track.refunded',
  exit: 7,
  message: 'It came back.',
  facts: ['reason: late'],
  hint: null,
  next: 'ferry status 0x1',
};
const flaky = { code: 'service.timeout', message: 'Too slow.', seconds: 3 };

const report = SmokeReport.from(
  [
    result({ name: 'all well', does: 'quote', checks: [outcome, { ...minOut, found: '2.5', met: true }] }),
    result({ name: 'at last', failedAttempts: [flaky], checks: [outcome] }),
    result({ name: 'too little', verdict: 'unmet', checks: [outcome, minOut], seconds: 12 }),
    result({ name: 'came back', verdict: 'error', checks: [refunded], error, run: 'r-1' }),
    result({ name: 'later', verdict: 'skipped' }),
  ],
  {
    ...{ file: null, startedAt: 0, seconds: 20, version: '1.2.3' },
    budget: { caps: [], spent: { usd: '2.000000', tokens: [{ currency: 'a/x', amount: '2' }] } },
  },
);

describe('format', () => {
  test('default', () => {
    expect(SmokeReport.format(report, plain)).toMatchInlineSnapshot(`
      "  Case        Does     Verdict  Seconds  Attempts
      ✓ all well    quote    met          1.2         1
          minOut 2.5 (at least 2)
      ✓ at last     execute  met          1.2         2
          attempt 1: service.timeout, nothing was signed, and it was repeated
      ✗ too little  execute  unmet       12.0         1
          minOut: expected at least 2, found 1
      ✗ came back   execute  error        1.2         1
          outcome: expected no error, found track.refunded
          track.refunded: It came back.
          reason: late
          run r-1
          next: ferry status 0x1
      · later       execute  skipped

      2 met, 1 unmet, 1 error, 1 skipped in 20.0 s. Sent: 2 a/x."
    `);
  });

  test('behavior: hostile and long names stay in their line, within the terminal', () => {
    const name = `\u001b[2J${'long '.repeat(60)}`;
    const checks = [{ ...minOut, found: 'x'.repeat(300) }];
    const long = SmokeReport.from([result({ name, verdict: 'unmet', checks })], { ...report, budget: source.budget });
    const text = SmokeReport.format(long, plain);
    expect(text).not.toContain('\u001b');
    expect(Math.max(...text.split('\n').map(width))).toBeLessThanOrEqual(80);
    expect(text).toContain('Nothing was sent.');
  });
});
