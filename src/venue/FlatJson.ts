/**
 * JSON of the one form that the venue's transactions have: an object of texts, whole numbers, lists of whole numbers and
 * nulls. `JSON.parse` would round numbers beyond 2^53 and let the last of two equal keys win.
 */
import { BaseError } from '../core/base/Errors.js';

export type Value = bigint | string | null | readonly bigint[];

const space = '[ \\t\\r\\n]*';
const text = '"(?:[^"\\\\]|\\\\.)*"';
const integer = '-?(?:0|[1-9][0-9]*)';
const list = `\\[${space}(?:${integer}(?:${space},${space}${integer})*)?${space}\\]`;

/** One member after another: its key, its value and what follows. */
const key = `${space}(${text})${space}:${space}`;
const value = `(null|${text}|${integer}|${list})${space}([,}])`;

/**
 * The members by their keys, in the text's order.
 *
 * @throws sign.failed where it is no such object or a key is there twice. Nothing of the text is shown but the key.
 */
export function from(json: string): Map<string, Value> {
  const members = new Map<string, Value>();
  let at = matchAt(json, `${space}\\{`, 0)?.end;
  let separator = ',';
  while (separator === ',') {
    const name = matchAt(json, key, at);
    const member = matchAt(json, value, name?.end);
    const field = name && textOf(name.groups[0]);
    if (field === undefined) throw new JsonError('it is not an object of single values');
    const found = member && read(member.groups[0] ?? '');
    if (found === undefined) throw new JsonError('its value is no text, whole number, list of those or null', field);
    if (members.has(field)) throw new JsonError('it is there twice', field);
    members.set(field, found);
    separator = member?.groups[1] ?? '';
    at = member?.end;
  }
  if (at === undefined || json.slice(at).trim() !== '') throw new JsonError('something follows the object');
  return members;
}

function matchAt(json: string, pattern: string, at: number | undefined) {
  if (at === undefined) return undefined;
  const expression = new RegExp(pattern, 'y');
  expression.lastIndex = at;
  const match = expression.exec(json);
  return match ? { groups: match.slice(1), end: expression.lastIndex } : undefined;
}

function read(token: string): Value | undefined {
  if (token === 'null') return null;
  if (token.startsWith('"')) return textOf(token);
  if (!token.startsWith('[')) return BigInt(token);
  return [...token.matchAll(new RegExp(integer, 'g'))].map(([each]) => BigInt(each));
}

/** Undefined where the text holds what JSON does not allow in one. */
function textOf(token = ''): string | undefined {
  try {
    return JSON.parse(token);
  } catch {
    return undefined;
  }
}

export class JsonError extends BaseError {
  override name = 'JsonError';
  constructor(reason: string, field?: string) {
    super('sign.failed', 'What was signed cannot be read.', {
      facts: [...(field === undefined ? [] : [['field', field.slice(0, 70)] as const]), ['reason', reason]],
    });
  }
}
