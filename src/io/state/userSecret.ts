/**
 * This user's secret, which seals journals and saved quotes: random bytes in the state directory, made at first use. It
 * stays beside what it seals, so that processes, containers and machines that share journals share it. It is read into
 * a function, never printed, and no child process inherits it.
 *
 * What it cannot hold: who reads it, as the user and root can, can forge both. Who can write as this user can delete a
 * journal, cut its last lines off or put an older state of the whole directory back. The seals do not show that; the
 * nonces on the chain then do not follow, and the user is asked.
 */
import { createHmac } from 'node:crypto';
import { closeSync, fstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import type { Seal } from '../../core/base/Seal.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { reasonOf } from '../files/fileError.js';
import { assertOurs } from '../files/fileOwner.js';
import * as regularFile from '../files/regularFile.js';
import type { Host } from '../terminal/host.js';
import { type Environment, stateDir } from './paths.js';
import * as stateFolders from './stateFolders.js';

export function path(place: Environment): string {
  return join(stateDir(place), 'secret');
}

/** The user's secret; undefined if there is none yet. @throws state.untrusted · config.unreadable */
export function find(place: Environment): Seal | undefined {
  const file = path(place);
  stateFolders.assertOurs(place);
  const text = read(file);
  return text === undefined ? undefined : sealOf(file, text);
}

/**
 * The user's secret, made if there is none. Of processes that make one at the same time, the first one wins.
 *
 * @throws state.untrusted · config.unreadable · config.unwritable
 */
export function findOrMake(host: Environment & Pick<Host, 'randomBytes'>): Seal {
  const found = find(host);
  if (found) return found;
  const file = path(host);
  try {
    create(file, `${Buffer.from(host.randomBytes(bytes)).toString('hex')}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      const cause = error as NodeJS.ErrnoException;
      throw new BaseError(
        'config.unwritable',
        `The secret that seals journals cannot be written to ${file}. Nothing was signed.`,
        {
          facts: [['reason', reasonOf(cause)]],
          hint: 'Set FERRY_STATE_DIR to another directory.',
          cause,
        },
      );
    }
  }
  return sealOf(file, read(file) ?? '');
}

/** Both of them, as a store of runs wants them: the secret is read once. */
export function sealing(host: Environment & Pick<Host, 'randomBytes'>): Sealing {
  let found: Seal | undefined;
  return {
    find: () => {
      found ??= find(host);
      return found;
    },
    findOrMake: () => {
      found ??= findOrMake(host);
      return found;
    },
  };
}

export type Sealing = { find(): Seal | undefined; findOrMake(): Seal };

const bytes = 32;

/** Writes a new file; never over another. Not every file system has the hard links that make that atomic. */
function create(file: string, text: string): void {
  try {
    atomicWrite.create(file, text);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error;
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  }
}

/** The text of the file, which no other user can read or write; undefined if there is none. */
function read(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = regularFile.open(file, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unreadableSecretError(file, reasonOf(error as NodeJS.ErrnoException));
  }
  try {
    const found = fstatSync(descriptor);
    assertOurs(file, found);
    if ((found.mode & 0o077) !== 0)
      // Other users could have read it, and sealed what they like.
      throw new BaseError('state.untrusted', `Other users can read ${file}, the secret that seals your journals.`, {
        facts: [['mode', (found.mode & 0o777).toString(8).padStart(4, '0')]],
        hint: `If somebody may have read it, remove it: ${afterwards} Else close it.`,
        next: ShellCommand.line`chmod 600 ${file}`,
      });
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function sealOf(file: string, text: string): Seal {
  if (!/^[0-9a-f]{64}\n$/.test(text)) throw unreadableSecretError(file, 'it is not one that ferry made');
  const secret = Buffer.from(text.trim(), 'hex');
  const mac = (of: string): string => createHmac('sha256', secret).update(of).digest('hex').slice(0, 32);
  return { id: mac('ferry.secret').slice(0, 8), of: mac };
}

const afterwards = 'ferry then makes another one, and asks before it acts on older runs and saved quotes.';

function unreadableSecretError(file: string, why: string): BaseError {
  return new BaseError('config.unreadable', `${file}, the secret that seals your journals, cannot be read.`, {
    facts: [['reason', why]],
    hint: `If it is damaged, remove it: ${afterwards}`,
  });
}
