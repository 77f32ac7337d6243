/** A chart drawn in terminal cells: dotted lines and one mark per series, readable without color. */

import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import * as BrailleCanvas from './BrailleCanvas.js';
import type { Chart, Series } from './Chart.js';
import * as Scale from './Scale.js';

/** The marks of the series; letters follow if there are more. */
const marks = ['●', '▲', '■', '◆', '○', '△', '□', '◇'];
const paints = ['cyan', 'yellow', 'green', 'red', 'bold'] as const;

/** The maximum width: in a wider chart the slopes would be too flat to see. */
const widest = 120;

/** The mark of a series by its index. */
export function mark(index: number): string {
  return marks[index] ?? String.fromCodePoint(0x61 + ((index - marks.length) % 26));
}

/** The color of a series by its index. */
export function paint(index: number, style: Style): BrailleCanvas.Paint {
  return style[paints[index % paints.length] ?? 'bold'];
}

/** The lines of a plot with its axes and, below them, marks for the amounts without a quote. */
export function format(chart: Chart, style: Style): string[] {
  const height = style.width < 70 ? 14 : style.width < widest ? 17 : 20;
  const ticks = Scale.ticks(chart.y, Math.floor(height / 2));
  const gutter = Math.max(...ticks.map(({ label }) => label.length)) + 3;
  const columns = Math.min(style.width, widest) - gutter - 2;
  const row = (y: number): number => (1 - Scale.place(chart.y, y)) * (height - 1);
  const column = (x: number): number => Scale.place(chart.x, x) * (columns - 1);

  const canvas = BrailleCanvas.create(columns, height);
  for (const [index, { points }] of chart.series.entries())
    points.forEach((to, i) => {
      const from = points[i - 1];
      if (from) canvas.line([column(from.x), row(from.y)], [column(to.x), row(to.y)], paint(index, style));
    });
  const placed = chart.series.map(({ points }, index) =>
    points.map((point) => {
      const at = [Math.round(column(point.x)), Math.round(row(point.y))] as const;
      return { point, at: canvas.mark(at, mark(index), paint(index, style)) };
    }),
  );
  for (const series of placed)
    for (const { point, at } of byImportance(series)) canvas.write(at, point.label, style.bold);

  const labels = new Map(ticks.map(({ value, label }) => [Math.round(row(value)), label]));
  const rows = canvas.format().map((line, index) => {
    const label = labels.get(index) ?? '';
    return `${style.dim(`${TerminalText.padStart(label, gutter - 2)} ${label ? '┤' : '│'}`)} ${line}`.trimEnd();
  });
  return [...rows, ...axis(chart, { column, columns, gutter }, style), ...missing(chart, { column, gutter }, style)];
}

/** The points by importance: the ends first, then the lowest. */
function byImportance<T extends { point: Series['points'][number] }>(series: readonly T[]): T[] {
  const lowest = Math.min(...series.map(({ point }) => point.y));
  const weight = (each: T): number =>
    (each === series[0] || each === series.at(-1) ? 2 : 0) + (each.point.y === lowest ? 1 : 0);
  return [...series].sort((a, b) => weight(b) - weight(a));
}

type Frame = { column: (x: number) => number; columns: number; gutter: number };

function axis(chart: Chart, { column, columns, gutter }: Frame, style: Style): string[] {
  const line = Array.from({ length: columns + 1 }, () => '─');
  let labels = '';
  for (const { value, label } of Scale.ticksAt(chart.x, chart.amounts, Math.max(2, Math.floor(columns / 7)))) {
    const at = Math.round(column(value)) + 1;
    line[at] = '┬';
    const start = Math.min(Math.max(0, at - Math.floor((label.length - 1) / 2)), columns + 1 - label.length);
    if (start > labels.length || start === 0) labels = labels.padEnd(start) + label;
  }
  const margin = ' '.repeat(gutter - 1);
  const named = labels.length + chart.unit.length + 1 <= columns + 1 ? `${labels} ${chart.unit}` : labels;
  return [style.dim(`${margin}└${line.join('')}`), style.dim(`${margin} ${named}`.trimEnd())];
}

/** The marks of missing quotes, each below its amount. */
function missing(chart: Chart, { column, gutter }: Omit<Frame, 'columns'>, style: Style): string[] {
  if (chart.series.every(({ gaps }) => gaps.length === 0)) return [];
  const lane = BrailleCanvas.create(Math.min(style.width, widest), 1);
  for (const [index, { gaps }] of chart.series.entries())
    for (const x of gaps) lane.mark([Math.round(column(x)) + gutter + 1, 0], mark(index), paint(index, style));
  lane.fit(0, 'no quote', style.dim);
  return lane.format();
}
