/** Who could have written a file: what decides about money is read only from files that are the user's alone. */
import { type Stats, statSync } from 'node:fs';
import { BaseError, type Funds } from '../../core/base/Errors.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';

/** Owner and mode, of a file or a folder. */
export type Owned = Pick<Stats, 'uid' | 'mode'> & { isDirectory(): boolean };

/** Group and others may write. */
const writable = 0o022;

/**
 * Refuses a folder or file that another user owns, or that others may write to. Root may own it: root can read the
 * secret of every user anyway.
 *
 * @throws state.untrusted
 */
export function assertOurs(path: string, found: Owned, funds: Funds = 'untouched'): void {
  const { uid, mode } = found;
  const own = process.getuid?.();
  if (own !== undefined && uid !== own && uid !== 0) throw new ForeignFileError(path, uid, own, funds);
  if ((mode & writable) !== 0) throw new SharedError(path, mode, found.isDirectory(), funds);
}

/** The same of what is there; what is missing is nobody's. @throws state.untrusted · the file system's error */
export function assertOursIfThere(path: string, funds?: Funds): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) assertOurs(path, found, funds);
}

export class ForeignFileError extends BaseError {
  override name = 'ForeignFileError';
  constructor(path: string, uid: number, own: number, funds: Funds) {
    super('state.untrusted', `${path} belongs to another user, who may have put anything there.`, {
      facts: [
        ['owner', `user ${uid}`],
        ['you', `user ${own}`],
      ],
      hint: 'Move it away, or set FERRY_STATE_DIR to a folder of your own. If it is yours, as after a restore or on a mounted disk, take it over.',
      next: `sudo chown -R ${own} ${ShellCommand.word(path)}`,
      funds,
    });
  }
}

export class SharedError extends BaseError {
  override name = 'SharedError';
  constructor(path: string, mode: number, isFolder: boolean, funds: Funds) {
    super('state.untrusted', `Other users can write to ${path}, and may have put anything there.`, {
      facts: [['mode', (mode & 0o7777).toString(8).padStart(4, '0')]],
      hint: isFolder
        ? 'Close it, once you have seen that all files in it are yours. On a disk that keeps no modes, set FERRY_STATE_DIR to another folder.'
        : 'Close it, if you are sure that nobody has changed it.',
      next: `chmod go-w ${ShellCommand.word(path)}`,
      funds,
    });
  }
}
