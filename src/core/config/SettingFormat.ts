/** Setting values: their source, and how each kind is parsed and formatted. */
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import * as Secret from '../base/Secret.js';
import * as Url from '../base/Url.js';
import * as Usd from '../base/Usd.js';

export type Source =
  | { kind: 'flag' | 'env'; name: string }
  | { kind: 'project' | 'user'; path: string }
  | { kind: 'default' };

export type Setting<T> = { value: T; source: Source };

/** A kind of setting value. */
export type Format<T> = {
  /** The expected value, to complete "must be …". */
  expects: string;
  /** Whether it may be printed: in full, redacted, or not at all. */
  privacy: 'open' | 'redacted' | 'secret';
  /** Parses a text, or a scalar of a file. Undefined if it is invalid. */
  read(raw: unknown): { value: T } | undefined;
  /** Formats a value as a user writes it. Undefined if not set. */
  show(value: T): string | undefined;
  /** Possible values, for shell completion. */
  words?: readonly string[];
};

/** Formats a source: `--slippage`, `FERRY_SLIPPAGE`, `/home/ada/.config/ferry/config.json`, `default`. */
export function formatSource(source: Source): string {
  if ('name' in source) return source.name;
  return 'path' in source ? source.path : source.kind;
}

export const text = kind('non-empty text', (raw) => (typeof raw === 'string' && raw !== '' ? raw : undefined));

/** The name of a network, a chain, an account or an alias. */
export const name = matching(
  'a name of letters, digits, dashes and underscores that starts with a letter or digit',
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
);

/** The name of an account, or its address. */
export const account = { ...name, expects: `${name.expects}, or an address; ENS names are not resolved` };

/** A text that is never printed. It is sent in an HTTP header, which allows neither control characters nor spaces around. */
export const secret: Format<Secret.Secret> = kind(
  'printable text without spaces',
  (raw) => (typeof raw === 'string' && /^[\x21-\x7e]+$/.test(raw) ? Secret.from(raw) : undefined),
  { privacy: 'secret', show: () => Secret.mask },
);

export const secrets: Format<readonly Secret.Secret[]> = {
  ...listOf(secret, 'printable texts without spaces, separated by commas'),
  show: () => Secret.mask,
};

/** An http or https URL. Everything after the origin may contain a key, so it is redacted. */
export const url: Format<string> = kind(
  'a URL that starts with https:// or http://',
  (raw) => (typeof raw === 'string' && URL.canParse(raw) && /^https?:$/.test(new URL(raw).protocol) ? raw : undefined),
  { privacy: 'redacted', show: Url.redact },
);

/** Several of them, separated by commas or spaces, or as a list. */
export const urls: Format<readonly string[]> = {
  ...listOf(url, 'URLs that start with https:// or http://, separated by commas', (all) =>
    all.split(/[\s,]+/).filter((each) => each !== ''),
  ),
  show: (all) => all.map(Url.redact).join(', '),
};

/** The URL of a database of PostgreSQL. A password would stand in files and histories: libpq's places are for it. */
export const database = kind(
  'postgres://user@host/database, without a password, which belongs into PGPASSWORD or ~/.pgpass',
  (raw) => {
    if (typeof raw !== 'string' || !URL.canParse(raw)) return undefined;
    const { protocol, password, pathname } = new URL(raw);
    return /^postgres(ql)?:$/.test(protocol) && password === '' && pathname.length > 1 ? raw : undefined;
  },
  { privacy: 'redacted', show: (value) => value.replace(/\?.*$/s, '') },
);

/** A percentage as typed, basis points internally. */
export const percent = kind(
  'a percentage from 0 to 100 with at most two decimals, such as 0.5',
  (raw) => {
    const match = /^(\d{1,3})(?:\.(\d{1,2})0*)?%?$/.exec(scalar(raw));
    if (!match) return undefined;
    const bps = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
    return bps <= 10_000 ? bps : undefined;
  },
  { show: (bps) => `${Amount.format(BigInt(bps), 2)}%` },
);

