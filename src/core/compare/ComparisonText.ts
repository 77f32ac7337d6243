/** Terminal text of a comparison: the plot, and a table of the numbers behind it. */
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import * as Chart from './Chart.js';
import * as Comparison from './Comparison.js';
import * as Plot from './Plot.js';

export function format(comparison: Comparison.Comparison, style: Style): string {
  const { origin, destinations } = comparison;
  const chart = Chart.from(comparison);
  const symbol = shorten(TerminalText.escape(origin.symbol));
  const tables = destinations.flatMap((destination, index) => {
    const rows = Comparison.of(comparison, destination);
    return ['', heading(rows, { origin, destination }, index, style), ...table(rows, { origin, destination }, style)];
  });
  const title = `What it costs to send ${symbol} from ${origin.chain}, in basis points (100 bps = 1%)`;
  return [
    ...TerminalLine.fold(title, style.width).map((line) => style.bold(line)),
    ...(chart ? [...scales(chart, style), '', ...Plot.format(chart, style)] : []),
    ...tables,
    ...footnotes(
      comparison,
      tables.some((line) => line.includes(breakdown)),
      style,
    ),
  ].join('\n');
}

/** The header of the column of bars. */
const breakdown = 'Breakdown';

function scales({ x, y, unit }: Chart.Chart, style: Style): string[] {
  const both = x.kind === y.kind;
  const how = both ? 'both axes logarithmic' : 'amounts on a logarithmic axis';
  return TerminalLine.fold(`bps over ${unit}, ${how}`, style.width).map((line) => style.dim(line));
}

/** The mark, the destination, and the amount at which it is cheapest. */
function heading(rows: readonly Comparison.Row[], { origin, destination }: Sides, index: number, style: Style): string {
  const best = cheapest(rows);
  const pieces: TerminalLine.Piece[] = [
    [Plot.mark(index), Plot.paint(index, style)],
    [` to ${destination.currency}`, style.bold],
    ...(best && rows.length > 1
      ? ([
          [
            `  cheapest at ${style.number(Amount.shorten(best.send.formatted))} ${shorten(TerminalText.escape(origin.symbol))}: ${best.quote?.cost.bps} bps`,
            style.dim,
          ],
        ] as const)
      : []),
  ];
  return TerminalLine.fit(TerminalLine.format(pieces, Number.POSITIVE_INFINITY), style.width);
}

/** The row with the lowest cost relative to its amount. */
function cheapest(rows: readonly Comparison.Row[]): Comparison.Row | undefined {
  const part = ({ quote }: Comparison.Row): [bigint, bigint] => [
    Usd.from(quote?.cost.usd ?? '') ?? 0n,
    Usd.from(quote?.send.usd ?? '') ?? 0n,
  ];
  return rows
    .filter(({ quote }) => quote?.cost.bps)
    .reduce<Comparison.Row | undefined>((best, row) => {
      if (!best) return row;
      const [[a, ofA], [b, ofB]] = [part(row), part(best)];
      return a * ofB < b * ofA ? row : best;
    }, undefined);
}

type Sides = Pick<Comparison.Comparison, 'origin'> & { destination: Comparison.Comparison['origin'] };
type Column = { head: string; left?: boolean; of(quote: Comparison.Priced): string };

/** The rows of one destination, with as many columns as fit the terminal. */
function table(rows: readonly Comparison.Row[], { origin, destination }: Sides, style: Style): string[] {
  const quotes = rows.flatMap(({ quote }) => quote ?? []);
  const base: Column[] = [
    { head: 'Cost', of: ({ cost }) => style.number(Usd.shown(cost.usd)) },
    { head: 'bps', of: ({ cost }) => cost.bps ?? '' },
  ];
  const parts = components.filter(({ always, of }) => always || quotes.some((quote) => !isNothing(of(quote))));
  const partColumns = parts.map(
    ({ head, of }): Column => ({
      head: headOf(head, quotes),
      of: (quote) => of(quote)?.bps ?? '',
    }),
  );
  const least: Column = {
    head: `${shorten(TerminalText.escape(destination.symbol))} minimum`,
    of: ({ minimum }) => style.number(Amount.shorten(minimum.formatted)),
  };
  const bar = (columns: number): Column => ({
    head: breakdown,
    left: true,
    of: (quote) => bars(quote, columns, style),
  });
  const choices = [
    [...base, bar(24), ...partColumns, least],
    [...base, bar(12), ...partColumns, least],
    [...base, ...partColumns, least],
    [...base, bar(12), least],
    [...base, least],
    base,
  ];
  const lines = choices.map((columns) => lay(rows, shorten(TerminalText.escape(origin.symbol)), columns, style));
  const fitting = lines.find((each) => each.every((line) => TerminalText.width(line) <= style.width));
  return fitting ?? lines.at(-1) ?? [];
}

