import { expect, test } from 'vitest';
import type { Progress } from '../../../src/core/event/DisplayEvent.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as ProgressBar from '../../../src/core/view/ProgressBar.js';

const progress: Progress = { type: 'progress', what: 'quotes', done: 6, total: 18, failed: 0, elapsedMs: 2000 };

test('default', () => {
  expect(ProgressBar.format(progress, plain)).toBe('━━━━━━━━──────────────── 6 of 18 quotes, about 4 s left');
});
test('behavior: of what is not known to end it tells how many there were', () => {
  const lines = { ...progress, what: 'lines', total: undefined } as const;
  expect(ProgressBar.format(lines, plain)).toBe('6 lines');
  expect(ProgressBar.format({ ...lines, failed: 2 }, plain)).toBe('6 lines, 2 without');
  expect(ProgressBar.format({ ...progress, what: 'lines' }, plain)).toContain('6 of 18 lines');
});
