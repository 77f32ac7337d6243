/**
 * ferry as installed, built into a temporary folder, for tests that need real processes. Its new key files cost next to
 * nothing to open; what is packed is held to the real cost in `library.test.ts`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { type Host, host as realHost } from '../../src/io/terminal/host.js';
import * as anvil from '../../src/sandbox/chain/anvil.js';
import { bundle } from '../build/build.mjs';
import { assertEvents } from './events.js';
import { lightScrypt } from './lightScrypt.js';
import { madeOnce } from './madeOnce.js';
import { assertSilent, secretsOf } from './secrets.js';

export type BuiltFerry = {
  /** The script. */
  path: string;
  /** The environment its commands get here: a state directory of their own and nothing of ferry's or npm's from outside. */
  env: Record<string, string | undefined>;
  stateDir: string;
  /** Runs a command to completion. @throws if it prints a secret that it was given, or a malformed event */
  run(args: readonly string[], env?: Record<string, string | undefined>, how?: How): Promise<Ended>;
  /** Starts a command. If it still runs when this ferry is removed, it is killed. */
  start(args: readonly string[], env?: Record<string, string | undefined>): Running;
  /** A host whose `self` is this ferry. */
  host(env?: Record<string, string | undefined>): Host;
  remove(): void;
};

export type How = {
  stdin?: string;
  /** Whether stdout is a terminal, by `script`. */
  isTerminal?: boolean;
  /** Files in place of the pipes: `/dev/full`, on which every write fails as on a full disk, or a named pipe to read. */
  files?: { stdin?: string; stdout?: string; stderr?: string };
};

/** The project. */
const root = fileURLToPath(new URL('../..', import.meta.url));

export type Running = {
  child: ChildProcess;
  /** What it has printed so far. */
  seen: { stdout: string; stderr: string };
  ended: Promise<Ended>;
};

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

/**
 * A built ferry with a folder of its own. The state directory is `stateDir` below that folder, and does not exist yet.
 *
 * @param at the folder of a program, if it is not to be this one
 */
export async function buildFerry(at?: string): Promise<BuiltFerry> {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-built-'));
  const path = join(at ?? (await program()), 'bin', 'ferry.js');
  const stateDir = join(folder, 'state');
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(FERRY|XDG|ETH|npm)_(?!TEST)/.test(name))),
    FERRY_STATE_DIR: stateDir,
    // What one process has compiled, the next one need not, whatever its home.
    XDG_CACHE_HOME: join(process.env.HOME ?? folder, '.cache'),
    // The optional package is not beside a copy in another folder.
    FERRY_ANVIL: anvil.find({ searchPath: process.env.PATH }),
  };
  const started = new Set<ChildProcess>();
  return {
    path,
    env,
    stateDir,
    start(args, extra = {}) {
      const running = watched(spawn(process.execPath, [path, ...args], { env: { ...env, ...extra } }));
      started.add(running.child);
      return running;
    },
    run: (args, extra = {}, how = {}) => run([path, ...args], { ...env, ...extra }, { ...how, cwd: folder }),
    host: (extra = {}) => ({
      ...realHost(new AbortController().signal),
      env: { ...env, ...extra },
      cwd: folder,
      self: [process.execPath, path],
    }),
    remove() {
      for (const child of started) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Gives the file's tests a built ferry, which is removed after what they do with it. */
export function useFerry(): BuiltFerry {
  const built = {} as BuiltFerry;
  beforeAll(async () => void Object.assign(built, await buildFerry()), 120_000);
  afterAll(() => built.remove?.());
  return built;
}

/** The folder of the program, built once for all the test files of a run. */
function program(): Promise<string> {
  return madeOnce(fingerprint(), async (folder) => {
    mkdirSync(join(folder, 'dist'));
    const { outputFiles } = await bundle();
    for (const { path, contents } of outputFiles) {
      const name = basename(path);
      const file = name === 'program.cjs' ? withLightKeys(Buffer.from(contents).toString()) : contents;
      writeFileSync(join(folder, 'dist', name), file);
    }
    cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });
}

function withLightKeys(program: string): string {
  const { n } = lightScrypt;
  const [before, after, ...more] = program.split('{n:2**18,r:8,p:1}');
  if (after === undefined || more.length > 0) throw new Error('The cost of key files is not where it was.');
  return `${before}{n:${n},r:8,p:1}${after}`;
}

/** Changes with every source, so that a watching test run never uses an old build. */
function fingerprint(): string {
  const times = ['src', 'bin', 'test/build'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => statSync(join(root, folder, path)).mtimeMs,
    ),
  );
  return `${times.length}-${Math.max(...times)}`;
}

async function run(
  argv: readonly string[],
  env: Record<string, string | undefined>,
  { cwd, stdin, isTerminal = false, files = {} }: How & { cwd: string },
): Promise<Ended> {
  const opened = [files.stdout, files.stderr].map((path) => (path === undefined ? undefined : openSync(path, 'a')));
  // Opened for both, so that a pipe without a writer blocks nobody here and has no end.
  opened.push(files.stdin === undefined ? undefined : openSync(files.stdin, 'r+'));
  const [out = 'pipe', err = 'pipe', input = stdin ? 'pipe' : 'ignore'] = opened;
  const words = [process.execPath, ...argv];
  // On a terminal, its two streams would be one.
  const said = join(cwd, `stderr-${randomUUID()}`);
  const [command = '', ...args] = isTerminal
    ? ['script', '-qec', `${words.map(quoted).join(' ')} 2>${quoted(said)}`, '/dev/null']
    : words;
  const { child, ended: ending } = watched(spawn(command, args, { env, cwd, stdio: [input, out, err] }));
  for (const file of opened) if (file !== undefined) closeSync(file);
  child.stdin?.end(stdin);
  const ended = await ending;
  const { stdout, stderr } = ended;
  const shown = isTerminal
    ? { ...ended, stdout: stdout.replaceAll('\r\n', '\n'), stderr: readFileSync(said, 'utf8') }
    : ended;
  if (isTerminal) rmSync(said);
  assertSilent(`${stdout}\n${stderr}\n${shown.stderr}`, secretsOf(argv, { env, cwd }));
  assertEvents(shown.stdout);
  return shown;
}

/** A process whose output is read. */
export function watched(child: ChildProcess): Running {
  const seen = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      seen[name] += text;
    });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...seen }));
  });
  return { child, seen, ended };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
