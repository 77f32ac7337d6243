/** A comparison as a chart: cost in basis points over the amount. Floats are only used for drawing. */

import * as Usd from '../base/Usd.js';
import * as TerminalText from '../text/TerminalText.js';
import * as Comparison from './Comparison.js';
import * as Scale from './Scale.js';

export type Chart = {
  /** The symbol of the input token. */
  unit: string;
  /** All amounts, with and without a quote. */
  amounts: readonly number[];
  x: Scale.Scale;
  y: Scale.Scale;
  /** One per destination. */
  series: readonly Series[];
  /** The parts of the cost if there is a single destination, else empty. */
  parts: readonly Series[];
};

export type Series = {
  name: string;
  /** From left to right. */
  points: readonly Point[];
  /** The amounts without a quote. */
  gaps: readonly number[];
};

export type Point = {
  x: number;
  y: number;
  /** The cost as printed: basis points with one decimal. */
  label: string;
  /** The amount and the cost in dollars, as printed. */
  amount: string;
  usd: string;
};

/** The chart; undefined if no row has a cost in basis points. */
export function from(comparison: Comparison.Comparison): Chart | undefined {
  const { origin, destinations, rows } = comparison;
  const series = destinations.map(
    (each): Series => ({
      name: shorten(each.currency),
      points: points(Comparison.of(comparison, each), ({ cost }) => cost),
      gaps: Comparison.of(comparison, each)
        .filter(({ quote }) => quote?.cost.bps === undefined || quote.cost.bps === null)
        .map(({ send }) => Number(send.formatted)),
    }),
  );
  const costs = series.flatMap((each) => each.points.map(({ y }) => y));
  if (costs.length === 0) return undefined;
  const amounts = rows.map(({ send }) => Number(send.formatted));
  return {
    unit: shorten(TerminalText.escape(origin.symbol)),
    amounts,
    x: Scale.logarithmic(amounts),
    y: Scale.from(costs),
    series,
    parts: destinations.length === 1 ? parts(rows) : [],
  };
}

const components = [
  ['Execution', ({ fees }) => fees.execution],
  ['Swap', ({ fees }) => fees.swap],
  ['Platform', ({ fees }) => fees.platform],
  ['App', ({ fees }) => fees.app],
] as const satisfies readonly (readonly [string, (quote: Comparison.Priced) => Comparison.Cost | null])[];

function parts(rows: readonly Comparison.Row[]): Series[] {
  const isVenue = rows.some(({ quote }) => quote?.outside?.takenBy === 'venue');
  return [...components, [isVenue ? 'Venue fee' : 'Gas', ({ outside }: Comparison.Priced) => outside] as const]
    .map(([name, of]): Series => ({ name, points: points(rows, of), gaps: [] }))
    .filter(({ points: all }) => all.some(({ y }) => y > 0));
}

function points(rows: readonly Comparison.Row[], of: (quote: Comparison.Priced) => Comparison.Cost | null): Point[] {
  return rows.flatMap(({ quote, send }): Point[] => {
    const cost = quote && of(quote);
    if (!quote || !cost || cost.bps === null) return [];
    const [part, whole] = [Usd.from(cost.usd) ?? 0n, Usd.from(quote.send.usd) ?? 1n];
    return [
      {
        x: Number(send.formatted),
        // More precise than the printed tenths, which would draw small costs as steps.
        y: (Number(part) / Number(whole)) * 10_000,
        label: cost.bps,
        amount: send.formatted,
        usd: Usd.format(part),
      },
    ];
  });
}

/** Shortens addresses and long symbols to 22 characters by cutting out the middle. */
export function shorten(name: string): string {
  const characters = [...name];
  return characters.length <= 24 ? name : `${characters.slice(0, 15).join('')}…${characters.slice(-6).join('')}`;
}
