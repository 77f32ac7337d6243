/** Schema decoding helpers for tests. */
import type * as z from 'zod/mini';
import * as Decode from '../../src/core/api/schema/Decode.js';

/** The decoding problems of a value, one line each; empty if it decodes. */
export function problems(schema: z.core.$ZodType, value: unknown): string[] {
  const decoding = Decode.from(schema, value);
  return decoding.ok ? [] : decoding.problems.map(Decode.format);
}

/** The decoded value. @throws with the problems */
export function decode<S extends z.core.$ZodType>(schema: S, value: unknown): z.core.output<S> {
  const decoding = Decode.from(schema, value);
  if (!decoding.ok) throw new Error(decoding.problems.map(Decode.format).join('\n'));
  return decoding.value;
}

/** A copy of a JSON value with an extra key in every object, except those under the given keys. */
export function withUnknownFields(value: unknown, except: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((part) => withUnknownFields(part, except));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([key, part]) => [
    key,
    except.includes(key) ? part : withUnknownFields(part, except),
  ]);
  return { ...Object.fromEntries(parts), aFieldOfTomorrow: { of: 'any type' } };
}

/** A copy of an object without one key. */
export function without<T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> {
  const { [key]: _, ...rest } = value;
  return rest;
}
