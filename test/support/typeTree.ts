/**
 * Types as values, read from a declaration that was generated from an OpenAPI document: objects, arrays, unions and
 * literals. Tells what of a type is in no value.
 */

export type Tree =
  | { kind: 'object'; fields: ReadonlyMap<string, { isOptional: boolean; type: Tree }> }
  | { kind: 'array'; of: Tree }
  | { kind: 'union'; of: readonly Tree[] }
  | { kind: 'literal'; value: string }
  /** `string`, `unknown` and other names. */
  | { kind: 'name'; name: string };

/** The body of an interface in the text of a declaration. */
export function fromInterface(text: string, name: string): Tree {
  const from = text.indexOf(`interface ${name} {`);
  if (from < 0) throw new Error(`There is no interface ${name}.`);
  return parse(text.slice(text.indexOf('{', from)));
}

/** The type at the keys; arrays have the key `[]`. */
export function at(tree: Tree, ...keys: readonly string[]): Tree {
  const [key, ...rest] = keys;
  if (key === undefined) return tree;
  const part = membersOf(tree).find((each) => each.kind === 'array' || each.kind === 'object');
  const found = part?.kind === 'array' ? part.of : part?.kind === 'object' ? part.fields.get(key)?.type : undefined;
  if (!found) throw new Error(`The type has no ${key}.`);
  return at(found, ...rest);
}

/**
 * What of the type is in none of the values: paths of fields, and `path: value` for literals, or of many literals those
 * that are. What is within something that is nowhere is left out.
 */
export function absent(tree: Tree, values: readonly unknown[], path = ''): string[] {
  const members = membersOf(tree);
  const literals = members.flatMap((each) => (each.kind === 'literal' ? [each.value] : []));
  const found: string[] = [];
  if (literals.length > 1) {
    const [present, missing] = [true, false].map((is) => literals.filter((each) => values.includes(each) === is));
    if ((missing?.length ?? 0) > 3) found.push(`${path}: all but ${present?.join(', ')}`);
    else found.push(...(missing ?? []).map((each) => `${path}: ${each}`));
  }
  const arrays = values.filter(Array.isArray);
  const elements = members.find((each) => each.kind === 'array');
  if (elements) found.push(...absent(elements.of, arrays.flat(), `${path}[]`));
  const objects = values.filter(isRecord);
  for (const [key, type] of fieldsOf(members)) {
    const inside = objects.filter((each) => Object.hasOwn(each, key)).map((each) => each[key]);
    const place = path ? `${path}.${key}` : key;
    if (inside.length === 0) found.push(place);
    else found.push(...absent(type, inside, place));
  }
  return found;
}

function membersOf(tree: Tree): readonly Tree[] {
  return tree.kind === 'union' ? tree.of.flatMap(membersOf) : [tree];
}

/** The fields of all objects of a union; the first type of a name counts. */
function fieldsOf(members: readonly Tree[]): [string, Tree][] {
  const fields = new Map<string, Tree>();
  for (const each of members)
    if (each.kind === 'object') for (const [key, { type }] of each.fields) fields.set(key, fields.get(key) ?? type);
  return [...fields];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): Tree {
  const tokens = text.replace(/\/\*[\s\S]*?\*\//g, '').match(/"(?:[^"\\]|\\.)*"|[A-Za-z_$][\w$]*|\d+|[^\s\w]/g) ?? [];
  let next = 0;
  const peek = (): string => tokens[next] ?? '';
  const take = (): string => tokens[next++] ?? '';
  const expect = (...wanted: readonly string[]): void => {
    for (const each of wanted) {
      const found = take();
      if (found !== each)
        throw new Error(`${each} is expected where ${found} is: ${tokens.slice(next - 9, next + 9).join(' ')}`);
    }
  };
  const nameOf = (token: string): string => (token.startsWith('"') ? (JSON.parse(token) as string) : token);

  function type(): Tree {
    const of = [postfix()];
    while (peek() === '|') {
      take();
      of.push(postfix());
    }
    return of.length === 1 && of[0] ? of[0] : { kind: 'union', of };
  }

  function postfix(): Tree {
    let tree = primary();
    while (peek() === '[') {
      expect('[', ']');
      tree = { kind: 'array', of: tree };
    }
    return tree;
  }

  function primary(): Tree {
    const token = take();
    if (token === '{') return object();
    if (token === '(') {
      const inner = type();
      expect(')');
      return inner;
    }
    if (token.startsWith('"')) return { kind: 'literal', value: nameOf(token) };
    if (peek() === '<') while (take() !== '>');
    return { kind: 'name', name: token };
  }

  function object(): Tree {
    const fields = new Map<string, { isOptional: boolean; type: Tree }>();
    while (peek() !== '}') {
      if (peek() === '[') {
        // An index signature.
        while (take() !== ']');
        expect(':');
        type();
      } else {
        const name = nameOf(take());
        const isOptional = peek() === '?';
        if (isOptional) take();
        expect(':');
        fields.set(name, { isOptional, type: type() });
      }
      expect(';');
    }
    expect('}');
    return { kind: 'object', fields };
  }

  return type();
}
