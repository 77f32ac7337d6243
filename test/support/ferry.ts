/** ferry in this process: a command line in, exit code and both streams out. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import type { ScryptCost } from '../../src/core/accounts/Keystore.js';
import { type Host, host as realHost } from '../../src/io/terminal/host.js';
import { run } from '../../src/main.js';
import { assertEvents } from './events.js';
import { lightScrypt } from './lightScrypt.js';
import { assertSilent, secretsOf } from './secrets.js';

export type Ended = {
  code: number;
  stdout: string;
  stderr: string;
  /** stdout as JSON: the only line, or the last of several. */
  json(): Envelope;
  /** Every line of stdout as JSON. */
  lines(): Envelope[];
};

// biome-ignore lint/suspicious/noExplicitAny: the tests assert the shape they expect
export type Envelope = Record<string, any>;

export type Surroundings = {
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** What is piped into stdin. */
  stdin?: string;
  signal?: AbortSignal;
  columns?: number;
  rows?: number;
  /** The streams that are terminals; none by default. */
  terminals?: Terminals;
  /** The home folder; by default a temporary one that is removed after the test. */
  home?: string;
  /** The command that starts this ferry again. */
  self?: Host['self'];
  /** How far the clock is ahead, in milliseconds. */
  laterMs?: number;
  /**
   * How many times faster waits pass, or will once something has happened, given the milliseconds of one; the clock moves by
   * all of them. Without it, the clock is the real one, and pauses of less than a second take a tenth.
   */
  pace?: number | ((ms: number) => number) | undefined;
  /** Called at each write with all that its stream has been given. */
  heard?: (text: string) => void;
  /** Answers a question on the terminal; nobody does by default. */
  answer?: (question: string) => 'yes' | 'no';
  /** Keys for what the terminal shows: the next pair's, once its pattern is in view. */
  keys?: readonly (readonly [shown: RegExp, keys: string])[];
  /** The operating system, if it is not to be this one. */
  platform?: NodeJS.Platform;
  /** What new key files cost; little by default. */
  scryptCost?: ScryptCost;
};

export type Terminals = Readonly<Partial<Record<'stdin' | 'stdout' | 'stderr', boolean>>>;

/** The variables that point a command to a running sandbox. */
export function at(sandbox: {
  baseUrl: string;
  venueUrl?: string;
  rpcUrls: Readonly<Record<string, string>>;
}): Record<string, string | undefined> {
  return {
    FERRY_BASE_URL: sandbox.baseUrl,
    FERRY_VENUE_URL: sandbox.venueUrl,
    FERRY_RPC_URL_ALPHA: sandbox.rpcUrls.alpha,
    FERRY_RPC_URL_BETA: sandbox.rpcUrls.beta,
  };
}

/**
 * Runs one command line with its own home and none of the real environment.
 *
 * @throws if it prints a secret that it was given, or an event that does not match its schema
 */
export async function ferry(argv: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const { env = {}, cwd, stdin = '', signal = new AbortController().signal, columns, rows, laterMs = 0 } = surroundings;
  const { pace, heard = () => {}, answer, keys } = surroundings;
  const { terminals = {}, home = temporaryFolder(), self, platform, scryptCost = lightScrypt } = surroundings;
  const typed = (async function* () {
    yield stdin;
  })();
  const real = realHost(signal);
  let passedMs = laterMs;
  const host: Host = {
    ...real,
    env: { HOME: home, PATH: process.env.PATH, ...env },
    home,
    now: () => Date.now() + passedMs,
    sleep: async (ms, abort) => {
      if (pace === undefined) return real.sleep(ms < 1_000 ? ms / 10 : ms, abort);
      const realMs = ms / (typeof pace === 'number' ? pace : pace(ms));
      await real.sleep(realMs, abort);
      // A clock tells whole milliseconds.
      passedMs += Math.round(ms - realMs);
    },
    cwd: cwd ?? home,
    self: self ?? real.self,
    platform: platform ?? real.platform,
    scryptCost,
    asking: answer ? askingBy(answer) : keys && typing(keys, (text) => (stderr += text)),
    stdin: Object.assign(typed, { isTTY: terminals.stdin }),
    stdout: {
      ...{ columns, rows, isTTY: terminals.stdout },
      write(text) {
        stdout += text;
        heard(stdout);
      },
    },
    stderr: {
      ...{ columns, isTTY: terminals.stderr },
      write(text) {
        stderr += text;
        heard(stderr);
      },
    },
  };
  const late = setTimeout(() => tellLate(argv, `${stdout}${stderr}`), lateMs);
  const code = await run(argv, host).finally(() => clearTimeout(late));
  assertSilent(`${stdout}\n${stderr}`, secretsOf(argv, host));
  assertEvents(stdout);
  const lines = (): Envelope[] =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { code, stdout, stderr, lines, json: () => lines().at(-1) ?? {} };
}

