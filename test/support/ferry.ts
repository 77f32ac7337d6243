/** ferry in this process: a command line in, exit code and both streams out. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

// biome-ignore lint/suspicious/noExplicitAny: the tests say which shape they expect
export type Envelope = Record<string, any>;

export type Surroundings = {
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** What is piped into stdin. */
  stdin?: string;
  signal?: AbortSignal;
  columns?: number;
  /** Which streams are terminals; none unless it is said. */
  terminals?: Terminals;
  /** The home, which is one of its own and goes with the test unless it is given. */
  home?: string;
  /** The command that starts this ferry again. */
  self?: Host['self'];
  /** How far the clock is ahead. */
  laterMs?: number;
  /** What new key files cost; little by default. */
  scryptCost?: ScryptCost;
};

export type Terminals = Readonly<Partial<Record<'stdin' | 'stdout' | 'stderr', boolean>>>;

/** The variables that lead a command to a sandbox that runs already. */
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
 * Runs one command line with a home of its own and nothing of the real environment.
 *
 * @throws where it prints a secret that it was given, or an event that does not fit its schema
 */
export async function ferry(argv: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const { env = {}, cwd, stdin = '', signal = new AbortController().signal, columns, laterMs = 0 } = surroundings;
  const { terminals = {}, home = temporaryFolder(), self, scryptCost = lightScrypt } = surroundings;
  const typed = (async function* () {
    yield stdin;
  })();
  const real = realHost(signal);
  const host: Host = {
    ...real,
    env: { HOME: home, PATH: process.env.PATH, ...env },
    home,
    now: () => Date.now() + laterMs,
    cwd: cwd ?? home,
    self: self ?? real.self,
    scryptCost,
    stdin: Object.assign(typed, { isTTY: terminals.stdin }),
    stdout: { write: (text) => (stdout += text), columns, isTTY: terminals.stdout },
    stderr: { write: (text) => (stderr += text), isTTY: terminals.stderr },
  };
  const code = await run(argv, host);
  assertSilent(`${stdout}\n${stderr}`, secretsOf(argv, host));
  assertEvents(stdout);
  const lines = (): Envelope[] =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { code, stdout, stderr, lines, json: () => lines().at(-1) ?? {} };
}

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
