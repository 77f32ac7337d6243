/** Masks secrets in text, in every form in which a server that received them may send them back. */
import { mask } from './Secret.js';

export type Redact = (text: string) => string;

/**
 * A shorter secret is not masked on its own: a word of a few letters occurs by chance, and masking it would ruin the
 * text and show the secret by what is missing. A short password is still masked together with its user name.
 */
const shortest = 6;

/** A number of fewer digits may be an amount. */
const shortestNumber = 10;

/** A secret below this length is masked as a whole word only, not inside calldata or a hash. */
const shortestInside = 12;

/** The shortest part of a base64 text that does not occur by chance. */
const shortestEncoded = 8;

/**
 * Returns the function that masks the secrets: as they are, percent-encoded, escaped for JSON, HTML or a terminal, as
 * hex with and without 0x, and as base64 or base64url, alone or inside a longer text such as `user:password`. A key in
 * hex is also masked as base64 of its bytes and as a decimal number. Letter case makes no difference.
 */
export function of(secrets: readonly string[]): Redact {
  const long = [...new Set(secrets)]
    .filter((each) => each.length >= (/^\d+$/.test(each) ? shortestNumber : shortest))
    .sort((a, b) => b.length - a.length);
  if (long.length === 0) return (text) => text;
  let patterns: readonly RegExp[] | undefined;
  return (text) => {
    // One after the other: a single expression of all forms takes fifty times as long.
    patterns ??= long.flatMap(forms).map((form) => new RegExp(form, 'gi'));
    return patterns.reduce((shown, pattern) => shown.replace(pattern, mask), text);
  };
}

/** Masks what looks like a key: for the text of a file that is damaged, so that it is not known where its secrets are. */
export function ofKeyLike(text: string): string {
  return text.replace(/[^\s"'.,:;{}[\]()/\\@=&?#]{12,}/g, (part) =>
    /\d/.test(part) && /[a-z]/i.test(part) ? mask : part,
  );
}

/** Regular expressions of every form of a secret, the longer ones first. */
function forms(secret: string): string[] {
  const digits = /^(?:0x)?((?:[0-9a-f]{2}){16,})$/i.exec(secret)?.[1];
  if (digits !== undefined) return ofKey(digits);
  const bytes = new TextEncoder().encode(secret);
  return [...encoded(bytes), `(?:0x)?${toHex(bytes)}`, word(secret)];
}

function ofKey(digits: string): string[] {
  const cases = [...new Set([digits, digits.toLowerCase(), digits.toUpperCase()])];
  const texts = cases.flatMap((each) => [`0x${each}`, each]).map((each) => new TextEncoder().encode(each));
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return [
    ...[...texts, bytes].flatMap(encoded),
    `(?<!\\d)${BigInt(`0x${digits}`)}(?!\\d)`,
    ...texts.map((each) => `(?:0x)?${toHex(each)}`),
    `(?:0x)?${digits}`,
  ];
}

/** The text in any escaping, as a whole word if it is short. */
function word(text: string): string {
  const pattern = Array.from(text, spelled).join('');
  if (text.length >= shortestInside) return pattern;
  const [first = ''] = /^[a-z0-9]/i.exec(text) ?? [];
  // Looked at behind the first character: before it, every place of a long text would be looked at.
  const starts = first && `${first}(?<=${wordStart}${first})`;
  return `${starts}${pattern.slice(first.length)}${/[a-z0-9]$/i.test(text) ? '(?![a-z0-9])' : ''}`;
}

/** No letter or digit before, unless it ends an escape such as `%20` or `\n`. */
const wordStart = '(?:(?<![a-z0-9])|(?<=%[0-9a-f]{2}|\\\\x[0-9a-f]{2}|\\\\u[0-9a-f]{4}|\\\\[bfnrt]))';

const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/**
 * A character as it is, percent-encoded once or more, or escaped for JSON, HTML, a terminal or a shell. JSON three times
 * within itself has seven backslashes; without a bound, a long text of them would be searched from each to the last.
 */
function spelled(character: string): string {
  if (/[a-z0-9]/i.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i).toString(16));
  return `(?:${[
    `\\\\{0,7}${literal(character)}`,
    [...new TextEncoder().encode(character)].map((byte) => `%(?:25)*${toHex([byte])}`).join(''),
    units.map((unit) => `\\\\{1,7}u${unit.padStart(4, '0')}`).join(''),
    `\\\\{1,7}x${hex.padStart(2, '0')}`,
    `\\\\{1,7}u\\{${hex}\\}`,
    `&#0*${code};|&#x0*${hex};`,
    ...(names[character] ? [`&${names[character]};`] : []),
    ...(character === ' ' ? ['\\+'] : []),
    ...(/['\\]/.test(character) ? [literal(`'\\${character}'`)] : []),
  ].join('|')})`;
}

/**
 * Base64 of the bytes, also when they are in the middle of a longer text: at each of the three positions that they can
 * have in a group of three bytes. The characters at both ends that depend on the neighbors are left out.
 */
function encoded(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = btoa(String.fromCharCode(...new Uint8Array(before), ...bytes)).replace(/=+$/, '');
    const isPartial = (before + bytes.length) % 3 !== 0;
    const core = text.slice(before === 0 ? 0 : before + 1, isPartial ? -1 : undefined);
    if (core.length < shortestEncoded) return [];
    return [`${Array.from(core, inBase64).join('')}${isPartial ? '(?:[\\w+/-](?:=|%3d){0,2})?' : ''}`];
  });
}

function inBase64(character: string): string {
  if (character === '+') return '(?:[+ -]|%2b)';
  return character === '/' ? '(?:\\\\{0,7}/|_|%2f)' : character;
}

function toHex(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