/** Less than what a test has, so that a command that hangs is named. */
const lateMs = 20_000;

function tellLate(argv: readonly string[], said: string): void {
  const waitsFor = process.getActiveResourcesInfo().join(' ');
  process.stderr.write(`after ${lateMs} ms, ferry ${argv.join(' ')} has not ended: ${said}\nopen: ${waitsFor}\n`);
}

/** A terminal at which each question is answered as soon as it is shown. */
function askingBy(answer: (question: string) => 'yes' | 'no'): Host['asking'] {
  const input = new PassThrough();
  let asked: string | undefined;
  const output = new Writable({
    write(chunk, _, done) {
      const shown = stripVTControlCharacters(String(chunk)).trim();
      if (/\(y\/N\)|\(Y\/n\)/.test(shown) && shown !== asked) {
        asked = shown;
        setImmediate(() => input.write(`${answer(shown)}\n`));
      }
      done();
    },
  });
  // Like the process's own streams, it is not closed by a prompt that ends; and so wide that no question is broken.
  output.end = () => output;
  return { input, output: Object.assign(output, { columns: 10_000 }) };
}

/** A terminal on which keys are pressed as soon as what they are for is shown. */
function typing(keys: readonly (readonly [shown: RegExp, keys: string])[], show: (text: string) => void) {
  const input = new PassThrough();
  const left = [...keys];
  const output = new Writable({
    write(chunk, _, done) {
      const shown = stripVTControlCharacters(String(chunk));
      show(shown);
      const [pattern, pressed] = left[0] ?? [];
      if (pattern?.test(shown)) {
        left.shift();
        setImmediate(() => input.write(pressed));
      }
      done();
    },
  });
  // Like the process's own streams, it is not closed by a prompt that ends.
  output.end = () => output;
  return { input, output: Object.assign(output, { columns: 10_000 }) };
}

/** The question that a person at a terminal is asked, and declines. */
export async function questionOf(argv: readonly string[], surroundings: Surroundings = {}): Promise<string> {
  const asked: string[] = [];
  const { code, stderr } = await ferry(argv, {
    ...surroundings,
    terminals: { stdin: true, stdout: true, stderr: true },
    answer: (question) => {
      asked.push(question);
      return 'no';
    },
  });
  if (code !== 11) throw new Error(`It was not declined: ${stderr}`);
  return asked.join();
}

/** Ends ten seconds of waiting at once: for what only a deadline can end. */
export const soon = { args: ['--timeout', '10s'], pace: 1_000 } as const;

/** A time limit that ends soon after ferry has written a text, and not before. */
export function soonAfter(text: string): Pick<Surroundings, 'heard' | 'pace'> & { args: readonly string[] } {
  let isSaid = false;
  return {
    args: ['--timeout', '1m'],
    heard: (said) => {
      isSaid ||= said.includes(text);
    },
    pace: () => (isSaid ? 1_000 : 1),
  };
}

/** Happens once ferry has written a text: `heard` is for its surroundings. */
export function once(text: string): { heard(said: string): void; happened: Promise<void> } {
  let resolve = (): void => {};
  const happened = new Promise<void>((done) => {
    resolve = done;
  });
  const heard = (said: string): void => {
    if (said.includes(text)) resolve();
  };
  return { heard, happened };
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
