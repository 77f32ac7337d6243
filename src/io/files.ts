/** Files that the user names on the command line; `-` is standard input or output. */
import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Files } from '../context.js';
import { BaseError } from '../core/Errors.js';
import type { Host } from './host.js';
import * as wholeFile from './wholeFile.js';

/** More than any quote; what is larger is a mistake. */
const maxBytes = 16 * 1024 * 1024;

/** Reads and writes relative to the host's working directory. */
export function createFiles({ cwd, stdin, stdout }: Pick<Host, 'cwd' | 'stdin' | 'stdout'>): Files {
  return {
    async read(path) {
      if (path !== '-') return collect(path, createReadStream(resolve(cwd, path)));
      if (stdin.isTTY) throw new NothingPipedError();
      return collect('Standard input', stdin);
    },

    async write(path, text) {
      if (path === '-') {
        stdout.write(text);
        return;
      }
      try {
        await write(resolve(cwd, path), text);
      } catch (error) {
        throw new UnwritableFileError(path, error as NodeJS.ErrnoException);
      }
    },
  };
}

async function write(path: string, text: string): Promise<void> {
  // Looked at first, since a missing folder would be made: here it is more likely a mistake in typing.
  await stat(dirname(path));
  const there = await stat(path).catch(() => undefined);
  // A device or a pipe is written to and not replaced.
  if (there && !there.isFile()) await writeFile(path, text);
  else await wholeFile.replace(path, text);
}

/** The text of a source whose length is not known beforehand. */
async function collect(name: string, source: AsyncIterable<Uint8Array | string>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of source) {
      const chunk = typeof part === 'string' ? Buffer.from(part) : part;
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      parts.push(chunk);
    }
  } catch (error) {
    throw new UnreadableFileError(name, error as NodeJS.ErrnoException);
  }
  if (bytes > maxBytes) throw new TooLargeError(name);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new NoTextError(name);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  ENOTDIR: 'A part of the path is not a folder.',
  EISDIR: 'It is a folder.',
  EACCES: 'Permission is denied.',
  EPERM: 'Permission is denied.',
  EROFS: 'The disk is read-only.',
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota is used up.',
  ENAMETOOLONG: 'The name is too long.',
  ELOOP: 'Links lead in a circle.',
};

function reason({ code = 'unknown', message }: NodeJS.ErrnoException): string {
  return reasons[code] ?? message;
}

export class UnreadableFileError extends BaseError {
  override name = 'UnreadableFileError';
  constructor(name: string, cause: NodeJS.ErrnoException) {
    super('quote.unreadable', `${name} cannot be read. ${reason(cause)}`, {
      hint:
        cause.code === 'ENOENT'
          ? 'A transfer is written <amount> <from> <to>, such as 100 alpha/usdc beta/usdc.'
          : undefined,
      cause,
    });
  }
}

export class UnwritableFileError extends BaseError {
  override name = 'UnwritableFileError';
  constructor(path: string, cause: NodeJS.ErrnoException) {
    super('config.unwritable', `${path} cannot be written. ${reason(cause)}`, { cause });
  }
}

export class TooLargeError extends BaseError {
  override name = 'TooLargeError';
  constructor(name: string) {
    super('quote.unreadable', `${name} is larger than 16 MiB: that is no quote.`);
  }
}

export class NoTextError extends BaseError {
  override name = 'NoTextError';
  constructor(name: string) {
    super('quote.unreadable', `${name} is not text: that is no quote.`);
  }
}

export class NothingPipedError extends BaseError {
  override name = 'NothingPipedError';
  constructor() {
    super('usage.missing', '- reads standard input, and nothing is piped into it.', {
      hint: 'ferry quote … --json | ferry execute - --yes',
    });
  }
}
