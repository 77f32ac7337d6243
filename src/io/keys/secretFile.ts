/** Reads private keys and passwords from files, stdin or a prompt. No error repeats what was read. */

import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as KeyMistake from '../../core/accounts/KeyMistake.js';
import * as PasswordRule from '../../core/accounts/PasswordRule.js';
import { BaseError } from '../../core/base/Errors.js';
import * as Secret from '../../core/base/Secret.js';
import type { Prompt } from '../../core/ports/Ports.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import { orAborted, untilAborted } from '../files/interruptible.js';
import { decode } from '../files/textDecoding.js';
import type { Host } from '../terminal/host.js';

export type Asking = {
  host: Pick<Host, 'cwd' | 'stdin' | 'signal'>;
  prompt: Prompt;
  /** Whether a prompt can be shown. */
  interactive: boolean;
};

/** The flag for the file with the current password of a key, or with its new one. */
type PasswordFlag = '--password-file' | '--new-password-file';

const maxBytes = 65_536;

/** Parses a private key. @throws auth.keystore, which names the place and reveals nothing of the text */
export function toKey(text: string, place: string): Secret.Secret {
  const digits = /^\s*(?:0[xX])?([0-9a-fA-F]{64})\s*$/.exec(text)?.[1];
  if (digits === undefined || !isInRange(digits))
    throw new BaseError('auth.keystore', 'This is not a private key.', {
      facts: [['read from', place]],
      hint: KeyMistake.of(text),
    });
  return Secret.from(`0x${digits.toLowerCase()}`);
}

/** Parses an API key of a venue account, 80 hex digits. @throws auth.keystore, which reveals nothing of the text */
export function toVenueKey(text: string, place: string): Secret.Secret {
  const digits = /^\s*(?:0[xX])?([0-9a-fA-F]{80})\s*$/.exec(text)?.[1];
  if (digits === undefined)
    throw new BaseError('auth.keystore', 'This is not an API key of the venue.', {
      facts: [['read from', place]],
      hint: 'A venue API key has 80 hexadecimal digits, with or without a 0x prefix. A wallet’s private key has 64.',
    });
  return Secret.from(`0x${digits.toLowerCase()}`);
}

type Kind = 'key' | 'venueKey' | 'words';

/** What is imported: how it is asked for, and how its text is parsed. */
const kinds: Readonly<
  Record<Kind, { ask(prompt: Prompt): Promise<string>; parse(text: string, place: string): Secret.Secret }>
> = {
  key: { ask: (prompt) => prompt.password('Private key'), parse: toKey },
  venueKey: { ask: (prompt) => prompt.password('Venue API key'), parse: toVenueKey },
  words: { ask: (prompt) => prompt.password('The words of the key, in their order'), parse: Secret.from },
};

/**
 * Reads a secret from a file; `-` is stdin. Like ssh, refuses a file that other users can read.
 *
 * @throws auth.keystore
 */
export async function read(kind: Kind, path: string, host: Asking['host']): Promise<Secret.Secret> {
  return kinds[kind].parse(await readSecret(path, 'key', host), path === '-' ? 'stdin' : path);
}

/** The same; without a path, prompts for it. @throws auth.keystore · prompt.unavailable */
export async function readOrAsk(kind: Kind, path: string | undefined, asking: Asking): Promise<Secret.Secret> {
  if (path !== undefined) return read(kind, path, asking.host);
  if (!asking.interactive)
    throw new BaseError('prompt.unavailable', 'There is no terminal to prompt for the key.', {
      hint: 'Pass the file with the key as --key-file, or use --key-file - to read it from stdin.',
    });
  return kinds[kind].parse(await kinds[kind].ask(asking.prompt), 'the prompt');
}

/**
 * Reads a password from a file, without the trailing line break; `-` is stdin. Like a key file, it must be private.
 *
 * @throws auth.keystore
 */
export async function readPassword(path: string, host: Asking['host']): Promise<string> {
  return (await readSecret(path, 'password', host)).replace(/\r?\n$/, '');
}

const tries = 3;

/**
 * Prompts for the password of an existing keystore until `open` accepts it, at most three times. It decrypts while the
 * prompt still holds the terminal: what is typed meanwhile is neither shown nor left to the shell.
 *
 * @throws auth.password after the last try · prompt.unavailable · prompt.declined · whatever else `open` throws
 */
export async function askPassword<T>(
  name: string,
  { prompt, interactive }: Asking,
  open: (password: string) => Promise<T>,
): Promise<T> {
  if (!interactive) throw noPasswordError(name);
  for (let count = 1; ; count++) {
    let opened: { value: T } | { error: unknown } | undefined;
    const again = count > 1 ? `Wrong password, try ${count} of ${tries}. ` : '';
    await prompt.password(`${again}Password of ${name}`, async (password) => {
      opened = await open(password).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      return undefined;
    });
    if (opened === undefined) throw new TypeError('a prompt checks its answer');
    if ('value' in opened) return opened.value;
    const { error } = opened;
    if (count === tries || !(error instanceof BaseError && error.code === 'auth.password')) throw error;
  }
}

