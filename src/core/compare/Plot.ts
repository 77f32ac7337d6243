/** A chart drawn in terminal cells: dotted lines and one mark per series, readable without color. */

import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import type { Chart, Series } from './Chart.js';
import * as Scale from './Scale.js';

/** The marks of the series; letters follow if there are more. */
const marks = ['●', '▲', '■', '◆', '○', '△', '□', '◇'];
const paints = ['cyan', 'yellow', 'green', 'red', 'bold'] as const;

/** The maximum width: in a wider chart the slopes would be too flat to see. */
const widest = 120;

export function mark(index: number): string {
  return marks[index] ?? String.fromCodePoint(0x61 + ((index - marks.length) % 26));
}

export function paint(index: number, style: Style): Paint {
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

  const canvas = create(columns, height);
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
  const lane = create(Math.min(style.width, widest), 1);
  for (const [index, { gaps }] of chart.series.entries())
    for (const x of gaps) lane.mark([Math.round(column(x)) + gutter + 1, 0], mark(index), paint(index, style));
  lane.fit(0, 'no quote', style.dim);
  return lane.format();
}

type Paint = (text: string) => string;

/** A column and a row, counted from the upper left. */
type Point = readonly [column: number, row: number];

type Cell = { text: string; paint: Paint; kind: 'line' | 'mark' | 'text' };

/** The bits of a braille character, by column and row of its dots. */
const bits = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

export function create(columns: number, rows: number) {
  const cells: (Cell | undefined)[][] = Array.from({ length: rows }, () => Array.from({ length: columns }));
  const at = ([column, row]: Point): Cell | undefined => cells[row]?.[column];
  const isInside = ([column, row]: Point): boolean => column >= 0 && column < columns && row >= 0 && row < rows;
  const isFree = (column: number, row: number, length: number): boolean =>
    Array.from({ length }, (_, i) => at([column + i, row])).every((cell) => cell === undefined);
  const put = ([column, row]: Point, cell: Cell): void => {
    const line = cells[row];
    if (line && column >= 0 && column < columns) line[column] = cell;
  };

  /** A cell has two dots across and four dots down. */
  const dot = (x: number, y: number, paint: Paint): void => {
    const place: Point = [Math.floor(x / 2), Math.floor(y / 4)];
    const before = at(place);
    if (!isInside(place) || (before && before.kind !== 'line')) return;
    const bit = bits[x % 2 === 0 ? 0 : 1][(y % 4) as 0 | 1 | 2 | 3];
    const code = (before?.text.codePointAt(0) ?? 0x2800) | bit;
    put(place, { text: String.fromCodePoint(code), paint: before?.paint ?? paint, kind: 'line' });
  };

  const spell = ([column, row]: Point, text: string, paint: Paint): void => {
    [...text].forEach((character, i) => {
      put([column + i, row], { text: character, paint, kind: 'text' });
    });
  };

  return {
    /** Draws a line between two places, which may be fractional. */
    line(from: Point, to: Point, paint: Paint): void {
      const [x0, y0, x1, y1] = [dots(from[0], 2), dots(from[1], 4), dots(to[0], 2), dots(to[1], 4)];
      const steps = Math.max(1, Math.abs(x1 - x0), Math.abs(y1 - y0));
      for (let step = 0; step <= steps; step++)
        dot(Math.round(x0 + ((x1 - x0) * step) / steps), Math.round(y0 + ((y1 - y0) * step) / steps), paint);
    },
    /** Draws a character at a place, or next to it if another mark is there. Returns the actual place. */
    mark([column, row]: Point, text: string, paint: Paint): Point {
      const beside = [0, 1, -1, 2, -2, 3, -3].map((shift): Point => [column + shift, row]);
      const place = beside.find((each) => isInside(each) && at(each)?.kind !== 'mark') ?? ([column, row] as const);
      put(place, { text, paint, kind: 'mark' });
      return place;
    },
    /** Writes a text next to a mark if there is room. Returns whether there was. */
    write([column, row]: Point, text: string, paint: Paint): boolean {
      const { length } = text;
      const middle = column - Math.floor(length / 2);
      // Above and below, then to the sides, where at least one blank separates the mark from the text.
      const starts: Point[] = [
        [middle, row - 1],
        [middle, row + 1],
        [column + 2, row],
        [column - length - 1, row],
        [column + 1, row - 1],
        [column - length, row - 1],
        [column + 1, row + 1],
        [column - length, row + 1],
      ];
      const start = starts.find(([first, line]) => {
        if (!isInside([first, line]) || !isInside([first + length - 1, line])) return false;
        // One extra cell on each side keeps two texts apart.
        return Array.from({ length: length + 2 }, (_, i) => at([first - 1 + i, line])).every(
          (cell, i) => cell === undefined || (cell.kind === 'mark' && (i === 0 || i === length + 1) && line !== row),
        );
      });
      if (!start) return false;
      spell(start, text, paint);
      return true;
    },
    /** Writes a text in the first free stretch of a row, if any. */
    fit(row: number, text: string, paint: Paint): void {
      const { length } = text;
      const start = Array.from({ length: Math.max(0, columns - length + 1) }, (_, column) => column).find((column) =>
        isFree(column - 1, row, length + 2),
      );
      if (start !== undefined) spell([start, row], text, paint);
    },
    /** The rows as text, without trailing blanks. */
    format: (): string[] => cells.map(formatRow),
  };
}

/** The index of the dot in the middle of a cell. */
function dots(place: number, density: number): number {
  return Math.max(0, Math.round(place * density + (density - 1) / 2));
}

function formatRow(row: readonly (Cell | undefined)[]): string {
  let text = '';
  let blanks = 0;
  for (const cell of row) {
    if (!cell) {
      blanks++;
      continue;
    }
    text += ' '.repeat(blanks) + cell.paint(cell.text);
    blanks = 0;
  }
  return text;
}
