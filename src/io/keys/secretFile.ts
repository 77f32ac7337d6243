/** Secrets that come from files, stdin or a person: private keys and passwords. No error repeats what was read. */

import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import * as Secret from '../../core/base/Secret.js';
import type { Prompt } from '../../core/ports/Ports.js';
import type { Host } from '../terminal/host.js';

export type Asking = {
  host: Pick<Host, 'cwd' | 'stdin'>;
  prompt: Prompt;
  /** Whether somebody can be asked. */
  interactive: boolean;
};

/** Names the file of the password that opens a key, or of the one that shall open it. */
type PasswordFlag = '--password-file' | '--new-password-file';

const maxBytes = 65_536;

/**
 * The private key of a file; `-` is stdin. Like ssh, a file that others can read is refused.
 *
 * @throws auth.keystore
 */
export async function readKey(path: string, host: Asking['host']): Promise<Secret.Secret> {
  const text = path === '-' ? await readInput(host.stdin, 'the key') : await readFile(path, host.cwd, assertPrivate);
  return toKey(text, path === '-' ? 'stdin' : path);
}

/**
 * A private key as text, with or without 0x.
 *
 * @throws auth.keystore with the name of the place and nothing of the text
 */
export function toKey(text: string, place: string): Secret.Secret {
  const digits = /^\s*(?:0x)?([0-9a-fA-F]{64})\s*$/.exec(text)?.[1];
  if (digits === undefined || !isInRange(digits)) throw new KeyError(place, text);
  return Secret.from(`0x${digits.toLowerCase()}`);
}

/** An API key of a venue account from a file; `-` is stdin. @throws auth.keystore */
export async function readVenueKey(path: string, host: Asking['host']): Promise<Secret.Secret> {
  const text = path === '-' ? await readInput(host.stdin, 'the key') : await readFile(path, host.cwd, assertPrivate);
  return toVenueKey(text, path === '-' ? 'stdin' : path);
}

/** An API key of a venue account as text: 80 hexadecimal digits. @throws auth.keystore which says nothing of the text */
export function toVenueKey(text: string, place: string): Secret.Secret {
  const digits = /^\s*(?:0x)?([0-9a-fA-F]{80})\s*$/.exec(text)?.[1];
  if (digits === undefined) throw new VenueKeyError(place);
  return Secret.from(`0x${digits.toLowerCase()}`);
}

/** The like, that the user pastes. @throws auth.keystore · prompt.unavailable */
export async function askVenueKey({ prompt, interactive }: Asking): Promise<Secret.Secret> {
  if (!interactive) throw new NoTerminalForKeyError();
  return toVenueKey(await prompt.password('API key of the venue'), 'the answer');
}

/** A key that the user pastes. @throws auth.keystore · prompt.unavailable */
export async function askKey({ prompt, interactive }: Asking): Promise<Secret.Secret> {
  if (!interactive) throw new NoTerminalForKeyError();
  return toKey(await prompt.password('Private key'), 'the answer');
}

/** The password of a file, without the line's end; `-` is stdin. @throws auth.keystore */
export async function readPassword(path: string, host: Asking['host']): Promise<string> {
  const text = path === '-' ? await readInput(host.stdin, 'the password') : await readFile(path, host.cwd, () => {});
  return text.replace(/\r?\n$/, '');
}

/** The password of a keystore that exists. @throws prompt.unavailable · prompt.declined */
export async function askPassword(name: string, { prompt, interactive }: Asking): Promise<string> {
  if (!interactive) throw new NoPasswordError(name);
  return prompt.password(`Password of ${name}`);
}

/**
 * A new password, typed twice. The flag is the one that names a file for it.
 *
 * @throws prompt.unavailable · auth.password
 */
export async function askNewPassword(
  name: string,
  { prompt, interactive }: Asking,
  flag: PasswordFlag = '--password-file',
): Promise<string> {
  if (!interactive) throw new NoPasswordError(name, flag);
  const first = await prompt.password(`New password of ${name}`);
  if ((await prompt.password('The same again')) !== first)
    throw new BaseError('auth.password', 'The two passwords differ.', { hint: 'Nothing was written. Try again.' });
  return first;
}

