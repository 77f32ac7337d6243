import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as Scale from '../../../src/core/compare/Scale.js';

const labels = (scale: Scale.Scale, most: number): string[] => Scale.ticks(scale, most).map(({ label }) => label);

test.each([
  ['close values', [12, 30], 0],
  ['nothing at all', [0, 0], 0],
  ['a value that is not positive', [0, 5000], 0],
  ['a gain', [-30, 5000], -2000],
])('from: behavior: linear for %s', (_, values, low) => {
  const scale = Scale.from(values);
  expect([scale.kind, scale.low]).toEqual(['linear', low]);
  expect(scale.high).toBeGreaterThan(0);
});

test('place: every value is on the scale, in order', () => {
  const values = fc.array(fc.double({ min: 1e-9, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(values, (all) => {
      for (const scale of [Scale.from(all), Scale.logarithmic(all)]) {
        const places = [...all].sort((a, b) => a - b).map((each) => Scale.place(scale, each));
        expect(places.every((each) => each >= -1e-9 && each <= 1 + 1e-9)).toBe(true);
        expect(places).toEqual([...places].sort((a, b) => a - b));
      }
    }),
  );
});

describe('ticks', () => {
  test.each([
    ['all of 1, 2 and 5', { kind: 'logarithmic', low: 1, high: 20 }, 9, '1 2 5 10 20'],
    ['1 and 3 if those are too many', { kind: 'logarithmic', low: 1, high: 3000 }, 9, '1 3 10 30 100 300 1000 3000'],
    ['powers of ten', { kind: 'logarithmic', low: 0.0001, high: 10_000 }, 9, '0.0001 0.001 0.01 0.1 1 10 100 1000 10k'],
    ['not every power', { kind: 'logarithmic', low: 0.0001, high: 10_000 }, 5, '0.0001 0.01 1 100 10k'],
    ['a linear scale', { kind: 'linear', low: 0, high: 60 }, 5, '0 20 40 60'],
    ['a linear scale with gains', { kind: 'linear', low: -20, high: 40 }, 4, '-20 0 20 40'],
  ] as const)('default: %s', (_, scale, most, expected) => {
    expect(labels(scale, most).join(' ')).toBe(expected);
  });
  test('behavior: never more than requested, on any scale', () => {
    const values = fc.array(fc.double({ min: 1e-9, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(values, fc.integer({ min: 2, max: 12 }), (all, most) => {
        for (const scale of [Scale.from(all), Scale.logarithmic(all)])
          expect(labels(scale, most).length).toBeLessThanOrEqual(most);
      }),
    );
  });
});

test('ticksAt: behavior: round values if they are too close', () => {
  const at = (values: readonly number[], most: number): string =>
    Scale.ticksAt(Scale.logarithmic(values), values, most)
      .map(({ label }) => label)
      .join(' ');
  expect(at([1, 1.01, 99, 100], 5)).toBe('1 3 10 30 100');
});
