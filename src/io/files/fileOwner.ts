/** Who could have written a file: what decides about money is read only from files that are the user's alone. */
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BaseError, type Funds } from '../../core/base/Errors.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import { attempt } from './attempt.js';

/** Owner and mode, of a file or a folder. */
export type Owned = Pick<Stats, 'uid' | 'mode'> & { isDirectory(): boolean };

/** Group and others may write. */
const writable = 0o022;

/** Where the funds are if it is not, and what else the user can do, in words. */
export type Otherwise = { funds?: Funds | undefined; instead?: string | undefined };

const inFolder = 'set FERRY_STATE_DIR to a folder of your own';

/**
 * Refuses a folder or file that another user owns, or that others may write to. Root may own it: root can read the
 * secret of every user anyway.
 *
 * @throws state.untrusted
 */
export function assertOurs(
  path: string,
  found: Owned,
  { funds = 'untouched', instead = inFolder }: Otherwise = {},
): void {
  const { uid, mode } = found;
  const own = process.getuid?.();
  if (own !== undefined && uid !== own && uid !== 0)
    throw new BaseError('state.untrusted', `${path} belongs to another user, who may have put anything there.`, {
      facts: [
        ['owner', `user ${uid}`],
        ['you', `user ${own}`],
      ],
      hint: `Move it away, or ${instead}. If it is yours, as after a restore or on a mounted disk, take it over.`,
      next: ShellCommand.line`sudo chown -R ${own} ${path}`,
      funds,
    });
  if ((mode & writable) !== 0)
    throw new BaseError('state.untrusted', `Other users can write to ${path}, and may have put anything there.`, {
      facts: [['mode', (mode & 0o7777).toString(8).padStart(4, '0')]],
      hint: found.isDirectory()
        ? `Close it, once you have seen that all files in it are yours. On a disk that keeps no modes, ${instead}.`
        : 'Close it, if you are sure that nobody has changed it.',
      next: ShellCommand.line`chmod go-w ${path}`,
      funds,
    });
}

/** The same of what is there; what is missing is nobody's. @throws state.untrusted · the file system's error */
export function assertOursIfThere(path: string, otherwise?: Otherwise): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) assertOurs(path, found, otherwise);
}

/**
 * The file that a path to write names: itself, or what a link of the user's leads to. A link in a folder that others can
 * write to may be anybody's, and lead to any file of the user's.
 *
 * @throws an error if it is such a link
 */
export function targetOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isSymbolicLink()) return path;
  const own = process.getuid?.();
  const isOurs = own === undefined || found.uid === own || found.uid === 0;
  if (!isOurs || (statSync(dirname(path)).mode & writable) !== 0)
    throw new Error('it is a link in a folder that others can write to');
  // One that leads nowhere is replaced.
  return attempt(() => realpathSync(path)) ?? path;
}
