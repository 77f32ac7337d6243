/**
 * Set up before each file: from a unit test no process starts, and one that tries fails, whatever the code under test makes of
 * the error. A file that needs processes imports what starts them, and then it is not a unit test.
 */
import childProcess, { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, inject } from 'vitest';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is merged with the one of vitest
  interface ProvidedContext {
    /** The paths of the unit tests from the project's folder. */
    unitTests: readonly string[];
  }
}

/** What this worker's present file has tried to start; undefined if it may. */
type Watch = { tried: string[] | undefined };

// The files of a worker share its modules, so the guard is put up once and told of each file. No hook could take it down
// again: hooks are not called in a file whose tests are all skipped.
const worker = globalThis as { processWatch?: Watch };
worker.processWatch ??= guarded();
const watch = worker.processWatch;

const root = fileURLToPath(new URL('../..', import.meta.url));
const { testPath } = expect.getState();
watch.tried = inject('unitTests').some((path) => join(root, path) === testPath) ? [] : undefined;
afterEach(() => {
  const programs = watch.tried?.splice(0) ?? [];
  if (programs.length > 0) throw new Error(`A unit test starts no process; this one tried ${programs.join(', ')}.`);
});

/** Has everything that starts a process ask first. Of its arguments the program alone is kept: the environment may hold secrets. */
function guarded(): Watch {
  const watching: Watch = { tried: undefined };
  type Start = (this: unknown, ...args: unknown[]) => unknown;
  const asking = (start: Start): Start =>
    function (...args) {
      if (!watching.tried) return start.apply(this, args);
      const what = args[0] as string | { file?: string };
      watching.tried.push(typeof what === 'string' ? what : (what.file ?? ''));
      throw new Error('A unit test starts no process.');
    };
  const prototype = ChildProcess.prototype as unknown as { spawn: Start };
  prototype.spawn = asking(prototype.spawn);
  const starters = childProcess as unknown as Record<'spawnSync' | 'execSync' | 'execFileSync', Start>;
  for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) starters[name] = asking(starters[name]);
  syncBuiltinESMExports();
  return watching;
}
