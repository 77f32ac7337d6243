/** Query string values: text on the wire, numbers and booleans internally. */
import * as z from 'zod/mini';
import * as Primitives from './Primitives.js';

/** A safe integer within bounds, in decimal digits on the wire. */
export function integer({ minimum = 0, maximum }: { minimum?: number; maximum?: number } = {}) {
  const within = z.int().check(z.minimum(minimum));
  const bounded = maximum === undefined ? within : within.check(z.maximum(maximum));
  return z.codec(Primitives.digits, bounded, { decode: Number, encode: String });
}

export const flag = z.codec(z.enum(['true', 'false']), z.boolean(), {
  decode: (text) => text === 'true',
  encode: (value) => (value ? 'true' : 'false'),
});

/** A decimal number of US dollars or seconds; kept as text, since floats must not hold money. */
export const decimal = z.string().check(z.regex(/^[0-9]+(\.[0-9]+)?$/));

/** A query as parameters of a URL, in schema order, without absent ones. */
export function params<S extends z.core.$ZodType<unknown, Readonly<Record<string, string | undefined>>>>(
  query: S,
  value: z.output<S>,
): [name: string, value: string][] {
  return Object.entries(z.encode(query, value)).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]));
}
