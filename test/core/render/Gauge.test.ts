import { describe, expect, test } from 'vitest';
import * as Gauge from '../../../src/core/render/Gauge.js';
import { plain } from '../../../src/core/render/Style.js';
import { width } from '../../../src/core/render/Text.js';

const counted = { type: 'counted', done: 6, total: 18, failed: 0, elapsedMs: 2000 };

describe('format', () => {
  test('default', () => {
    expect(Gauge.format(counted, plain)).toBe('━━━━━━━━──────────────── 6 of 18 quotes, about 4 s left');
  });
  test('behavior: those that failed are counted', () => {
    expect(Gauge.format({ ...counted, done: 18, failed: 2 }, plain)).toMatch(/^━{24} 18 of 18 quotes, 2 without$/);
  });
  test('behavior: at the beginning nothing is foretold', () => {
    expect(Gauge.format({ ...counted, done: 0, elapsedMs: 0 }, plain)).toMatch(/^─{24} 0 of 18 quotes$/);
  });
  test('behavior: leaves room for the spinner in 60 columns', () => {
    const text = Gauge.format({ ...counted, done: 60, total: 180, failed: 10 }, { ...plain, width: 60 }) ?? '';
    expect(width(text)).toBeLessThanOrEqual(58);
  });
  test('behavior: of what is not known to end it tells how many there were', () => {
    const lines = { ...counted, what: 'lines', total: undefined };
    expect(Gauge.format(lines, plain)).toBe('6 lines');
    expect(Gauge.format({ ...lines, failed: 2 }, plain)).toBe('6 lines, 2 without');
    expect(Gauge.format({ ...counted, what: 'lines' }, plain)).toContain('6 of 18 lines');
  });
  test('behavior: other events', () => {
    expect(Gauge.format({ type: 'quoted' }, plain)).toBeUndefined();
  });
});
