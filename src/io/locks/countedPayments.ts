/** Which payments the transfers of this machine have counted: a file each, so that two processes cannot both have one. */
import { join } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import type { Counted } from '../../core/ports/Ports.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { reasonOf } from '../files/fileError.js';
import * as fileOwner from '../files/fileOwner.js';
import * as regularFile from '../files/regularFile.js';

/** The payments at a place: the chains of one network or, for the sandbox, of one instance. */
export function createCounted(folder: string, place: () => Promise<string>): Counted {
  return {
    async count(id, owner) {
      const path = join(folder, await place(), fileNameOf(id));
      try {
        fileOwner.assertOursIfThere(folder, { funds: 'unknown' });
        atomicWrite.create(path, `${owner}\n`);
        return true;
      } catch (error) {
        if (error instanceof BaseError) throw error;
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritableNotes(folder, error);
        return readNote(folder, path) === owner;
      }
    },
    ownerOf: async (id) => readNote(folder, join(folder, await place(), fileNameOf(id))),
  };
}

/** Whose payment it is; undefined if nobody has it. */
function readNote(folder: string, path: string): string | undefined {
  try {
    return regularFile.read(path).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unwritableNotes(folder, error);
  }
}

function unwritableNotes(folder: string, cause: unknown): BaseError {
  return new BaseError('config.unwritable', 'What this transfer counts as its own cannot be noted or looked up.', {
    facts: [
      ['folder', folder],
      ['reason', reasonOf(cause as NodeJS.ErrnoException)],
    ],
    hint: 'Make the folder readable and writable, then resume the run.',
    funds: 'unknown',
    cause,
  });
}

/** The payments that this process has counted, where no others pay. */
export function createCountedHere(): Counted {
  const owners = new Map<string, string>();
  return {
    async count(id, owner) {
      const known = owners.get(id) ?? owner;
      owners.set(id, known);
      return known === owner;
    },
    ownerOf: async (id) => owners.get(id),
  };
}

/** A payment's name, in a folder and in a store. */
export function fileNameOf(id: string): string {
  return id.replaceAll(/[^0-9a-z.-]/gi, '_');
}
