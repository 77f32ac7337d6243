import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from './attempt.js';

/**
 * Makes a folder that only this user may enter, with its parents; returns the first that was missing. Node's own
 * recursive mkdir never returns where the system answers that a parent is missing, as in /proc, and elsewhere hides why
 * a parent cannot be made.
 *
 * @throws the file system's error
 */
export function makeFolder(path: string): string | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
    return path;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    const parent = dirname(path);
    if (code === 'ENOENT' && parent !== path && !statSync(parent, { throwIfNoEntry: false })) {
      const first = makeFolder(parent);
      return makeFolder(path) === undefined ? undefined : (first ?? path);
    }
    if (attempt(() => statSync(path).isDirectory())) return undefined;
    throw thrown;
  }
}
