/** `--fields`: selects parts of a JSON document by path. */
import * as z from 'zod/mini';
import { BaseError } from '../base/Errors.js';
import { nearest } from '../text/DidYouMean.js';
import * as TerminalText from '../text/TerminalText.js';

/** Paths of keys from the top. A path through a list applies to each of its members. */
export type Fields = readonly (readonly string[])[];

/**
 * Parses paths such as `requestId,minimum.amount`.
 *
 * @param schema of the document, so an unknown field is reported before the command runs
 * @throws usage.invalid
 */
export function read(text: string, schema: z.ZodMiniType): Fields {
  const top = z.toJSONSchema(schema, { io: 'input' }) as Node;
  return text.split(',').map((each) => {
    const path = each.trim().split('.');
    let nodes: readonly Node[] = [top];
    for (const [index, key] of path.entries()) {
      const known = keysOf(nodes);
      const next = nodes.flatMap((node) => below(node, key));
      if (next.length === 0) throw unknownField(path.slice(0, index + 1), known);
      nodes = next;
    }
    return path;
  });
}

/** Picks the selected fields, in their order. A field that the document does not have is null. */
export function pick(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map((each) => pick(each, fields));
  if (typeof value !== 'object' || value === null) return null;
  const members = new Map(Object.entries(value));
  const keys = new Set(fields.map(([key = '']) => key));
  return Object.fromEntries(
    [...keys].map((key) => {
      const rests = fields.filter(([first]) => first === key).map(([, ...rest]) => rest);
      const member = members.get(key) ?? null;
      return [key, rests.some(({ length }) => length === 0) ? member : pick(member, rests)];
    }),
  );
}

/** The parts of a JSON Schema that describe nesting. */
type Node = {
  properties?: Readonly<Record<string, Node>>;
  additionalProperties?: boolean | Node;
  items?: Node;
  anyOf?: readonly Node[];
};

/** The schemas under a key; several if the document has several forms. */
function below(node: Node, key: string): Node[] {
  if (node.items) return below(node.items, key);
  const here = node.properties && Object.hasOwn(node.properties, key) ? node.properties[key] : undefined;
  const other = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
  const found = here ?? other;
  return [...(found ? [found] : []), ...(node.anyOf ?? []).flatMap((each) => below(each, key))];
}

function keysOf(nodes: readonly Node[]): string[] {
  return nodes.flatMap(({ properties = {}, items, anyOf = [] }) => [
    ...Object.keys(properties),
    ...keysOf([...(items ? [items] : []), ...anyOf]),
  ]);
}

function unknownField(path: readonly string[], known: readonly string[]): BaseError {
  const near = nearest(path.at(-1) ?? '', known);
  const at = path.slice(0, -1).join('.');
  return new BaseError('usage.invalid', `--fields: unknown field "${TerminalText.escape(path.join('.'))}".`, {
    facts:
      known.length > 0
        ? [[at === '' ? 'fields' : `fields of ${TerminalText.escape(at)}`, [...new Set(known)].join(', ')]]
        : [],
    hint: near === undefined ? undefined : `Did you mean ${[...path.slice(0, -1), near].join('.')}?`,
  });
}
