/** Linear and logarithmic scales that map values to positions between 0 and 1, with ticks at round values. */

export type Scale = { kind: 'linear' | 'logarithmic'; low: number; high: number };

export type Tick = { value: number; label: string };

/** From this ratio of the largest to the smallest value on, a linear scale would hide the small ones. */
const manifold = 10;

/** The minimum span of a linear scale, so that tiny differences are not exaggerated. */
const narrowest = 0.5;

/** A logarithmic scale from the smallest to the largest of positive values; a single value is centered. */
export function logarithmic(values: readonly number[]): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? { kind: 'logarithmic', low: low / 4, high: high * 4 } : { kind: 'logarithmic', low, high };
}

/** The scale that best shows the differences: logarithmic if the values are positive and span a power of ten. */
export function from(values: readonly number[]): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  // A margin on both ends keeps lines off the edge.
  if (least > 0 && most / least >= manifold) return { kind: 'logarithmic', low: least / 1.25, high: most * 1.25 };
  const step = stepOf(Math.max(narrowest, Math.max(most, 0) - Math.min(least, 0)), 4);
  return {
    kind: 'linear',
    low: least < 0 ? Math.floor(least / step) * step : 0,
    high: most > 0 ? Math.ceil(most / step) * step : least < 0 ? 0 : step,
  };
}

/** The position of a value: 0 at the low end, 1 at the high end, beyond them for values outside. */
export function place({ kind, low, high }: Scale, value: number): number {
  if (kind === 'linear') return (value - low) / (high - low);
  return Math.log(value / low) / Math.log(high / low);
}

/** At most `most` ticks at round values, ascending. */
export function ticks(scale: Scale, most: number): Tick[] {
  if (scale.kind === 'linear') return linearTicks(scale, most);
  for (const mantissas of [[1, 2, 5], [1, 3], [1]]) {
    const found = logarithmicTicks(scale, mantissas);
    if (found.length <= most) return found;
  }
  const powers = logarithmicTicks(scale, [1]);
  const every = Math.ceil(powers.length / Math.max(1, most));
  return powers.filter((_, index) => index % every === 0);
}

/** Ticks at the values themselves if there is room, else at most `most` ticks at round values. */
export function ticksAt(scale: Scale, values: readonly number[], most: number): Tick[] {
  const own = [...new Set(values)].sort((a, b) => a - b);
  const gaps = own.slice(1).map((value, index) => place(scale, value) - place(scale, own[index] ?? value));
  const fit = own.length <= most && gaps.every((gap) => gap >= 1 / most);
  const round = ticks(scale, most);
  const chosen = fit ? own : round.length > 1 ? undefined : [scale.low, scale.high];
  return chosen?.map((value) => ({ value, label: label(value) })) ?? round;
}

/** A number as an axis label: `0.001`, `50`, `20k`, `1M`. */
export function label(value: number): string {
  const size = Math.abs(value);
  for (const [unit, letter] of units)
    if (size >= unit && (unit > 1e3 || size >= 1e4)) return `${plain(value / unit)}${letter}`;
  return plain(value);
}

const units = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** Uses an exponent only if the plain form would be long. */
function plain(value: number): string {
  const rounded = Number(value.toPrecision(6));
  const size = Math.abs(rounded);
  if (size === 0 || (size >= 1e-5 && size < 1e12)) return rounded.toFixed(size >= 1 ? 4 : 10).replace(/\.?0+$/, '');
  return rounded.toExponential();
}

function logarithmicTicks({ low, high }: Scale, mantissas: readonly number[]): Tick[] {
  const found: Tick[] = [];
  for (let power = Math.floor(Math.log10(low)) - 1; power <= Math.ceil(Math.log10(high)); power++)
    for (const mantissa of mantissas) {
      const value = Number(`${mantissa}e${power}`);
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) found.push({ value, label: label(value) });
    }
  return found;
}

function linearTicks({ low, high }: Scale, most: number): Tick[] {
  const step = stepOf(high - low, Math.max(1, most - 1));
  const found: Tick[] = [];
  for (let index = Math.ceil(low / step - 1e-9); index * step <= high * (1 + 1e-9); index++) {
    const value = Number((index * step).toPrecision(12));
    found.push({ value, label: label(value) });
  }
  return found;
}

/** A round step, of …, 1, 2, 5, 10, …, that divides a span into at most `most` steps. */
function stepOf(span: number, most: number): number {
  const value = span / most;
  const power = Math.floor(Math.log10(value));
  const found = [1, 2, 5, 10, 20].find((mantissa) => Number(`${mantissa}e${power}`) >= value * (1 - 1e-9)) ?? 10;
  return Number(`${found}e${power}`);
}
