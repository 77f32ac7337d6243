import { describe, expect, test } from 'vitest';
import * as Comparison from '../../../src/core/compare/Comparison.js';
import * as ComparisonText from '../../../src/core/compare/ComparisonText.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { grouped, width } from '../../../src/core/text/TerminalText.js';
import { drawn, quotedAt, refusal, results } from '../../support/comparisons.js';
import { intent } from '../../support/quoted.js';

async function partly(): Promise<Comparison.Comparison> {
  const asked = intent('10000', 'alpha/eth', 'beta/usdc');
  const error = refusal('SWAP_IMPACT_TOO_HIGH', 'Swap impact is too high');
  const came = await results(['0.001', '0.1', '10'], 'alpha/eth', ['beta/usdc', 'beta/eth']);
  return Comparison.from(asked.origin, [...came, { intent: asked, error }], quotedAt);
}

describe('format', () => {
  test.each([40, 200])('default: in %i columns', async (columns) => {
    const text = ComparisonText.format(await partly(), { ...plain, width: columns });
    expect(Math.max(...text.split('\n').map(width))).toBeLessThanOrEqual(columns);
    expect(text).toMatchSnapshot();
  });
  test('behavior: thousands are apart where the style has them so', async () => {
    const text = ComparisonText.format(await partly(), { ...plain, number: grouped });
    expect(text).toContain(' 24,348.988437');
    expect(text).toContain('10,000  no quote');
  });
  test('behavior: text of the service cannot control the terminal', () => {
    const made = drawn({ 'beta/usdc': { '1': 5, '2': null } }, 'E\u001b[2J\u202eTH');
    const rows = made.rows.map((row) =>
      row.error ? { ...row, error: { ...row.error, facts: { code: 'X\u001b[2J', message: 'a\rb' } } } : row,
    );
    const text = ComparisonText.format({ ...made, rows }, plain);
    expect(text).toContain('\\x1b[2J');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});
