/** Setting values: their source, and how each kind is parsed and formatted. */
import * as Amount from '../base/Amount.js';
import * as Secret from '../base/Secret.js';
import * as Url from '../base/Url.js';
import * as Usd from '../base/Usd.js';

/** Where a value comes from. */
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

export type Color = 'auto' | 'always' | 'never';

/** Formats a source: `--slippage`, `FERRY_SLIPPAGE`, `/home/ada/.config/ferry/config.json`, `default`. */
export function formatSource(source: Source): string {
  if ('name' in source) return source.name;
  return 'path' in source ? source.path : source.kind;
}

/** Any non-empty text. */
export const text: Format<string> = {
  expects: 'non-empty text',
  privacy: 'open',
  read: (raw) => (typeof raw === 'string' && raw !== '' ? { value: raw } : undefined),
  show: (value) => value,
};

/** The name of a network, a chain, an account or an alias. */
export const name: Format<string> = {
  ...text,
  expects: 'a name of letters, digits, dashes and underscores that starts with a letter or digit',
  read: (raw) => (typeof raw === 'string' && /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(raw) ? { value: raw } : undefined),
};

/** The name of an account, or its address. */
export const account: Format<string> = {
  ...name,
  expects: `${name.expects}, or an address; ENS names are not resolved`,
};

/** A text that is never printed. */
export const secret: Format<Secret.Secret> = {
  expects: 'printable text without spaces',
  privacy: 'secret',
  // A key is sent in an HTTP header, which allows no control characters and no leading or trailing spaces.
  read: (raw) => (typeof raw === 'string' && /^[\x21-\x7e]+$/.test(raw) ? { value: Secret.from(raw) } : undefined),
  show: () => Secret.mask,
};

/** Several of them, separated by commas, or as a list. */
export const secrets: Format<readonly Secret.Secret[]> = {
  expects: 'printable texts without spaces, separated by commas',
  privacy: 'secret',
  read: (raw) => {
    const texts: readonly unknown[] =
      typeof raw === 'string' ? raw.split(',').map((each) => each.trim()) : [raw].flat();
    const all = texts.flatMap((each) => secret.read(each)?.value ?? []);
    return all.length > 0 && all.length === texts.length ? { value: all } : undefined;
  },
  show: () => Secret.mask,
};

/** An http or https URL. Everything after the origin may contain a key, so it is redacted. */
export const url: Format<string> = {
  expects: 'a URL that starts with https:// or http://',
  privacy: 'redacted',
  read: (raw) => (typeof raw === 'string' && isHttp(raw) ? { value: raw } : undefined),
  show: Url.redact,
};

/** The URL of a database of PostgreSQL. A password would stand in files and histories: libpq's places are for it. */
export const database: Format<string> = {
  expects: 'postgres://user@host/database, without a password, which belongs into PGPASSWORD or ~/.pgpass',
  privacy: 'redacted',
  read: (raw) => {
    if (typeof raw !== 'string' || !URL.canParse(raw)) return undefined;
    const { protocol, password, pathname } = new URL(raw);
    return /^postgres(ql)?:$/.test(protocol) && password === '' && pathname.length > 1 ? { value: raw } : undefined;
  },
  show: (value) => value.replace(/\?.*$/s, ''),
};

/** Several of them, separated by commas or spaces, or as a list. */
export const urls: Format<readonly string[]> = {
  expects: 'URLs that start with https:// or http://, separated by commas',
  privacy: 'redacted',
  read: (raw) => {
    const all: readonly unknown[] =
      typeof raw === 'string' ? raw.split(/[\s,]+/).filter((each) => each !== '') : [raw].flat();
    return all.length > 0 && all.every((each) => typeof each === 'string' && isHttp(each))
      ? { value: all as readonly string[] }
      : undefined;
  },
  show: (value) => value.map(Url.redact).join(', '),
};

/** A percentage as typed, basis points internally. */
export const percent: Format<number> = {
  expects: 'a percentage from 0 to 100 with at most two decimals, such as 0.5',
  privacy: 'open',
  read: (raw) => {
    const match = /^(\d{1,3})(?:\.(\d{1,2})0*)?%?$/.exec(scalar(raw));
    if (!match) return undefined;
    const bps = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
    return bps <= 10_000 ? { value: bps } : undefined;
  },
  show: (bps) => `${Amount.format(BigInt(bps), 2)}%`,
};