export type NewPassword = PasswordRule.PasswordRule & {
  /** The flag to name in the error if there is no terminal. */
  flag?: PasswordFlag;
  /** Why it is asked for, in a sentence, if the command does not say so. */
  why?: string;
};

/**
 * A password to be set, from a file; without one, prompts for it twice. One that does not fit the rule is asked for again,
 * and so, a few times, are two that differ.
 *
 * @throws prompt.unavailable · auth.keystore · auth.weak-password · auth.password
 */
export async function newPassword(
  name: string,
  path: string | undefined,
  { prompt, interactive, host }: Asking,
  { flag = '--password-file', why, ...rule }: NewPassword,
): Promise<string> {
  if (path !== undefined) {
    const password = await readPassword(path, host);
    PasswordRule.assertFit(password, rule, path === '-' ? 'stdin' : path);
    return password;
  }
  if (!interactive) throw noPasswordError(name, flag);
  let wrong = why;
  for (let count = 1; ; count++) {
    let first = '';
    // Asked anew, because a prompt keeps an answer that it objects to, and a password is typed again from the start.
    for (; wrong !== undefined || first === ''; wrong = PasswordRule.objection(first, rule))
      first = await prompt.password(`${wrong === undefined ? '' : `${wrong} `}New password of ${name}`);
    if ((await prompt.password('Repeat the password')) === first) return first;
    if (count === tries)
      throw new BaseError('auth.password', 'The passwords do not match.', { hint: 'Nothing was written. Try again.' });
    wrong = `The passwords do not match, try ${count + 1} of ${tries}.`;
  }
}

type What = 'key' | 'password';

async function readSecret(path: string, what: What, { stdin, cwd, signal }: Asking['host']): Promise<string> {
  return path === '-' ? readInput(stdin, `the ${what}`, signal) : orAborted(signal, readFile(path, what, cwd));
}

/** Reads a whole file. Opens it once, so that the checked file is the one that is read. */
async function readFile(path: string, what: What, cwd: string): Promise<string> {
  const file = await open(resolve(cwd, path), constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'there is no such file' : (error.code ?? 'unknown');
    throw what === 'password' ? noPasswordFile(reason) : fileError(path, reason);
  });
  try {
    const stat = await file.stat();
    if (stat.isDirectory()) throw fileError(path, 'it is a folder');
    assertPrivate(stat, path, what);
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    while (length <= maxBytes) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
      if (bytesRead === 0) return decode(buffer.subarray(0, length));
      length += bytesRead;
    }
    throw fileError(path, 'it is too large');
  } finally {
    await file.close();
  }
}

/** Checks regular files only: pipes, such as those of process substitution, belong to the reading process. */
function assertPrivate(stat: Stats, path: string, what: What): void {
  if (stat.isFile() && (stat.mode & 0o077) !== 0)
    throw new BaseError('auth.keystore', `Other users can read the ${what} file.`, {
      facts: [
        ['file', path],
        ['mode', (stat.mode & 0o777).toString(8).padStart(4, '0')],
      ],
      hint: `ferry only uses a ${what} file that no other user can read. Mount a secret of a container with mode 0400, or pipe it into --${what}-file -.`,
      next: ShellCommand.line`chmod 600 ${path}`,
    });
}

async function readInput(stdin: Host['stdin'], what: string, signal: AbortSignal): Promise<string> {
  // Input typed at a terminal would be visible.
  if (stdin.isTTY) throw fileError('stdin', 'stdin is a terminal, and nothing is piped into it');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of untilAborted(stdin, signal)) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > maxBytes) throw fileError('stdin', 'it is too large');
  }
  if (length === 0) throw fileError('stdin', `it ended before ${what} was read`);
  return decode(Buffer.concat(chunks));
}

/** The order of the secp256k1 group. A key must be greater than zero and less than this. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function isInRange(digits: string): boolean {
  const value = BigInt(`0x${digits}`);
  return value > 0n && value < order;
}

function fileError(path: string, reason: string): BaseError {
  return new BaseError('auth.keystore', 'The file cannot be read.', {
    facts: [
      ['file', path],
      ['reason', reason],
    ],
  });
}

/** Does not repeat what was given as the file's path: by mistake it may be the password. */
function noPasswordFile(reason: string): BaseError {
  return new BaseError('auth.keystore', 'The file with the password cannot be read.', {
    facts: [['reason', reason]],
    hint: 'Its path is not shown: it may be the password itself. Give the path of a file: --password-file, --new-password-file or FERRY_PASSWORD_FILE.',
  });
}

function noPasswordError(name: string, flag: PasswordFlag = '--password-file'): BaseError {
  const what = flag === '--password-file' ? 'a password' : 'a new password';
  return new BaseError(
    'prompt.unavailable',
    `The key ${name} needs ${what}, and there is no terminal to prompt for it.`,
    {
      hint:
        flag === '--password-file'
          ? 'Pass a file with the password: --password-file or FERRY_PASSWORD_FILE.'
          : `Pass a file with the password: ${flag}, or ${flag} - for stdin.`,
    },
  );
}
