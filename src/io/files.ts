/** Files that the user names on the command line. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Files } from '../context.js';
import { BaseError } from '../core/Errors.js';
import type { Host } from './host.js';
import * as wholeFile from './wholeFile.js';

/** More than any quote; what is larger is a mistake. */
const maxBytes = 16 * 1024 * 1024;

/** Reads and writes relative to the host's working directory; `-` is stdin. */
export function createFiles(host: Pick<Host, 'cwd' | 'stdin'>): Files {
  return {
    async read(path) {
      if (path === '-') return readInput(host.stdin);
      const full = resolve(host.cwd, path);
      try {
        if ((await stat(full)).size > maxBytes) throw new TooLargeError(path);
        return await readFile(full, 'utf8');
      } catch (error) {
        throw error instanceof BaseError ? error : new UnreadableFileError(path, error as NodeJS.ErrnoException);
      }
    },
    async write(path, text) {
      await wholeFile.replace(resolve(host.cwd, path), text).catch((error: NodeJS.ErrnoException) => {
        throw new UnwritableFileError(path, error);
      });
    },
  };
}

async function readInput(stdin: Host['stdin']): Promise<string> {
  if (stdin.isTTY) throw new NothingPipedError();
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stdin) {
    const buffer = Buffer.from(part as Uint8Array);
    bytes += buffer.length;
    if (bytes > maxBytes) throw new TooLargeError('standard input');
    parts.push(buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  EISDIR: 'It is a folder.',
  EACCES: 'It may not be read or written.',
  EROFS: 'The file system is read-only.',
  ENOSPC: 'The disk is full.',
};

function reason({ code, message }: NodeJS.ErrnoException): string {
  return reasons[code ?? ''] ?? message;
}

export class UnreadableFileError extends BaseError {
  override name = 'UnreadableFileError';
  constructor(path: string, cause: NodeJS.ErrnoException) {
    super('quote.unreadable', `${path} cannot be read. ${reason(cause)}`, {
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
  constructor(path: string) {
    super('quote.unreadable', `${path} is larger than 16 MiB: that is no quote.`);
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
