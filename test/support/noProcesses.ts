/**
 * Set up before each file of the unit tests: no process starts there, and a test that tries fails, whatever the code under
 * test makes of the error. A file that needs processes imports what starts them, and then it is not a unit test.
 */
import childProcess, { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach } from 'vitest';

const tried: string[] = [];

/** Stands in for what starts a process. Of the arguments it names the program alone: the environment may hold secrets. */
function refuse(what: string | { file?: string }): never {
  tried.push(typeof what === 'string' ? what : (what.file ?? ''));
  throw new Error('A unit test starts no process.');
}

Object.assign(ChildProcess.prototype, { spawn: refuse });
Object.assign(childProcess, { spawnSync: refuse, execSync: refuse, execFileSync: refuse });
syncBuiltinESMExports();

afterEach(() => {
  const programs = tried.splice(0);
  if (programs.length > 0) throw new Error(`A unit test starts no process; this one tried ${programs.join(', ')}.`);
});
