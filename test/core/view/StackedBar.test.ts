import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as StackedBar from '../../../src/core/view/StackedBar.js';

const segment = (mark: string, size: bigint): StackedBar.Segment => ({ mark, size, paint: 'bold' });

describe('format', () => {
  test('default: segments as long as their share', () => {
    expect(StackedBar.format([segment('#', 50n), segment('=', 25n), segment('+', 25n)], 8, plain)).toBe('####==++');
  });
  test('behavior: the smallest part is visible', () => {
    expect(StackedBar.format([segment('#', 1_000_000n), segment('=', 1n)], 10, plain)).toBe('#########=');
  });
  test('behavior: zero parts are left out', () => {
    expect(StackedBar.format([segment('#', 0n), segment('=', -5n)], 10, plain)).toBe('');
  });
  test('behavior: painted, and always of the full length', () => {
    const style = { ...plain, bold: (text: string) => `<${text}>` };
    expect(StackedBar.format([segment('#', 1n)], 3, style)).toBe('<###>');
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, 10n ** 30n), { minLength: 1, maxLength: 8 }), (sizes) => {
        const text = StackedBar.format(
          sizes.map((size) => segment('#', size)),
          58,
          plain,
        );
        expect(text).toHaveLength(58);
      }),
    );
  });
});
