/** A stacked bar of characters that shows the parts of a whole. */
import type { Style } from '../text/TerminalStyle.js';

export type Segment = {
  mark: string;
  size: bigint;
  paint: keyof Pick<Style, 'cyan' | 'yellow' | 'green' | 'red' | 'bold'>;
};

/** Segments as long as their share of the whole, at least one column each; empty if all are zero. */
export function format(segments: readonly Segment[], columns: number, style: Style): string {
  const shown = segments.filter(({ size }) => size > 0n);
  return shown.map(({ mark, paint }, i) => style[paint](mark.repeat(lengths(shown, columns)[i] ?? 0))).join('');
}

/** The width of each segment in columns. They add up to `columns`; the largest segment takes the remainder. */
function lengths(segments: readonly Segment[], columns: number): number[] {
  const whole = segments.reduce((sum, { size }) => sum + size, 0n);
  const all = segments.map(({ size }) => Math.max(1, Number((size * BigInt(columns)) / whole)));
  const largest = segments.reduce((best, { size }, i) => (size > (segments[best]?.size ?? 0n) ? i : best), 0);
  const left = columns - all.reduce((sum, each) => sum + each, 0);
  return all.map((each, i) => (i === largest ? each + left : each));
}