const components: readonly {
  head: string;
  always?: boolean;
  mark?: string;
  of(quote: Comparison.Priced): Comparison.Cost | null;
}[] = [
  { head: 'Execution', always: true, mark: '░', of: ({ fees }) => fees.execution },
  { head: 'Swap', always: true, mark: '█', of: ({ fees }) => fees.swap },
  { head: 'Platform', always: true, mark: '▒', of: ({ fees }) => fees.platform },
  { head: 'App', mark: '▞', of: ({ fees }) => fees.app },
  { head: 'Sponsored', of: ({ fees }) => fees.sponsored },
  { head: 'Gas', mark: '·', of: ({ outside }) => outside },
];

/** What a withdrawal costs outside the fees is the venue's. */
function headOf(head: string, quotes: readonly Comparison.Priced[]): string {
  return head === 'Gas' && quotes.some(({ outside }) => outside?.takenBy === 'venue') ? 'Venue' : head;
}

function lay(rows: readonly Comparison.Row[], unit: string, columns: readonly Column[], style: Style): string[] {
  const right = [0, ...columns.flatMap(({ left }, index) => (left ? [] : [index + 1]))];
  const cells = rows.map(({ send, quote }) => [
    style.number(Amount.shorten(send.formatted)),
    ...(quote ? columns.map(({ of }) => of(quote)) : []),
  ]);
  const [head = '', ...lines] = TerminalText.columns([[unit, ...columns.map((each) => each.head)], ...cells], right)
    .split('\n')
    .map((line) => `  ${line}`);
  const wide = Math.max(TerminalText.width(unit), ...cells.map(([amount = '']) => TerminalText.width(amount))) + 4;
  return [
    style.dim(head),
    ...lines.flatMap((line, index) => {
      const error = rows[index]?.error;
      if (!error) return [line];
      const why = TerminalLine.fold(reason(error), Math.max(20, style.width - wide));
      return why.map((each, i) => (i === 0 ? `${line}  ` : ' '.repeat(wide)) + style.yellow(each));
    }),
  ];
}

/** Why there is no quote: the service's message, else ferry's own. */
function reason({ message, facts }: NonNullable<Comparison.Row['error']>): string {
  const stated = [facts.code, facts.message].filter((each) => each !== undefined && each !== '');
  return TerminalText.escape(`no quote: ${stated.length > 0 ? stated.join(', ') : message}`);
}

/** The parts of the cost as a bar, each as long as its share. */
function bars(quote: Comparison.Priced, columns: number, style: Style): string {
  const parts = components.flatMap(({ mark, of }) => {
    const size = Usd.from(of(quote)?.usd ?? '0') ?? 0n;
    return mark && size > 0n ? [{ mark, size }] : [];
  });
  const whole = parts.reduce((sum, { size }) => sum + size, 0n);
  if (whole === 0n) return '';
  // Rounding the ends instead of the lengths makes the lengths add up to the whole.
  let sum = 0n;
  let text = '';
  for (const { mark, size } of parts) {
    sum += size;
    text += mark.repeat(Number((sum * BigInt(columns) * 2n + whole) / (whole * 2n)) - text.length);
  }
  return style.cyan(text);
}

function footnotes({ rows }: Comparison.Comparison, hasBars: boolean, style: Style): string[] {
  const quotes = rows.flatMap(({ quote }) => quote ?? []);
  if (quotes.length === 0) return [];
  const outside = quotes.some((quote) => !isNothing(quote.outside));
  const used = components.filter(({ mark, of }) => mark && quotes.some((quote) => !isNothing(of(quote))));
  const texts = [
    `Cost includes all fees${outside ? ' and the costs outside them' : ''}, at the service’s prices.`,
    ...(hasBars
      ? [`${breakdown}: ${used.map(({ mark, head }) => `${mark} ${headOf(head, quotes).toLowerCase()}`).join('  ')}`]
      : []),
  ];
  return ['', ...texts.flatMap((text) => TerminalLine.fold(text, style.width)).map((line) => style.dim(line))];
}

function isNothing(cost: Comparison.Cost | null): boolean {
  return cost === null || Usd.from(cost.usd) === 0n;
}

function shorten(symbol: string): string {
  return TerminalLine.cut(symbol, 12);
}
