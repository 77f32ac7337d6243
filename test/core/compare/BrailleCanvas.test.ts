import { describe, expect, test } from 'vitest';
import * as BrailleCanvas from '../../../src/core/compare/BrailleCanvas.js';

const same = (text: string): string => text;

describe('create', () => {
  test('behavior: a mark hides the line beneath it and no line hides a mark', () => {
    const canvas = BrailleCanvas.create(3, 1);
    canvas.mark([1, 0], '●', same);
    canvas.line([0, 0], [2, 0], same);
    expect(canvas.format()[0]).toMatch(/^.●.$/);
  });
  test('behavior: a text is written above its mark, else below or beside it, else not at all', () => {
    const high = BrailleCanvas.create(9, 3);
    high.mark([4, 1], '●', same);
    expect(high.write([4, 1], '12.5', same)).toBe(true);
    expect(high.write([4, 1], '12.5', same)).toBe(true);
    expect(high.format()).toEqual(['  12.5', '    ●', '  12.5']);
    const flat = BrailleCanvas.create(9, 1);
    flat.mark([1, 0], '●', same);
    expect([flat.write([1, 0], '12.5', same), flat.write([1, 0], '12.5', same)]).toEqual([true, false]);
    expect(flat.format()).toEqual([' ● 12.5']);
  });
});