/** Dollars as typed, millionths internally. */
export const usd = kind(
  'an amount of US dollars with at most six decimals, such as 2.50',
  decimal(/^\$?(\d{1,15}(?:\.\d{1,6}0*)?)$/, Usd.decimals),
  { show: (value) => `$${Amount.format(value, Usd.decimals)}` },
);

/** A fee per unit of gas: gwei as typed, wei internally. */
export const gwei = kind(
  'an amount of gwei with at most nine decimals, such as 1.5',
  decimal(/^(\d{1,9}(?:\.\d{1,9}0*)?)$/, 9),
  { show: (wei) => Amount.format(wei, 9) },
);

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** A duration as typed, milliseconds internally. A bare number means seconds. */
export const duration = kind(
  'a duration such as 30s, 500ms, 5m or 1h',
  (raw) => {
    const match = /^(\d{1,9})(ms|s|m|h)?$/.exec(scalar(raw));
    if (!match) return undefined;
    const ms = Number(match[1]) * unitMs[(match[2] ?? 's') as keyof typeof unitMs];
    return ms > 0 && ms <= 2 ** 31 - 1 ? ms : undefined;
  },
  {
    show: (ms) => {
      const unit = (['h', 'm', 's'] as const).find((each) => ms % unitMs[each] === 0) ?? 'ms';
      return `${ms / unitMs[unit]}${unit}`;
    },
  },
);

/** Requests per minute; infinity for no limit. */
export const rate = kind(
  'a whole number of requests per minute up to 100000, or 0 for no limit',
  (raw) => {
    const value = integer(raw, /^\d{1,6}$/, 100_000);
    return value === 0 ? Number.POSITIVE_INFINITY : value;
  },
  { show: (value) => (value === Number.POSITIVE_INFINITY ? '0' : String(value)) },
);

export const witnesses = choice('one or two', ['one', 'two']);

/** The facts that may rest on one witness for good. */
const facts = ['price', 'swap', 'solver-signature', 'effect', 'gas'];

const allowedList = listOf(choice<string>('', facts), `a list of ${facts.join(', ')}`);

/** Facts that the user accepts on one witness, as a list or with commas between them. */
export const allowed: Format<readonly string[]> = {
  ...allowedList,
  words: facts,
  read: (raw) => {
    const found = allowedList.read(raw);
    return found && { value: [...new Set(found.value)] };
  },
};

/** Addresses, as a list or with commas between them. */
export const addresses = listOf(
  kind('an address', (raw) => (/^[1-9A-Za-z0]{6,90}$/.test(String(raw)) ? String(raw) : undefined)),
  'addresses with commas between them',
);

/** Amounts by symbol, as an object or with commas between them: `usdc=100,eth=0.5`. */
export const amounts: Format<Readonly<Record<string, string>>> = kind(
  'amounts by symbol, such as usdc=100,eth=0.5',
  (raw) => {
    const pairs =
      typeof raw === 'string'
        ? raw.split(',').map((each) => each.trim().split('='))
        : typeof raw === 'object' && raw !== null
          ? Object.entries(raw)
          : [];
    const isGood = ([symbol, amount]: readonly unknown[]): boolean =>
      /^[\w.-]{1,20}$/.test(String(symbol)) && /^\d{1,30}(\.\d{1,18}0*)?$/.test(String(amount));
    if (pairs.length === 0 || !pairs.every((each) => each.length === 2 && isGood(each))) return undefined;
    return Object.fromEntries(pairs.map(([symbol, amount]) => [String(symbol).toLowerCase(), String(amount)]));
  },
  {
    show: (all) =>
      Object.entries(all)
        .map((each) => each.join('='))
        .join(','),
  },
);

export const flag = kind(
  'true or false',
  (raw) => {
    if (/^(true|yes|on|1)$/i.test(scalar(raw))) return true;
    return /^(false|no|off|0)$/i.test(scalar(raw)) ? false : undefined;
  },
  { words: ['true', 'false'] },
);

const colors = choice('auto, always or never', ['auto', 'always', 'never']);

/** When to use color. `--color` and `--no-color` arrive as booleans. */
export const color: typeof colors = {
  ...colors,
  read: (raw) => colors.read(typeof raw === 'boolean' ? (raw ? 'always' : 'never') : raw),
};

