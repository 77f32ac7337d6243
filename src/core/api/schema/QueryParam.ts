/** Values of a query string: text on the wire, numbers and booleans inside. */
import * as z from 'zod/mini';
import * as Primitives from './Primitives.js';

/** A whole number that a JavaScript number holds exactly, within bounds, written in digits. */
export function integer({ minimum = 0, maximum }: { minimum?: number; maximum?: number } = {}) {
  const within = z.int().check(z.minimum(minimum));
  const bounded = maximum === undefined ? within : within.check(z.maximum(maximum));
  return z.codec(Primitives.digits, bounded, { decode: Number, encode: String });
}

/** `true` or `false`. */
export const flag = z.codec(z.enum(['true', 'false']), z.boolean(), {
  decode: (text) => text === 'true',
  encode: (value) => (value ? 'true' : 'false'),
});

/** A decimal of US dollars or seconds; kept as text, since no float holds money. */
export const decimal = z.string().check(z.regex(/^[0-9]+(\.[0-9]+)?$/));

/** The parameters of a query in the schema's order, absent ones left out. */
export function params(wire: Readonly<Record<string, string | undefined>>): [name: string, value: string][] {
  return Object.entries(wire).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}
