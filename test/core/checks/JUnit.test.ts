import { expect, test } from 'vitest';
import * as JUnit from '../../../src/core/checks/JUnit.js';
import * as SmokeReport from '../../../src/core/checks/SmokeReport.js';
import * as junit from '../../support/junit.js';
import { all } from '../../support/xml.js';

const one = { name: 'one', does: 'execute', amount: '1', from: 'a/x', to: 'b/y', options: {}, expect: {} } as const;

function result(changes: Partial<SmokeReport.Result>): SmokeReport.Result {
  return { ...SmokeReport.skipped(one), seconds: 1.2345, ...changes };
}

const unmet = { what: 'minOut', expected: 'at least 2', found: '1', met: false };
const error = {
  code: 'track.refunded',
  exit: 7,
  message: 'Refunded.',
  facts: ['reason: late'],
  hint: null,
  next: 'ferry status 0x1',
};
const flaky = { code: 'service.timeout', message: 'Too slow.', seconds: 3 };

const every = [
  result({ name: 'met', verdict: 'met', failedAttempts: [flaky] }),
  result({ name: 'unmet', verdict: 'unmet', checks: [unmet] }),
  result({ name: 'error', verdict: 'error', error, funds: 'returned', run: 'r-1', requestId: '0x1' }),
  result({ name: 'skipped', seconds: 0 }),
];

function document(results: readonly SmokeReport.Result[], file: string | null = 'smoke.yaml'): string {
  const caps = [{ source: '--max-spend', usd: '5.000000', tokens: [{ currency: 'a/x', amount: '3' }] }];
  const budget = { caps, spent: { usd: '1.000000', tokens: [] } };
  const at = { file, startedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678), seconds: 61.5, version: '1.2.3', budget };
  return JUnit.format(SmokeReport.from(results, at), 'testnet');
}

test('default: valid for both schemas, failures and errors distinguished', async () => {
  const text = document(every);
  expect(await junit.problems(text)).toEqual([]);
  expect(junit.outcomes(text)).toEqual({ met: 'passed', unmet: 'failure', error: 'error', skipped: 'skipped' });
  const { attributes, children } = junit.suiteOf(text);
  expect(attributes).toMatchObject({
    ...{ tests: '4', failures: '1', errors: '1', skipped: '1', time: '61.500' },
    timestamp: '2026-01-02T03:04:05',
    hostname: 'localhost',
  });
  expect(all(children[0] as never, 'property').map(({ attributes: { name, value } }) => [name, value])).toEqual([
    ['network', 'testnet'],
    ['ferry', '1.2.3'],
    ['file', 'smoke.yaml'],
    ['--max-spend', '$5.000000'],
    ['--max-spend', '3 a/x'],
    ['spent', '$1.000000'],
  ]);
});

test('default: the reason in one line, and in full', () => {
  const suite = junit.suiteOf(document(every));
  const [failure] = all(suite, 'failure');
  expect(failure?.attributes).toEqual({ type: 'minOut', message: 'minOut: expected at least 2, found 1' });
  const [wrong] = all(suite, 'error');
  expect(wrong?.attributes).toEqual({ type: 'track.refunded', message: 'track.refunded: Refunded.' });
  expect(wrong?.text.split('\n')).toEqual([
    'execute 1 a/x → b/y',
    'track.refunded: Refunded.',
    'reason: late',
    'funds: returned',
    'request: 0x1',
    'run: r-1',
    'next: ferry status 0x1',
  ]);
  const times = all(suite, 'testcase').map(({ attributes: { time } }) => time);
  expect(times).toEqual(['1.234', '1.234', '1.234', '0.000']);
});

test('behavior: retried attempts are listed, even if the case was met', () => {
  const [out] = all(junit.suiteOf(document(every)), 'system-out');
  expect(out?.text).toBe('met: attempt 1 failed after 3 s and was retried. service.timeout: Too slow.');
});

const hostileTexts = [
  'a < b & "c" > \'d\' ]]>',
  '</testcase><testcase name="forged"/>',
  'null \u0000, bell \u0007, escape \u001b[2J, line\nfeed, return\r, tab\t, next line \u0085',
  'bidi \u202e, zero width \u200b, BOM \ufeff, noncharacters \ufffe \uffff, lone \ud800 surrogates \udfff',
  '&amp; &#0; <!-- --> <![CDATA[ ]]> <?php',
  ' leading and trailing ',
];

test('behavior: hostile texts everywhere', async () => {
  const written = hostileTexts.map((text) => {
    const hostile = result({
      ...{ name: text, verdict: 'error', route: text, status: text, run: text, requestId: text },
      checks: [{ what: text, expected: text, found: text, met: false }],
      error: { code: 'internal.bug', exit: 1, message: text, facts: [text], hint: null, next: text },
      failedAttempts: [{ ...flaky, message: text }],
    });
    return document([hostile, { ...hostile, verdict: 'unmet' }], text);
  });
  expect(await junit.problemsOfEach(written)).toEqual(hostileTexts.map(() => []));
  for (const each of written) expect(all(junit.suiteOf(each), 'testcase')).toHaveLength(2);
});

test('error: the schemas refuse what is not JUnit', async () => {
  const text = document(every);
  const broken = [
    text.replace(' failures="1"', ''),
    text.replace('</testsuites>', ''),
    text.replace('<system-out>', '<other/><system-out>'),
  ];
  for (const found of await junit.problemsOfEach(broken))
    expect(found.map((each) => each.split(':')[0])).toEqual(expect.arrayContaining(['jenkins', 'ant']));
});
