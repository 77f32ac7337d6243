/**
 * Values as JSON, for stdout and for files: bigints become decimal strings, and characters that could move the cursor of
 * a terminal, or hide or reverse text, become `\uXXXX`. A parser reads the same values.
 */
import * as UnsafeCharacters from './UnsafeCharacters.js';

/** The value of a text; undefined if it is no JSON. */
export function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function line(value: unknown): string {
  return escaped(JSON.stringify(value, plain));
}

export function document(value: unknown): string {
  // The line breaks of the indentation stay: a string holds none that is not escaped already.
  return JSON.stringify(value, plain, 2).split('\n').map(escaped).join('\n');
}

function plain(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

function escaped(json: string): string {
  const unit = (each: string): string => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(UnsafeCharacters.pattern, (character) => character.split('').map(unit).join(''));
}
