/** Tables and labelled rows that fit the terminal: what has no room beside its label or its neighbors goes below them. */
import * as TerminalLine from './TerminalLine.js';
import type { Style } from './TerminalStyle.js';
import * as TerminalText from './TerminalText.js';

export type Table = {
  head?: readonly string[];
  rows: readonly (readonly string[])[];
  /** Indices of the columns to right-align. */
  right?: readonly number[];
};

/** Aligned columns if all of them fit the terminal; else each row flows over as many lines as it needs. */
export function format({ head, rows, right = [] }: Table, style: Style): string {
  const all = [...(head ? [head.map((cell) => style.dim(cell))] : []), ...rows];
  const aligned = TerminalText.columns(all, right);
  const fits = aligned.split('\n').every((line) => TerminalText.width(line) <= style.lineWidth);
  return fits ? aligned : all.map((row) => flow(row, style.lineWidth).join('\n')).join('\n');
}

/** Cells beside each other while they fit, the further lines of a row indented. A cell is broken only at spaces. */
function flow(cells: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const cell of cells) {
    if (TerminalText.width(cell) === 0) continue;
    const last = lines.at(-1);
    const joined = last === undefined ? cell : `${last}  ${cell}`;
    if (TerminalText.width(joined) <= columns) lines.splice(-1, lines.length === 0 ? 0 : 1, joined);
    else if (last === undefined) lines.push(...TerminalLine.fold(cell, columns));
    else lines.push(...TerminalLine.fold(cell, columns - 2).map((line) => `  ${line}`));
  }
  return lines;
}

/** A label, its value, and a note on it. */
export type Row = readonly [label: string, value: string | null | undefined, note?: string | undefined];

/**
 * Labels and their values, aligned; one without a value is left out. A note stands behind its value, or below it if
 * there is no room.
 *
 * @param indent the columns before the labels
 */
export function rows(of: readonly Row[], style: Style, indent = 0): string {
  const given = of.filter(([, value]) => value !== null && value !== undefined);
  const wide = Math.max(0, ...given.map(([label]) => TerminalText.width(label))) + indent + 2;
  return given
    .flatMap(([label, text, note = '']) => {
      const value = text ?? '';
      const head = ' '.repeat(indent) + style.dim(label);
      const beside = note === '' ? value : `${value}  ${style.dim(note)}`;
      if (wide + TerminalText.width(beside) <= style.lineWidth)
        return [`${TerminalText.padEnd(head, wide)}${beside}`.trimEnd()];
      const begun = TerminalLine.hang(head, value, { columns: style.lineWidth, indent: wide });
      const below = TerminalLine.fold(note, Math.max(20, style.lineWidth - wide));
      return [...begun, ...(note === '' ? [] : below.map((line) => `${' '.repeat(wide)}${style.dim(line)}`))];
    })
    .join('\n');
}
