import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as SmokeFile from '../../../src/core/checks/SmokeFile.js';
import { thrownBy } from '../../support/thrown.js';

const one = { name: 'one', amount: '1', from: 'alpha/usdc', to: 'beta/usdc' };

/** A file with one case, of which something is other. */
const having = (own: object) => ({ cases: [{ ...one, ...own }] });

/** The facts of the error thrown by `read`. */
function facts(content: unknown): Record<string, string> {
  return Object.fromEntries(error(content).facts);
}

const error = (content: unknown) => thrownBy(BaseError, () => SmokeFile.read(content, 'smoke.yaml')) as BaseError;

describe('read', () => {
  test('behavior: cases override the defaults, expectation by expectation', () => {
    const { cases } = SmokeFile.read(
      {
        defaults: { does: 'execute', slippage: 1, maxFeeUsd: '2', expect: { maxSeconds: 9, status: 'success' } },
        cases: [
          { ...one, slippage: 0.5, expect: { maxSeconds: 3 } },
          { ...one, name: 'two', does: 'quote', gasless: true },
        ],
      },
      'smoke.yaml',
    );
    expect(cases[0]).toMatchObject({
      does: 'execute',
      options: { slippage: 0.5, maxFeeUsd: '2' },
      expect: { maxSeconds: 3, status: 'success' },
    });
    // Options of executions are not inherited by quotes.
    expect(cases[1]).toEqual({
      ...{ ...one, name: 'two', does: 'quote' },
      options: { slippage: 1, gasless: true },
      expect: { maxSeconds: 9 },
    });
  });

  test.each<[string, unknown, Record<string, string>]>([
    ['no cases', {}, { cases: 'missing, expected an array' }],
    ['an unknown field', having({ gassless: true }), { 'cases[0].gassless': 'unknown field' }],
    ['no amount', having({ amount: '-1' }), { 'cases[0].amount': 'expected a decimal number as a string, or max' }],
    [
      'a wrong percentage',
      { cases: [one, { ...one, name: 'two', slippage: '101' }] },
      { 'cases[1].slippage': 'expected a percentage from 0 to 100 with at most two decimals, such as 0.5' },
    ],
    [
      'a wrong time',
      { defaults: { does: 'execute', timeout: 'soon' }, cases: [one] },
      { 'defaults.timeout': 'expected a duration such as 30s, 500ms, 5m or 1h' },
    ],
    [
      'a code that does not exist',
      having({ expect: { code: 'service.refuse' } }),
      { 'cases[0].expect.code': 'expected one of ferry’s error codes, such as service.refused' },
    ],
    [
      'what is for executions alone',
      having({ maxIn: '1', expect: { status: 'refund' } }),
      {
        'cases[0].maxIn': 'expected no value: it applies to executions only',
        'cases[0].expect.status': 'expected no value: it applies to executions only',
      },
    ],
    ['two of one name', { cases: [one, one] }, { 'cases[1].name': 'expected a unique name' }],
    ['a network, which the command line chooses', { network: 'mainnet', cases: [one] }, { network: 'unknown field' }],
    ['a key', having({ privateKey: '0x1' }), { 'cases[0].privateKey': 'unknown field' }],
    ['an import', { $import: './x.js', cases: [one] }, { $import: 'unknown field' }],
  ])('error: %s', (_, content, expected) => {
    expect(facts(content)).toEqual(expected);
  });

  test('error: suggests the nearest key, and to put amounts in quotes', () => {
    expect(error(having({ gassless: true }))).toMatchObject({
      code: 'smoke.unreadable',
      hint: 'Did you mean gasless?',
      next: 'ferry smoke --example',
    });
    expect(error(having({ amount: 1 })).hint).toContain('in quotes');
  });

  test('error: the first of many problems, and how many more; a hostile key cannot move the cursor', () => {
    const cases = Array.from({ length: 20 }, (_, index) => ({ ...one, name: `n${index}`, does: 'x' }));
    expect(facts({ cases })).toMatchObject({ 'cases[7].does': expect.anything(), and: '12 more' });
    expect(Object.keys(facts(having({ 'a\u001b[2J': 1 })))).toEqual(['cases[0].a\\x1b[2J']);
  });
});

const { cases } = SmokeFile.read(
  { cases: ['quote a bridge', 'quote a swap', 'Bridge (gasless)'].map((name) => ({ ...one, name })) },
  'x',
);
const names = (...only: string[]) => SmokeFile.select(cases, only).map(({ name }) => name);

test.each([
  [['bridge'], ['quote a bridge', 'Bridge (gasless)']],
  [['quote *'], ['quote a bridge', 'quote a swap']],
  [['bridge*'], ['Bridge (gasless)']],
  [['quote a ????'], ['quote a swap']],
  [['(gas'], ['Bridge (gasless)']],
  [['(*', 'a swap'], ['quote a swap']],
  [
    ['swap', 'gasless'],
    ['quote a swap', 'Bridge (gasless)'],
  ],
])('select: behavior: %j', (only, expected) => {
  expect(names(...only)).toEqual(expected);
});
