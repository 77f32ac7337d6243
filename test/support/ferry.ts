/** ferry in this process: a command line in, exit code and both streams out. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Host, host as realHost } from '../../src/io/host.js';
import { run } from '../../src/main.js';

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
  /** How far the clock is ahead. */
  laterMs?: number;
};

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

/** Runs one command line with a home of its own and nothing of the real environment. */
export async function ferry(argv: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const { env = {}, cwd, stdin = '', signal = new AbortController().signal, columns, laterMs = 0 } = surroundings;
  const home = temporaryFolder();
  const host: Host = {
    ...realHost(signal),
    env: { HOME: home, PATH: process.env.PATH, ...env },
    home,
    now: () => Date.now() + laterMs,
    cwd: cwd ?? home,
    stdin: (async function* () {
      yield stdin;
    })(),
    stdout: { write: (text) => (stdout += text), columns },
    stderr: { write: (text) => (stderr += text) },
  };
  const code = await run(argv, host);
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
