/** Files named on the command line; `-` is standard input or output. */

import { closeSync, createReadStream, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { realpath, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import type { Expected, TextLine, UserFiles } from '../../core/ports/UserFiles.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { reasonOf } from '../files/fileError.js';
import { targetOf } from '../files/fileOwner.js';
import { orAborted, untilAborted } from '../files/interruptible.js';
import { lines, TooLongError } from '../files/lineReader.js';
import { decode, toUtf8 } from '../files/textDecoding.js';
import type { Host } from '../terminal/host.js';
import * as configStore from './configStore.js';

export function createFiles(host: Pick<Host, 'cwd' | 'stdin' | 'stdout' | 'signal'>): UserFiles {
  const { cwd, stdout, signal } = host;
  const open = (path: string, wanted: Expected): Source => {
    if (path !== '-') return { name: path, bytes: untilAborted(createReadStream(resolve(cwd, path)), signal) };
    // Node makes its stream of standard input for the first who asks: most commands never do.
    const { stdin } = host;
    if (stdin.isTTY) throw nothingPiped(wanted);
    return { name: 'Standard input', bytes: untilAborted(stdin, signal) };
  };
  async function* linesOf({ name, bytes }: Source, wanted: Expected): AsyncGenerator<TextLine, void> {
    try {
      for await (const { number, text } of lines(toUtf8(bytes), wanted.maxBytes)) yield { number, text };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof TooLongError) throw tooLargeError(`Line ${error.line} of ${name}`, wanted);
      throw unreadableFileError(name, error as NodeJS.ErrnoException, wanted);
    }
  }
  const read: UserFiles['read'] = async (path, wanted) => collect(open(path, wanted), { wanted, signal });
  return {
    read,

    async readDocument(path, wanted) {
      const parsed = await configStore.parse(path, await read(path, wanted));
      if ('content' in parsed) return parsed.content;
      throw unparsedFile(path === '-' ? 'Standard input' : path, parsed, wanted);
    },

    lines: (path, wanted) => linesOf(open(path, wanted), wanted),

    async reread(path, wanted) {
      const { name, bytes } = open(path, wanted);
      try {
        const fd = await copyOf(bytes);
        return { lines: () => linesOf({ name, bytes: piecesOf(fd) }, wanted), close: () => closeSync(fd) };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (error instanceof BaseError) throw error;
        throw unreadableFileError(name, error as NodeJS.ErrnoException, wanted);
      }
    },

    exists: async (path) =>
      stat(resolve(cwd, path)).then(
        () => true,
        // Unknown, such as in a folder that may not be read: it may be there.
        ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
      ),

    async write(path, text) {
      if (path === '-') {
        stdout.write(text);
        return;
      }
      try {
        await orAborted(signal, write(resolve(cwd, path), text));
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw unwritableFileError(path, error as NodeJS.ErrnoException);
      }
    },

    async writeLines(path, texts) {
      const whole = resolve(cwd, path);
      try {
        await stat(dirname(whole));
        await atomicWrite.replaceWith(whole, texts);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (error instanceof BaseError) throw error;
        throw unwritableFileError(path, error as NodeJS.ErrnoException);
      }
    },

    async create(path, text) {
      const whole = resolve(cwd, path);
      try {
        await stat(dirname(whole));
        atomicWrite.create(whole, text);
        return { path: whole, isNew: true };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
          throw unwritableFileError(path, error as NodeJS.ErrnoException);
        return { path: await realpath(whole).catch(() => whole), isNew: false };
      }
    },
  };
}

/**
 * Copies an input to its end, into a file without a name: nobody else can write to it, and a crash leaves nothing behind.
 *
 * @throws config.unwritable · whatever the input throws
 */
async function copyOf(input: Source['bytes']): Promise<number> {
  const copy = inTemporary(() => {
    const folder = mkdtempSync(join(tmpdir(), 'ferry-'));
    try {
      return openSync(join(folder, 'input'), 'wx+', 0o600);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  try {
    for await (const part of input) inTemporary(() => writeFileSync(copy, part));
    return copy;
  } catch (error) {
    closeSync(copy);
    throw error;
  }
}

/** The content of an open file from its beginning. A stream would close the file when somebody stops reading. */
async function* piecesOf(file: number): AsyncGenerator<Uint8Array, void> {
  for (let position = 0; ; ) {
    const piece = Buffer.allocUnsafe(pieceBytes);
    const bytes = readSync(file, piece, 0, pieceBytes, position);
    if (bytes === 0) return;
    position += bytes;
    yield piece.subarray(0, bytes);
    // Lets a signal through.
    await new Promise(setImmediate);
  }
}

const pieceBytes = 64 * 1024;

function inTemporary<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw unwritableFileError(tmpdir(), error as NodeJS.ErrnoException);
  }
}

async function write(path: string, text: string): Promise<void> {
  // Checked first, because a missing folder would be created; here it is more likely a typo.
  await stat(dirname(path));
  const target = targetOf(path);
  const there = await stat(target).catch(() => undefined);
  // A device or a pipe is written to rather than replaced.
  if (there && !there.isFile()) await writeFile(target, text);
  else atomicWrite.replace(target, text);
}

type Source = { name: string; bytes: AsyncIterable<Uint8Array | string> };

async function collect(
  { name, bytes: source }: Source,
  { wanted, signal }: { wanted: Expected; signal: AbortSignal },
): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of source) {
      const chunk = typeof part === 'string' ? Buffer.from(part) : part;
      bytes += chunk.length;
      if (bytes > wanted.maxBytes) break;
      parts.push(chunk);
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw unreadableFileError(name, error as NodeJS.ErrnoException, wanted);
  }
  if (bytes > wanted.maxBytes) throw tooLargeError(name, wanted);
  try {
    return decode(Buffer.concat(parts), { strict: true });
  } catch {
    throw new BaseError(wanted.code, `${name} is not text, so it is not a valid ${wanted.what}.`, {
      hint: 'If it is text, save it as UTF-8.',
    });
  }
}

function sized(bytes: number): string {
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`;
}

function reason(cause: NodeJS.ErrnoException): string {
  const text = reasonOf(cause);
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

function unreadableFileError(name: string, cause: NodeJS.ErrnoException, { code, hints }: Expected): BaseError {
  return new BaseError(code, `${name} cannot be read. ${reason(cause)}`, {
    hint: cause.code === 'ENOENT' ? hints.missing : undefined,
    cause,
  });
}

export function unwritableFileError(path: string, cause: NodeJS.ErrnoException): BaseError {
  return new BaseError('config.unwritable', `${path} cannot be written. ${reason(cause)}`, { cause });
}

function tooLargeError(name: string, { what, code, maxBytes }: Expected): BaseError {
  return new BaseError(code, `${name} is larger than ${sized(maxBytes)}, so it is not a valid ${what}.`);
}

function nothingPiped({ hints }: Expected): BaseError {
  return new BaseError('usage.missing', 'Nothing is piped into standard input, which - reads.', {
    hint: hints.notPiped,
  });
}

function unparsedFile(name: string, unparsed: configStore.Unparsed, { code }: Expected): BaseError {
  return new BaseError(code, `${name} is not valid ${unparsed.language}.`, { facts: configStore.whereIn(unparsed) });
}
