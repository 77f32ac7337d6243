/** A digest of a JSON value that does not depend on the order of its keys. */

import { sha256, stringToBytes } from 'viem/utils';
import type { Hex } from './Hex.js';

/** SHA-256 of the value's JSON with sorted keys. Undefined members are omitted, as in JSON. */
export function of(value: unknown): Hex {
  return sha256(stringToBytes(format(value)));
}

/** Equivalent to `JSON.stringify` with sorted keys, without building a sorted copy. */
function format(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const each of value) text += `${text && ','}${each === undefined ? 'null' : format(each)}`;
    return `[${text}]`;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members).sort())
    if (members[key] !== undefined) text += `${text && ','}${JSON.stringify(key)}:${format(members[key])}`;
  return `{${text}}`;
}
