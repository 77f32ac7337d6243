import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as LabelPlacement from '../../../src/core/compare/LabelPlacement.js';

const frame = { left: 0, right: 800, top: 0, bottom: 400 };
const radius = 5;

describe('place', () => {
  test('default: above the mark', () => {
    const [label] = LabelPlacement.place([{ x: 100, y: 100, text: '12.5' }], { lines: [], radius, frame });
    expect([label?.x, label && label.y < 95]).toEqual([100, true]);
  });
  test('behavior: where no line crosses', () => {
    const lines = [
      [
        { x: 100, y: 0 },
        { x: 100, y: 100 },
      ],
    ];
    const [label] = LabelPlacement.place([{ x: 100, y: 100, text: '12.5' }], { lines, radius, frame });
    expect(label && label.y > 105).toBe(true);
  });
  test('behavior: no label covers another, a mark or the edge, wherever the marks are', () => {
    const spot = fc.record({ x: fc.integer({ min: 0, max: 800 }), y: fc.integer({ min: 0, max: 400 }) });
    fc.assert(
      fc.property(fc.array(spot, { maxLength: 60 }), (spots) => {
        const wanted = spots.map((each) => ({ ...each, text: '1234.5' }));
        const boxes = LabelPlacement.place(wanted, { lines: [spots], radius, frame }).map(LabelPlacement.boxOf);
        for (const [index, box] of boxes.entries()) {
          expect(boxes.slice(index + 1).some((other) => LabelPlacement.overlaps(box, other))).toBe(false);
          expect([box.left >= 0, box.right <= 800, box.top >= 0, box.bottom <= 400]).not.toContain(false);
          const point = { left: 0, right: 0, top: 0, bottom: 0 };
          const covers = spots.some(({ x, y }) =>
            LabelPlacement.overlaps(box, { ...point, left: x, right: x, top: y, bottom: y }),
          );
          expect(covers).toBe(false);
        }
      }),
    );
  });
});

test('dodge: behavior: next to a mark at the same place', () => {
  expect(LabelPlacement.dodge({ x: 10, y: 10 }, [{ x: 10, y: 11 }], radius)).toBe(21);
  expect(
    LabelPlacement.dodge(
      { x: 10, y: 10 },
      [
        { x: 10, y: 10 },
        { x: 21, y: 10 },
      ],
      radius,
    ),
  ).toBe(-1);
});
