/**
 * A Unix socket beside a lock file, by which other processes ask whether the holder is alive. The kernel accepts a
 * connection as long as the process exists, even if it is frozen, and refuses it once the process is gone. That holds
 * across the containers of one kernel, which do not see each other's process ids.
 */
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../files/attempt.js';

export type LockSocket = {
  /** Closes the socket and removes its file. */
  close(): void;
};

/** Listens at a path; undefined if the file system has no sockets. The socket does not keep the process alive. */
export async function listen(path: string): Promise<LockSocket | undefined> {
  const server = createServer((client) => client.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      withShortPath(path, (short) => server.listen(short, resolve));
    });
  } catch {
    return undefined;
  }
  server.unref();
  return {
    close() {
      removeFile(path);
      server.close();
    },
  };
}

/**
 * Whether the process that listens at a path is alive: `accepts` if it is, `refuses` if it has died, `silent` if that
 * cannot be told.
 */
export async function ask(path: string): Promise<'accepts' | 'refuses' | 'silent'> {
  return await new Promise((resolve) => {
    try {
      withShortPath(path, (short) => {
        const client = connect(short)
          .once('connect', () => {
            client.destroy();
            resolve('accepts');
          })
          .once('error', ({ code }: NodeJS.ErrnoException) => {
            // EAGAIN: a frozen process has a full queue of connections.
            resolve(code === 'EAGAIN' ? 'accepts' : code === 'ECONNREFUSED' ? 'refuses' : 'silent');
          });
      });
    } catch {
      resolve('silent');
    }
  });
}

/** Another process may have removed it. */
export function removeFile(path: string): void {
  attempt(() => unlinkSync(path));
}

/** The longest path of a socket on macOS, which is shorter than on Linux. */
const longest = 103;

/** Calls back with a path that is short enough for a socket; on Linux, that of the folder's descriptor. */
function withShortPath(path: string, act: (short: string) => void): void {
  if (Buffer.byteLength(path) <= longest) {
    act(path);
    return;
  }
  const folder = openSync(dirname(path), 'r');
  try {
    act(join(`/proc/self/fd/${folder}`, basename(path)));
  } finally {
    closeSync(folder);
  }
}
