/** A fingerprint of a JSON value: the same for the same content, whatever the order of its keys. */

import { sha256, stringToBytes } from 'viem/utils';
import type { Hex } from './Hex.js';

/** SHA-256 of the value's JSON with sorted keys. Undefined members do not count, as in JSON. */
export function of(value: unknown): Hex {
  return sha256(stringToBytes(format(value)));
}

/** What `JSON.stringify` gives for the value with its keys sorted, without making that value. */
function format(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const each of value) text += `${text && ','}${each === undefined ? 'null' : format(each)}`;
    return `[${text}]`;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members).sort())
    if (members[key] !== undefined) text += `${text && ','}${quote(key)}:${format(members[key])}`;
  return `{${text}}`;
}

/** Most texts need no escape, and are quoted quickly. */
function quote(text: string): string {
  return /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}
