/** Formats decoded arguments as text. Everything that a contract may control is escaped and quoted. */

import * as Address from '../base/Address.js';
import * as TerminalText from '../text/TerminalText.js';
import type { Value } from './AbiParameter.js';
import type { Argument } from './Revert.js';

export type Length =
  /** Everything in full. */
  | 'full'
  /** Addresses in full; long bytes and strings truncated. */
  | 'sentence'
  /** Short enough for one line of a trace. */
  | 'line'
  /** Like `line`, without names. */
  | 'values';

/** Formats arguments: `to: 0x…, value: 5`. */
export function format(args: readonly Argument[], length: Length): string {
  return args.map(({ name, type, value }) => labelled(name, formatValue(value, length, type), length)).join(', ');
}

/** Quotes and escapes a text, so it cannot break out of its quotation marks. */
export function quote(text: string, length: Length): string {
  const most = { full: text.length, sentence: 300, line: 60, values: 60 }[length];
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  return `"${TerminalText.escape(cut.replace(/[\\"]/g, (character) => `\\${character}`))}"`;
}

export function labelled(name: string, value: string, length: Length): string {
  return name === '' || length === 'values' ? value : `${TerminalText.escape(name)}: ${value}`;
}

function formatValue(value: Value, length: Length, type?: string): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return formatText(value, length, type);
  if (Array.isArray(value)) return `[${listed(value, length, (each) => formatValue(each, length))}]`;
  const spell = ([name, each]: [string, Value]): string => labelled(name, formatValue(each, length), length);
  return `{${listed(Object.entries(value), length, spell)}}`;
}

function listed<T>(values: readonly T[], length: Length, spell: (value: T) => string): string {
  const most = { full: values.length, sentence: 16, line: 6, values: 6 }[length];
  const more = values.length - most;
  return [...values.slice(0, most).map(spell), ...(more > 0 ? [`… ${more} more`] : [])].join(', ');
}

/** Inside a struct the type is unknown: text that looks like a number or bytes is not quoted there. */
function formatText(value: string, length: Length, type: string | undefined): string {
  if (type === 'string' || !/^(0x[0-9a-fA-F]*|-?\d+)$/.test(value)) return quote(value, length);
  if (length === 'full') return value;
  const isShort = length !== 'sentence';
  if (!value.startsWith('0x')) return value === maxUint256 && isShort ? '2^256-1' : value;
  const bytes = (value.length - 2) / 2;
  if (isShort && bytes >= 8 && bytes <= 32) return Address.shorten(value);
  return bytes <= 32 ? value : `${Address.shorten(value)} (${bytes} bytes)`;
}

const maxUint256 = (2n ** 256n - 1n).toString();
