/** The process ferry runs in, as a value that is passed in. Expensive parts load on first use. */
import { setMaxListeners } from 'node:events';
import { fstatSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ScryptCost } from '../../core/accounts/Keystore.js';
import { BaseError } from '../../core/base/Errors.js';

/** Everything a command line needs from its environment. */
export type Host = {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** The user's home folder. @throws config.unreadable if there is none, so it is only asked for where it is needed */
  readonly home: string;
  /** The operating system, as Node names it. */
  platform: string;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  /** Unix time in milliseconds. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  randomBytes(length: number): Uint8Array;
  /** The scrypt cost of new key files. A real process never sets it: the default is `Keystore.scryptCost`. */
  scryptCost?: ScryptCost | undefined;
  /** Where questions are shown and answered. A real process never sets it: the default is its stderr and stdin. */
  asking?: { input: object; output: object } | undefined;
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  /** From now on, the first of them asks, and the next aborts; neither kills the process. */
  drain?(): { asked: AbortSignal; abort(): void };
  /** The command that starts this ferry again: node and the script. */
  self: readonly [command: string, ...args: string[]];
  /** Runs a command on the host's own terminal. Resolves to its exit code. */
  run(command: string, args: readonly string[], how: RunOptions): Promise<number>;
};

/** Options for a command run by the host. */
export type RunOptions = {
  env: Readonly<Record<string, string | undefined>>;
  /** Target of its standard output. Under --json, the host's stdout carries only ferry's document. */
  stdout: 'stdout' | 'stderr';
};

/** An output stream for text. */
export type Output = {
  write(text: string): unknown;
  /** Resolves when the reader has consumed all pending output, or is gone, or the signal aborts. */
  drained?(signal: AbortSignal): Promise<void>;
  /** Whether no more can be written, which only a write detects. Later writes are dropped. */
  readonly isClosed?: boolean | undefined;
  /** Why no more can be written, unless the reader is gone: a full disk, for example. */
  readonly failure?: (Error & { code?: string | undefined }) | undefined;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  /** The lines of a terminal. */
  readonly rows?: number | undefined;
};

/** An input stream of text. */
export type Input = AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean | undefined };

/** The host of the real process. */
export function host(signal: AbortSignal, drain?: Host['drain']): Host {
  // Every wait listens to the signal, and Node would warn on stderr about more than ten listeners.
  setMaxListeners(0, signal);
  return {
    env: process.env,
    cwd: process.cwd(),
    get home() {
      return homeFolder();
    },
    platform: process.platform,
    get stdin() {
      return process.stdin;
    },
    stdout: output(1, () => process.stdout),
    stderr: output(2, () => process.stderr),
    now: () => Date.now(),
    sleep,
    randomBytes: (length) => globalThis.crypto.getRandomValues(new Uint8Array(length)),
    signal,
    ...(drain && {
      drain() {
        const draining = drain();
        setMaxListeners(0, draining.asked);
        return draining;
      },
    }),
    self: [process.execPath, fileURLToPath(new URL('../bin/ferry.js', import.meta.url))],
    run: async (command, args, { env, stdout }) => {
      const [{ spawn }, { constants }] = await Promise.all([import('node:child_process'), import('node:os')]);
      return new Promise((resolve, reject) => {
        const child = spawn(command, args, {
          stdio: ['inherit', stdout === 'stderr' ? 2 : 'inherit', 'inherit'],
          env: env as NodeJS.ProcessEnv,
        });
        child.once('error', reject);
        // As a shell says it of a program that a signal ended.
        child.once('exit', (code, ended) => resolve(code ?? (ended ? 128 + constants.signals[ended] : 0)));
      });
    },
  };
}

/**
 * The home folder, which a user without an entry in the system's list of users may not have, as in containers.
 *
 * @throws config.unreadable if there is none
 */
export function homeFolder(): string {
  try {
    return homedir();
  } catch (cause) {
    throw new BaseError('config.unreadable', 'This user has no home folder, so ferry has no place for its files.', {
      hint: 'Set HOME, or FERRY_CONFIG_DIR and FERRY_STATE_DIR, to folders that last.',
      cause,
    });
  }
}

/** The environment of a program that is not ferry: without the settings of ferry, which may be keys and passwords. */
export function foreignEnv(env: Host['env']): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^FERRY_/i.test(name)));
}

/** Waits. @throws the signal's reason */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : error;
  });
}

/** Whether the locale's encoding is UTF-8. One that is not set says nothing of the terminal, and most terminals have it. */
export function hasUtf8({ LC_ALL, LC_CTYPE, LANG }: Host['env']): boolean {
  return /^$|utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}

/** Write errors that mean the reader is gone: a closed pipe, a closed socket, a terminal that hung up. */
const gone: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET', 'EIO']);

/**
 * A standard stream with synchronous, complete writes. Node's own stream object costs milliseconds on first access, so
 * it is used only for a terminal's properties and when the pipe is full.
 */
function output(descriptor: 1 | 2, stream: () => NodeJS.WriteStream): Output {
  let queued = false;
  let broken = false;
  let failure: NodeJS.ErrnoException | undefined;
  /** A write fails for good. Nothing is thrown: a transfer in flight does not depend on its output. */
  const end = (error: NodeJS.ErrnoException): void => {
    broken = true;
    if (!gone.has(error.code)) failure ??= error;
  };
  let waiting: Promise<void> | undefined;
  return {
    write(text) {
      let rest = Buffer.from(text);
      while (rest.length > 0 && !broken) {
        if (queued) {
          const last = rest;
          waiting = new Promise((resolve) => stream().write(last, () => resolve()));
          return;
        }
        try {
          rest = rest.subarray(writeSync(descriptor, rest));
        } catch (thrown) {
          const error = thrown as NodeJS.ErrnoException;
          if (error.code === 'EAGAIN') {
            queued = true;
            stream().on('error', end);
          } else end(error);
        }
      }
    },
    async drained(signal) {
      if (!waiting || signal.aborted) return;
      let stop = (): void => {};
      const aborted = new Promise<void>((resolve) => {
        stop = resolve;
        signal.addEventListener('abort', stop);
      });
      await Promise.race([waiting, aborted]);
      signal.removeEventListener('abort', stop);
    },
    get isClosed() {
      return broken;
    },
    get failure() {
      return failure;
    },
    get isTTY() {
      try {
        return fstatSync(descriptor).isCharacterDevice() && stream().isTTY;
      } catch {
        return false;
      }
    },
    get columns() {
      return this.isTTY ? stream().columns : undefined;
    },
    get rows() {
      return this.isTTY ? stream().rows : undefined;
    },
  };
}