/** Dollars as typed, millionths internally. */
export const usd: Format<bigint> = {
  expects: 'an amount of US dollars with at most six decimals, such as 2.50',
  privacy: 'open',
  read: (raw) => {
    const match = /^\$?(\d{1,15}(?:\.\d{1,6}0*)?)$/.exec(scalar(raw));
    return match?.[1] === undefined ? undefined : { value: Amount.from(match[1], Usd.decimals) };
  },
  show: (value) => `$${Amount.format(value, Usd.decimals)}`,
};

/** A fee per unit of gas: gwei as typed, wei internally. */
export const gwei: Format<bigint> = {
  expects: 'an amount of gwei with at most nine decimals, such as 1.5',
  privacy: 'open',
  read: (raw) => {
    const typed = scalar(raw);
    return /^\d{1,9}(?:\.\d{1,9}0*)?$/.test(typed) ? { value: Amount.from(typed, gweiDecimals) } : undefined;
  },
  show: (wei) => Amount.format(wei, gweiDecimals),
};

const gweiDecimals = 9;

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** A duration as typed, milliseconds internally. A bare number means seconds. */
export const duration: Format<number> = {
  expects: 'a duration such as 30s, 500ms, 5m or 1h',
  privacy: 'open',
  read: (raw) => {
    const match = /^(\d{1,9})(ms|s|m|h)?$/.exec(scalar(raw));
    if (!match) return undefined;
    const ms = Number(match[1]) * unitMs[(match[2] ?? 's') as keyof typeof unitMs];
    return ms > 0 && ms <= 2 ** 31 - 1 ? { value: ms } : undefined;
  },
  show: (ms) => {
    const unit = (['h', 'm', 's'] as const).find((each) => ms % unitMs[each] === 0) ?? 'ms';
    return `${ms / unitMs[unit]}${unit}`;
  },
};

/** Requests per minute; infinity for no limit. */
export const rate: Format<number> = {
  expects: 'a whole number of requests per minute up to 100000, or 0 for no limit',
  privacy: 'open',
  read: (raw) => {
    const value = /^\d{1,6}$/.test(scalar(raw)) ? Number(scalar(raw)) : Number.NaN;
    if (value === 0) return { value: Number.POSITIVE_INFINITY };
    return value <= 100_000 ? { value } : undefined;
  },
  show: (value) => (value === Number.POSITIVE_INFINITY ? '0' : String(value)),
};

/** How many witnesses must show what decides about money. */
export const witnesses: Format<Witnesses> = {
  expects: 'one or two',
  privacy: 'open',
  words: ['one', 'two'],
  read: (raw) => (raw === 'one' || raw === 'two' ? { value: raw } : undefined),
  show: (value) => value,
};

export type Witnesses = 'one' | 'two';

/** The facts that may rest on one witness for good. */
const facts: readonly string[] = ['price', 'swap', 'solver-signature', 'effect', 'gas'];

/** Facts that the user accepts on one witness, as a list or with commas between them. */
export const allowed: Format<readonly string[]> = {
  expects: `a list of ${facts.join(', ')}`,
  privacy: 'open',
  words: facts,
  read: (raw) => {
    const names = typeof raw === 'string' ? raw.split(',').map((each) => each.trim()) : raw;
    return Array.isArray(names) && names.length > 0 && names.every((each) => facts.includes(each))
      ? { value: [...new Set<string>(names)] }
      : undefined;
  },
  show: (names) => names.join(','),
};

/** Addresses, as a list or with commas between them. */
export const addresses: Format<readonly string[]> = {
  expects: 'addresses with commas between them',
  privacy: 'open',
  read: (raw) => {
    const all = typeof raw === 'string' ? raw.split(',').map((each) => each.trim()) : raw;
    return Array.isArray(all) && all.length > 0 && all.every((each) => /^[1-9A-Za-z0]{6,90}$/.test(String(each)))
      ? { value: all.map(String) }
      : undefined;
  },
  show: (all) => all.join(','),
};

