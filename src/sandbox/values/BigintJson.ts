/** Converts values that contain bigints to plain JSON and back. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * Plain JSON: a bigint becomes `{ "$bigint": "12" }`; undefined properties are dropped. Throws on anything JSON cannot
 * hold.
 */
export function from(value: unknown): JsonValue {
  if (typeof value === 'bigint') return { $bigint: value.toString() };
  if (Array.isArray(value)) return value.map(from);
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).filter(([, field]) => field !== undefined);
    return Object.fromEntries(pairs.map(([key, field]) => [key, from(field)]));
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError(`A ${typeof value} cannot be saved as JSON.`);
}

/** Inverse of `from`. */
export function toValue(json: JsonValue): unknown {
  if (Array.isArray(json)) return json.map(toValue);
  if (typeof json !== 'object' || json === null) return json;
  const pairs = Object.entries(json);
  const [first] = pairs;
  if (first && pairs.length === 1 && first[0] === '$bigint') return BigInt(String(first[1]));
  return Object.fromEntries(pairs.map(([key, field]) => [key, toValue(field)]));
}
