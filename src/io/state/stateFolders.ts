/** The folders of the state that decide about money: nobody else may write to them. */
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../files/attempt.js';
import * as fileOwner from '../files/fileOwner.js';
import { type Environment, stateDir } from './paths.js';
import * as runNames from './runNames.js';

/** Below the state directory; the last ones are the index of the journals. */
const names: readonly string[] = [
  'runs',
  'locks',
  'nonces',
  'counted',
  ...['', 'names', 'open', 'unrecorded', 'ledgers'].map((name) => join('runs', runNames.indexName, name)),
];

/**
 * Refuses a state directory that another user owns or can write to, or a folder in it. A folder that is still empty is
 * closed instead: nobody has put anything there.
 *
 * @throws state.untrusted
 */
export function assertOurs(place: Environment): void {
  const top = stateDir(place);
  closeIfEmpty(top);
  for (const path of [top, ...names.map((name) => join(top, name))]) {
    try {
      fileOwner.assertOursIfThere(path);
    } catch (error) {
      // What cannot be looked at cannot be read either, and whoever reads it says so.
      if (!(error as NodeJS.ErrnoException).errno) throw error;
    }
  }
}

/** `mkdir` with the umask of many systems makes a folder that the user's group may write to. */
function closeIfEmpty(path: string): void {
  // Otherwise it is not there, or the check that follows refuses it.
  attempt(() => {
    const { uid, mode } = statSync(path);
    if (uid === process.getuid?.() && (mode & 0o022) !== 0 && readdirSync(path).length === 0) chmodSync(path, 0o700);
  });
}