export const id = whole('a chain id: a whole number', /^[1-9]\d{0,15}$/, Number.MAX_SAFE_INTEGER);

/** The virtual machine of a chain that the user adds. */
export const vm = choice('evm, the only kind of chain that can be added: ferry ships the others that it knows', [
  'evm',
]);

/** The symbol of a native currency, as it is typed after the name of the chain. */
export const symbol = matching(
  'the symbol of the native currency: up to 16 letters, digits, dots, dashes and underscores',
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,15}$/,
);

export const decimals = whole('the decimals of the native currency: a whole number from 0 to 36', /^\d{1,2}$/, 36);

/** The index of an account on the venue. */
export const index = whole('an account index: a whole number below 2^48 - 1', /^\d{1,15}$/, 2 ** 48 - 2);

/** The slot of an API key on the venue. */
export const slot = whole('the index of an API key: a whole number from 0 to 254', /^\d{1,3}$/, 254);

/** A value that may be unset. `word`, if given, is how users write that. */
export function optional<T>(format: Format<T>, word?: string): Format<T | undefined> {
  return {
    expects: word ? `${format.expects}, or ${word}` : format.expects,
    privacy: format.privacy,
    words: [...(format.words ?? []), ...(word ? [word] : [])],
    read: (raw) => (word !== undefined && raw === word ? { value: undefined } : format.read(raw)),
    show: (value) => (value === undefined ? word : format.show(value)),
  };
}

/** The value of what was typed for an option or a setting. @throws usage.invalid */
export function option<T>(format: Format<T>, raw: unknown, what: string): T {
  const found = format.read(raw);
  if (!found) throw new BaseError('usage.invalid', `${what} must be ${format.expects}.`);
  return found.value;
}

/** A kind of value that is printed in full and as it is, unless `more` says otherwise. */
function kind<T>(
  expects: string,
  read: (raw: unknown) => T | undefined,
  more: Partial<Pick<Format<T>, 'privacy' | 'show' | 'words'>> = {},
): Format<T> {
  return {
    expects,
    privacy: 'open',
    read: (raw) => {
      const value = read(raw);
      return value === undefined ? undefined : { value };
    },
    show: String,
    ...more,
  };
}

export function matching(expects: string, form: RegExp): Format<string> {
  return kind(expects, (raw) => (typeof raw === 'string' && form.test(raw) ? raw : undefined));
}

function choice<const T extends string>(expects: string, words: readonly T[]): Format<T> {
  return kind(expects, (raw) => words.find((word) => word === raw), { words });
}

export function whole(expects: string, form: RegExp, max = Number.MAX_SAFE_INTEGER): Format<number> {
  return kind(expects, (raw) => integer(raw, form, max));
}

function integer(raw: unknown, form: RegExp, max: number): number | undefined {
  return form.test(scalar(raw)) && Number(scalar(raw)) <= max ? Number(scalar(raw)) : undefined;
}

/** Reads the decimal in the group of a form, as the smallest units. */
function decimal(form: RegExp, places: number): (raw: unknown) => bigint | undefined {
  return (raw) => {
    const digits = form.exec(scalar(raw))?.[1];
    return digits === undefined ? undefined : Amount.from(digits, places);
  };
}

/** One or several values of a kind: a list, or a text that is split, by default at its commas. */
function listOf<T>(
  one: Format<T>,
  expects: string,
  split = (all: string): string[] => all.split(',').map((each) => each.trim()),
): Format<readonly T[]> {
  return {
    expects,
    privacy: one.privacy,
    read: (raw) => {
      const parts: readonly unknown[] = typeof raw === 'string' ? split(raw) : Array.isArray(raw) ? raw : [];
      const found = parts.flatMap((part) => one.read(part) ?? []);
      return parts.length > 0 && found.length === parts.length ? { value: found.map(({ value }) => value) } : undefined;
    },
    show: (all) => all.map(one.show).join(','),
  };
}

/** A scalar as text, since YAML and JSON write 0.5 and true without quotes. */
function scalar(raw: unknown): string {
  return typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : '';
}
