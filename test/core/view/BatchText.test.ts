import { describe, expect, test } from 'vitest';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as BatchText from '../../../src/core/view/BatchText.js';

const result = { command: 'quote', id: '7', digest: '0x', ok: true, data: {}, error: null } as const;
const usdc = (formatted: string, chain: string) => ({ formatted, currency: `${chain}/usdc` });

describe('line', () => {
  test.each([
    [
      { send: usdc('100', 'alpha'), receive: usdc('99.8712345678', 'beta') },
      '✓ 7  100 alpha/usdc → 99.871234 beta/usdc',
    ],
    [{ spent: usdc('1', 'alpha'), received: usdc('0.9', 'beta') }, '✓ 7  1 alpha/usdc → 0.9 beta/usdc'],
    [
      { spent: usdc('1', 'alpha'), received: null, minimum: usdc('0.8', 'beta') },
      '✓ 7  1 alpha/usdc → at least 0.8 beta/usdc',
    ],
    [{ requestId: '0x01' }, '✓ 7'],
  ])('default: %j', (data, expected) => {
    expect(BatchText.line({ ...result, data }, plain)).toBe(expected);
  });

  test('behavior: why there is none; hostile names move no cursor and are cut', () => {
    const error = { code: 'service.refused', message: 'no\u001b[2J' } as never;
    const text = BatchText.line({ ...result, id: `\u001b[31m${'x'.repeat(80)}`, ok: false, data: null, error }, plain);
    expect(text).toMatch(/^✗ \\x1b\[31mx+… {2}service\.refused {2}no\\x1b\[2J$/);
  });
});

const totals = {
  batch: 'b.ndjson',
  out: null,
  succeeded: 3,
  failed: 0,
  before: { succeeded: 0, failed: 0 },
  seconds: 1.26,
  worst: null,
};
test.each([
  [totals, '3 succeeded in 1.3 s'],
  [{ ...totals, failed: 2, out: 'l.ndjson' }, '3 succeeded, 2 failed in 1.3 s\nTheir results are in l.ndjson.'],
  [{ ...totals, before: { succeeded: 4, failed: 1 } }, '3 succeeded, 5 before, 1 of them failed in 1.3 s'],
])('totals: %j', (given, expected) => {
  expect(BatchText.totals(given, plain)).toBe(expected);
});
