import { expect, test } from 'vitest';
import { local } from '../../../src/core/text/TerminalTime.js';

const now = Date.UTC(2026, 10, 23, 13, 2, 11);
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const at = (minutes: number) =>
  local(
    () => now,
    () => minutes,
  );

test.each([
  [0, 'now'],
  [-900, 'now'],
  [-119 * second, '119 seconds ago'],
  [-121 * second, '2 minutes ago'],
  [-179 * second, '2 minutes ago'],
  [-49 * hour, '2 days ago'],
  [30 * second, 'in 30 seconds'],
])('default: %i ms from now is %s', (distance, words) => {
  expect(at(60).time(now + distance)).toMatch(new RegExp(`\\+01:00, ${words}$`));
});

test.each([
  [330, '2026-11-23 18:32:11 +05:30, now', '2026-11-23 18:32', '18:32:11.000'],
  [-480, '2026-11-23 05:02:11 -08:00, now', '2026-11-23 05:02', '05:02:11.000'],
  [0, '2026-11-23 13:02:11 UTC, now', '2026-11-23 13:02', '13:02:11.000'],
  [-840, '2026-11-22 23:02:11 -14:00, now', '2026-11-22 23:02', '23:02:11.000'],
])('behavior: %i minutes ahead of UTC', (minutes, whole, cell, clock) => {
  const times = at(minutes);
  expect([times.time(now), times.minute(now), times.clock(now), times.zone]).toEqual([whole, cell, clock, 'local']);
});
