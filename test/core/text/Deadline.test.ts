import { expect, test } from 'vitest';
import * as Deadline from '../../../src/core/text/Deadline.js';

test('until: the minute by which it has passed, with the day if that is far', () => {
  const now = Date.UTC(2026, 10, 22, 14, 25, 10);
  expect(Deadline.until(now + 6 * 60_000, now)).toBe('14:32Z');
  expect(Deadline.until(now + 24 * 3_600_000, now)).toBe('2026-11-23 14:26Z');
  expect(Deadline.until(Number.POSITIVE_INFINITY, now)).toBeUndefined();
});
