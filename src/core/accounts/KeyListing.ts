/** Encrypted keys as commands print them. */
import * as z from 'zod/mini';
import { BaseError } from '../base/Errors.js';
import * as DevelopmentAccount from '../network/DevelopmentAccount.js';
import * as ShellCommand from '../text/ShellCommand.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import type { StoredVenueKey } from './KeyStores.js';

export const schema = z.object({
  name: z.string(),
  /** Null if the file does not contain it in plain text. */
  address: z.nullable(z.string()),
  path: z.string(),
  /** The venue account and slot, for an API key. */
  venue: z.nullable(
    z.object({ network: z.string(), accountIndex: z.int(), apiKeyIndex: z.int(), publicKey: z.string() }),
  ),
});

export type StoredKey = z.infer<typeof schema>;

/** A key with its kind. Development keys are public and have no file. */
export const shown = z.object({
  ...schema.shape,
  kind: z.enum(['wallet', 'venue', 'development']),
  path: z.nullable(z.string()),
});

export type Shown = z.infer<typeof shown>;

export function from(key: { name: string; address: string | undefined; path: string }): StoredKey {
  return { name: key.name, address: key.address ?? null, path: key.path, venue: null };
}

export function fromVenue({ name, path, ...venue }: StoredVenueKey): StoredKey {
  return { name, address: null, path, venue };
}

export function development(): { name: string; address: string }[] {
  return DevelopmentAccount.addresses.slice(0, 10).map((address, i) => ({ name: `dev${i}`, address }));
}

export function show(key: StoredKey): Shown {
  return { ...key, kind: key.venue ? 'venue' : 'wallet' };
}

export function showDevelopment(index: number): Shown {
  const address = DevelopmentAccount.address(index);
  return { name: `dev${index}`, kind: 'development', address, path: null, venue: null };
}

const kinds: Readonly<Record<Shown['kind'], string>> = {
  wallet: 'wallet key, encrypted',
  venue: 'venue API key, encrypted',
  development: 'public development key, for the sandbox only',
};

/** Formats a key with its kind, the account that it signs for, and its file. */
export function formatShown({ name, kind, address, path, venue }: Shown, style: Style): string {
  return [
    style.bold(name),
    TerminalText.columns([
      ['  kind', kinds[kind]],
      ownerOf({ address, venue }),
      ...(venue ? [['  public key', venue.publicKey]] : []),
      ...(path === null ? [] : [['  file', TerminalText.escape(path)]]),
    ]),
  ].join('\n');
}

function ownerOf({ address, venue }: Pick<StoredKey, 'address' | 'venue'>): readonly [label: string, value: string] {
  if (!venue) return ['  address', address ?? 'not in the file'];
  return [
    '  venue account',
    `${venue.accountIndex}, slot ${venue.apiKeyIndex}, on ${TerminalText.escape(venue.network)}`,
  ];
}

/** Formats the result of an action on a key, such as `Created main`, with its address and file. */
export function format(key: StoredKey, done: string, style: Style): string {
  return [
    `${done} ${style.bold(key.name)}`,
    TerminalText.columns([ownerOf(key), ['  file', TerminalText.escape(key.path)]]),
  ].join('\n');
}

/** Formats the keys, followed by the development accounts. */
export function formatList(
  list: {
    folder: string;
    keys: readonly StoredKey[];
    unnamed?: readonly string[];
    development: readonly { name: string; address: string }[];
  },
  style: Style,
): string {
  const rows = list.keys.map(({ name, address, venue }) => [
    name,
    venue
      ? `slot ${venue.apiKeyIndex} of venue account ${venue.accountIndex} on ${TerminalText.escape(venue.network)}`
      : (address ?? style.dim('not in the file')),
  ]);
  const none = `No keys yet. Create one with ${style.command('ferry key new main')}.`;
  const unnamed = (list.unnamed ?? []).map((path) => `ferry key import <name> --keystore ${ShellCommand.word(path)}`);
  const { development: shared } = list;
  return [
    style.dim(TerminalText.escape(list.folder)),
    rows.length > 0 ? TerminalText.columns(rows) : none,
    ...(unnamed.length > 0 ? ['', style.dim('key files whose names ferry does not take'), ...unnamed] : []),
    ...(shared.length > 0 ? ['', style.dim('development accounts, on the sandbox only')] : []),
    ...(shared.length > 0 ? [TerminalText.columns(shared.map(({ name, address }) => [name, address]))] : []),
  ].join('\n');
}

export function oneInput(flags: readonly [string, string]): BaseError {
  return new BaseError('usage.invalid', `Only one of ${flags.join(' and ')} can be stdin.`);
}
