/**
 * A strict parser for the JSON of the venue's transactions: a flat object of strings, integers, lists of integers and
 * nulls. `JSON.parse` would round integers beyond 2^53 and accept duplicate keys.
 */
import { BaseError } from '../core/base/Errors.js';

export type Value = bigint | string | null | readonly bigint[];

const space = '[ \\t\\r\\n]*';
const text = '"(?:[^"\\\\]|\\\\.)*"';
const integer = '-?(?:0|[1-9][0-9]*)';
const list = `\\[${space}(?:${integer}(?:${space},${space}${integer})*)?${space}\\]`;

/** A member: its key, its value and the following separator. */
const key = `${space}(${text})${space}:${space}`;
const value = `(null|${text}|${integer}|${list})${space}([,}])`;

/**
 * Parses an object into a map in text order.
 *
 * @throws sign.failed if it is not such an object or has a duplicate key; the error reveals only the key
 */
export function from(json: string): Map<string, Value> {
  const members = new Map<string, Value>();
  let at = matchAt(json, `${space}\\{`, 0)?.end;
  let separator = ',';
  while (separator === ',') {
    const name = matchAt(json, key, at);
    const member = matchAt(json, value, name?.end);
    const field = name && textOf(name.groups[0]);
    if (field === undefined) throw jsonError('it is not a flat object');
    const found = member && read(member.groups[0] ?? '');
    if (found === undefined)
      throw jsonError('its value is not a string, an integer, a list of integers or null', field);
    if (members.has(field)) throw jsonError('it is duplicated', field);
    members.set(field, found);
    separator = member?.groups[1] ?? '';
    at = member?.end;
  }
  if (at === undefined || json.slice(at).trim() !== '') throw jsonError('there is text after the object');
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

/** Undefined if the token is not a valid JSON string. */
function textOf(token = ''): string | undefined {
  try {
    return JSON.parse(token);
  } catch {
    return undefined;
  }
}

function jsonError(reason: string, field?: string): BaseError {
  return new BaseError('sign.failed', 'The signed transaction cannot be parsed.', {
    facts: [...(field === undefined ? [] : [['field', field.slice(0, 70)] as const]), ['reason', reason]],
  });
}
