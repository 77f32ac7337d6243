/** The shape of a JSON value: its paths and their JSON types. */

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** Path to types. Elements of an array are merged under `[]`: `steps[].items[].data.to`. The top is the empty path. */
export type Shape = ReadonlyMap<string, ReadonlySet<JsonType>>;

/** The shape of one or several values of the same kind, merged. */
export function from(...values: readonly unknown[]): Shape {
  const shape = new Map<string, Set<JsonType>>();
  for (const value of values) collect(value, '', shape);
  return shape;
}

export type Difference = {
  path: string;
  /** The types in the expected shape. */
  expected: readonly JsonType[];
  /** The types in this shape; empty if the path is missing. */
  found: readonly JsonType[];
};

/**
 * Differences of `shape` from `expected`: paths that are missing although their parent exists, and types that are not
 * expected at the path. In both, null matches any type.
 */
export function differences(shape: Shape, expected: Shape): Difference[] {
  const found: Difference[] = [];
  for (const [path, types] of expected) {
    const here = shape.get(path);
    const parent = parentOf(path);
    if (here === undefined) {
      if (parent === undefined || canHold(shape.get(parent), path)) found.push(difference(path, types, []));
    } else if (!isNull(here) && !isNull(types)) {
      const strange = [...here].filter((type) => type !== 'null' && !types.has(type));
      if (strange.length > 0) found.push(difference(path, types, [...here]));
    }
  }
  return found;
}

/** Keeps to `a.b[].c`: a key with a dot or bracket would be ambiguous, and no documented key has one. */
function collect(value: unknown, path: string, shape: Map<string, Set<JsonType>>): void {
  const types = shape.get(path) ?? new Set();
  shape.set(path, types.add(typeOf(value)));
  if (Array.isArray(value)) for (const element of value) collect(element, `${path}[]`, shape);
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) collect(part, path ? `${path}.${key}` : key, shape);
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  if (type === 'boolean' || type === 'number' || type === 'string' || type === 'object') return type;
  throw new TypeError(`${type} is no JSON type`);
}

function parentOf(path: string): string | undefined {
  if (path === '') return undefined;
  if (path.endsWith('[]')) return path.slice(0, -2);
  const dot = path.lastIndexOf('.');
  return dot < 0 ? '' : path.slice(0, dot);
}

/** Whether a value of these types could hold the path: an empty array shows no elements, a null nothing at all. */
function canHold(types: ReadonlySet<JsonType> | undefined, path: string): boolean {
  return types !== undefined && !path.endsWith('[]') && types.has('object');
}

function isNull(types: ReadonlySet<JsonType>): boolean {
  return types.size === 1 && types.has('null');
}

function difference(path: string, expected: ReadonlySet<JsonType>, found: readonly JsonType[]): Difference {
  return { path, expected: [...expected].sort(), found: [...found].sort() };
}