/** Amounts by symbol, as an object or with commas between them: `usdc=100,eth=0.5`. */
export const amounts: Format<Readonly<Record<string, string>>> = {
  expects: 'amounts by symbol, such as usdc=100,eth=0.5',
  privacy: 'open',
  read: (raw) => {
    const pairs =
      typeof raw === 'string'
        ? raw.split(',').map((each) => each.trim().split('='))
        : typeof raw === 'object' && raw !== null
          ? Object.entries(raw)
          : [];
    const isGood = ([symbol, amount]: readonly unknown[]): boolean =>
      /^[\w.-]{1,20}$/.test(String(symbol)) && /^\d{1,30}(\.\d{1,18}0*)?$/.test(String(amount));
    if (pairs.length === 0 || !pairs.every((each) => each.length === 2 && isGood(each))) return undefined;
    return {
      value: Object.fromEntries(pairs.map(([symbol, amount]) => [String(symbol).toLowerCase(), String(amount)])),
    };
  },
  show: (all) =>
    Object.entries(all)
      .map((each) => each.join('='))
      .join(','),
};

/** Yes or no. */
export const flag: Format<boolean> = {
  expects: 'true or false',
  privacy: 'open',
  words: ['true', 'false'],
  read: (raw) => {
    if (/^(true|yes|on|1)$/i.test(scalar(raw))) return { value: true };
    return /^(false|no|off|0)$/i.test(scalar(raw)) ? { value: false } : undefined;
  },
  show: String,
};

/** When to use color. `--color` and `--no-color` arrive as booleans. */
export const color: Format<Color> = {
  expects: 'auto, always or never',
  privacy: 'open',
  words: ['auto', 'always', 'never'],
  read: (raw) => {
    if (typeof raw === 'boolean') return { value: raw ? 'always' : 'never' };
    return raw === 'auto' || raw === 'always' || raw === 'never' ? { value: raw } : undefined;
  },
  show: (value) => value,
};

/** A chain id. */
export const id: Format<number> = {
  expects: 'a chain id: a whole number',
  privacy: 'open',
  read: (raw) => {
    const value = /^[1-9]\d{0,15}$/.test(scalar(raw)) ? Number(scalar(raw)) : Number.NaN;
    return Number.isSafeInteger(value) ? { value } : undefined;
  },
  show: String,
};

/** The virtual machine of a chain that the user adds. */
export const vm: Format<'evm'> = {
  expects: 'evm, the only kind of chain that can be added: ferry ships the others that it knows',
  privacy: 'open',
  words: ['evm'],
  read: (raw) => (raw === 'evm' ? { value: raw } : undefined),
  show: (value) => value,
};

/** The symbol of a native currency, as it is typed after the name of the chain. */
export const symbol: Format<string> = {
  expects: 'the symbol of the native currency: up to 16 letters, digits, dots, dashes and underscores',
  privacy: 'open',
  read: (raw) =>
    typeof raw === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,15}$/.test(raw) ? { value: raw } : undefined,
  show: (value) => value,
};

/** The decimals of a native currency. */
export const decimals: Format<number> = {
  expects: 'the decimals of the native currency: a whole number from 0 to 36',
  privacy: 'open',
  read: (raw) => {
    const value = /^\d{1,2}$/.test(scalar(raw)) ? Number(scalar(raw)) : Number.NaN;
    return value <= 36 ? { value } : undefined;
  },
  show: String,
};

/** The index of an account on the venue. */
export const index: Format<number> = {
  expects: 'an account index: a whole number below 2^48 - 1',
  privacy: 'open',
  read: (raw) => {
    const value = /^\d{1,15}$/.test(scalar(raw)) ? Number(scalar(raw)) : Number.NaN;
    return value <= 2 ** 48 - 2 ? { value } : undefined;
  },
  show: String,
};

/** The slot of an API key on the venue. */
export const slot: Format<number> = {
  expects: 'the index of an API key: a whole number from 0 to 254',
  privacy: 'open',
  read: (raw) => {
    const value = /^\d{1,3}$/.test(scalar(raw)) ? Number(scalar(raw)) : Number.NaN;
    return value <= 254 ? { value } : undefined;
  },
  show: String,
};

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

/** A scalar as text, since YAML and JSON write 0.5 and true without quotes. */
function scalar(raw: unknown): string {
  return typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : '';
}

function isHttp(raw: string): boolean {
  return URL.canParse(raw) && /^https?:$/.test(new URL(raw).protocol);
}