/** The whole of a file, opened once, so that what is checked is what is read. */
async function readFile(path: string, cwd: string, check: (stat: Stats, path: string) => void): Promise<string> {
  const file = await open(resolve(cwd, path), constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    throw new FileError(path, error.code === 'ENOENT' ? 'there is no such file' : (error.code ?? 'unknown'));
  });
  try {
    const stat = await file.stat();
    if (stat.isDirectory()) throw new FileError(path, 'it is a folder');
    check(stat, path);
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    while (length <= maxBytes) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
      if (bytesRead === 0) return buffer.toString('utf8', 0, length);
      length += bytesRead;
    }
    throw new FileError(path, 'it is too large');
  } finally {
    await file.close();
  }
}

/** Pipes, as a shell's process substitution makes them, belong to the process that reads them. */
function assertPrivate(stat: Stats, path: string): void {
  if (process.platform === 'win32' || !stat.isFile()) return;
  if ((stat.mode & 0o077) !== 0) throw new ModeError(path, stat.mode);
}

async function readInput(stdin: Host['stdin'], what: string): Promise<string> {
  // What is typed at a terminal would be seen.
  if (stdin.isTTY) throw new FileError('stdin', 'it is a terminal, and nothing is piped into it');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > maxBytes) throw new FileError('stdin', 'it is too large');
  }
  if (length === 0) throw new FileError('stdin', `it ended before ${what} came`);
  return Buffer.concat(chunks).toString('utf8');
}

/** The order of secp256k1's group: a key is less, and not zero. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function isInRange(digits: string): boolean {
  const value = BigInt(`0x${digits}`);
  return value > 0n && value < order;
}

/** The key itself, for whoever signs. */
export function reveal(key: Secret.Secret): Hex {
  return key.reveal() as Hex;
}

export class FileError extends BaseError {
  override name = 'FileError';
  constructor(path: string, reason: string) {
    super('auth.keystore', 'The file cannot be read.', {
      facts: [
        ['file', path],
        ['reason', reason],
      ],
    });
  }
}

export class ModeError extends BaseError {
  override name = 'ModeError';
  constructor(path: string, mode: number) {
    super('auth.keystore', 'The key file can be read by other users.', {
      facts: [
        ['file', path],
        ['mode', (mode & 0o777).toString(8).padStart(4, '0')],
      ],
      hint: 'ferry uses a key file only if it is yours alone.',
      next: `chmod 600 ${path}`,
    });
  }
}

export class KeyError extends BaseError {
  override name = 'KeyError';
  constructor(place: string, text: string) {
    const isKeystore = text.trimStart().startsWith('{');
    super('auth.keystore', 'That is not a private key.', {
      facts: [['read from', place]],
      hint: isKeystore
        ? 'It looks like an encrypted keystore: import it with ferry key import --keystore.'
        : 'A key is 64 hexadecimal digits, with or without 0x before them.',
    });
  }
}

export class VenueKeyError extends BaseError {
  override name = 'VenueKeyError';
  constructor(place: string) {
    super('auth.keystore', 'That is not an API key of the venue.', {
      facts: [['read from', place]],
      hint: 'Such a key is 80 hexadecimal digits, with or without 0x before them. A wallet’s key has 64.',
    });
  }
}

export class NoTerminalForKeyError extends BaseError {
  override name = 'NoTerminalForKeyError';
  constructor() {
    super('prompt.unavailable', 'There is no terminal to ask for the key.', {
      hint: 'Give the file that holds it with --key-file, or --key-file - to read it from stdin.',
    });
  }
}

export class NoPasswordError extends BaseError {
  override name = 'NoPasswordError';
  constructor(name: string, flag: PasswordFlag = '--password-file') {
    const what = flag === '--password-file' ? 'a password' : 'a new password';
    super('prompt.unavailable', `The key ${name} needs ${what}, and there is no terminal to ask on.`, {
      hint:
        flag === '--password-file'
          ? 'Name a file that holds it: --password-file, or FERRY_PASSWORD_FILE.'
          : `Name a file that holds it: ${flag}, or ${flag} - for stdin.`,
    });
  }
}
