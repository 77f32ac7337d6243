/**
 * Starts ferry in the real process: answers `--version` and `--help` at once, and loads the program, one file, with
 * the code that V8 has compiled for the same command before.
 *
 * `--help` comes from `dist/overview.cjs`, the same program without what its commands load. The program is one file, in
 * which a module is evaluated when it is first needed: 128 small files took longer to load than a quote took otherwise.
 */
import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as codeCache from './io/files/codeCache.js';

type Program = Pick<typeof import('./main.js'), 'main'>;

/** Starts the program of a folder, which the build makes. */
export function start(argv: readonly string[], dist: string): void {
  const [first = '', ...rest] = argv;
  const asksVersion = rest.length === 0 && ['--version', '-V', '-v'].includes(first);
  if (asksVersion && hasPrinted(`${process.env.FERRY_VERSION}\n`)) return;
  if (argv.length === 0 || (rest.length === 0 && ['--help', '-h', 'help'].includes(first))) {
    void (createRequire(dist)(join(dist, 'overview.cjs')) as Program).main(argv);
    return;
  }
  const command = commandOf(argv);
  // Loading it takes longer than answering a shell.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  // The records used last, and what a request holds while it waits for a chain, outlive the young generation, so that only a
  // full collection frees them. V8 lets the heap grow to four times of what lives before it makes one, later or sooner as it
  // runs. Twice keeps the memory of a sandbox steady.
  if (command === 'sandbox-start') setFlagsFromString('--heap-growing-percent=100');
  // On Node 20, a process waits at exit until the HTTP parser's WebAssembly is optimized, which a few requests never need.
  // Node 22 and later do not wait. The cached code is for the flags of the process, so they are set before there is any.
  if (process.version.startsWith('v20.') && !command.startsWith('sandbox')) setFlagsFromString('--liftoff-only');
  // A worker is on for as long as a sandbox, and keeps nothing of its lines: its young generation stays as it is.
  if (command === 'worker') {
    setFlagsFromString('--heap-growing-percent=50');
    setFlagsFromString('--semi-space-growth-factor=1');
  }
  void load(join(dist, 'program.cjs'), command).main(argv);
}

/** Whether stdout took the text. If not, the program says why. */
function hasPrinted(text: string): boolean {
  try {
    return writeSync(1, text) === text.length;
  } catch {
    return false;
  }
}

/** The name of the command, by its first words; other command lines are one. */
function commandOf(argv: readonly string[]): string {
  const words = argv.filter((word) => !word.startsWith('-')).slice(0, 2);
  if (argv.includes('--help') || argv.includes('-h') || words[0] === 'help' || words.length === 0) return 'help';
  const names: readonly string[] = JSON.parse(process.env.FERRY_COMMANDS ?? '[]');
  return (names.find((name) => name === words.join(' ')) ?? names.find((name) => name === words[0]) ?? 'other').replace(
    ' ',
    '-',
  );
}

/** Loads the program as `require` would. */
function load(path: string, command: string): Program {
  // The text is ASCII.
  const text = readFileSync(path, 'latin1');
  const build = /^\/\/([0-9a-f]{16})\n/.exec(text)?.[1];
  const cache = build === undefined ? undefined : codeCache.open(build);
  const cachedData = cache?.read(command);
  const { Script } = process.getBuiltinModule('node:vm');
  const script = new Script(text, {
    filename: pathToFileURL(path).href,
    ...(cachedData ? { cachedData } : {}),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, path);
  if (cache && (!cachedData || script.cachedDataRejected))
    process.once('exit', () => cache.write(command, script.createCachedData()));
  return module.exports as Program;
}
