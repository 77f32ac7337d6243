/**
 * Set up before each file: from a unit test no process starts, and one that tries fails, whatever the code under test makes of
 * the error. A file that needs processes imports what starts them, and then it is not a unit test.
 */
import childProcess, { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, inject } from 'vitest';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is merged with the one of vitest
  interface ProvidedContext {
    /** The paths of the unit tests from the project's folder. */
    unitTests: readonly string[];
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const { testPath } = expect.getState();
if (inject('unitTests').some((path) => join(root, path) === testPath)) forbid();

function forbid(): void {
  const tried: string[] = [];
  /** Of the arguments it names the program alone: the environment may hold secrets. */
  const refuse = (what: string | { file?: string }): never => {
    tried.push(typeof what === 'string' ? what : (what.file ?? ''));
    throw new Error('A unit test starts no process.');
  };
  const { spawnSync, execSync, execFileSync } = childProcess;
  const prototype = ChildProcess.prototype as unknown as Record<'spawn', unknown>;
  const { spawn } = prototype;

  prototype.spawn = refuse;
  Object.assign(childProcess, { spawnSync: refuse, execSync: refuse, execFileSync: refuse });
  syncBuiltinESMExports();

  afterEach(() => {
    const programs = tried.splice(0);
    if (programs.length > 0) throw new Error(`A unit test starts no process; this one tried ${programs.join(', ')}.`);
  });
  // The next file in this worker may be one of processes.
  afterAll(() => {
    prototype.spawn = spawn;
    Object.assign(childProcess, { spawnSync, execSync, execFileSync });
    syncBuiltinESMExports();
  });
}
