/** Inspects ferry's own files on this machine: key files, the state directory, the version of Node. */
import type { Dirent } from 'node:fs';
import { access, constants, open, readdir, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as Keystore from '../../core/accounts/Keystore.js';
import * as VenueKeyFile from '../../core/accounts/VenueKeyFile.js';
import { BaseError } from '../../core/base/Errors.js';
import type { FileInfo, KeyFile, StateDirectory, SystemInfo } from '../../core/ports/SystemInfo.js';
import { reasonOf } from '../files/fileError.js';
import * as keystoreFolder from '../keys/keystoreFolder.js';
import { folder as venueFolder } from '../keys/venueKeys.js';
import * as fileLock from '../locks/fileLock.js';
import * as paths from '../state/paths.js';

export function createMachine(host: paths.Environment): SystemInfo {
  return {
    node: process.versions.node,
    platform: process.platform,
    look: (path) => look(resolve(host.cwd, path)),
    keyFiles: async () => [
      ...(await keyFiles(paths.keys(host), Keystore.from)),
      ...(await keyFiles(venueFolder(host), VenueKeyFile.from)),
    ],
    state: () => state(paths.sandboxPaths(host)),
  };
}

async function look(path: string): Promise<FileInfo> {
  const found = await stat(path).catch(() => undefined);
  return { path, isThere: found !== undefined, isOpen: found !== undefined && (found.mode & 0o077) !== 0 };
}

async function keyFiles(folder: string, read: (text: string, path: string) => unknown): Promise<KeyFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException): Dirent[] => {
    if (error.code === 'ENOENT') return [];
    throw new Keystore.KeystoreError(folder, error.code ?? 'unknown');
  });
  const isLeftOver = (name: string): boolean => /^\.\d+\.\d+\.tmp$/.test(name);
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  const [found, odd]: [KeyFile[], KeyFile[]] = [[], []];
  for (const name of names.sort()) {
    const path = join(folder, name);
    const { isOpen } = await look(path);
    const problem = isLeftOver(name) ? undefined : await problemOf(path, read);
    const file = { path, isOpen, isLeftOver: isLeftOver(name), problem };
    if (Keystore.isName(name) || file.isLeftOver) found.push(file);
    // Other tools keep files with other names in the same folder. Keys among them are not listed.
    else if (problem === undefined) odd.push({ ...file, problem: keystoreFolder.oddName(path) });
  }
  return [...found, ...odd];
}

async function problemOf(path: string, read: (text: string, path: string) => unknown): Promise<string | undefined> {
  try {
    read(await keystoreFolder.readText(path), path);
    return undefined;
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    return error.facts.find(([label]) => label === 'reason')?.[1] ?? error.message;
  }
}

async function state({ stateDir, folder }: paths.SandboxPaths): Promise<StateDirectory> {
  const seen = await look(stateDir);
  const nearest = await existing(stateDir);
  const [problem, room, locks] = await Promise.all([
    seen.isThere ? tryWriting(stateDir) : tryEntering(nearest),
    statfs(nearest, { bigint: true }).catch(() => undefined),
    abandonedLocks({ stateDir, folder }),
  ]);
  return { ...seen, problem, freeBytes: room && room.bavail * room.bsize, abandonedLocks: locks };
}

/** The path itself, or its closest existing ancestor. */
async function existing(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) if (at === dirname(at) || (await look(at)).isThere) return at;
}

/** Only a write reveals a full or read-only disk. */
async function tryWriting(folder: string): Promise<string | undefined> {
  const path = join(folder, `.${process.pid}.doctor`);
  try {
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile('x'.repeat(512));
      await file.sync();
    } finally {
      await file.close();
      await unlink(path);
    }
    return undefined;
  } catch (error) {
    return reasonOf(error as NodeJS.ErrnoException);
  }
}

async function tryEntering(path: string): Promise<string | undefined> {
  try {
    // The trailing dot makes a regular file fail.
    await access(`${path}/.`, constants.W_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error as NodeJS.ErrnoException);
  }
}

/** Lock files whose holders have died: of the sandbox, and of nonces and runs. */
async function abandonedLocks({
  stateDir,
  folder,
}: Pick<paths.SandboxPaths, 'stateDir' | 'folder'>): Promise<string[]> {
  const names = await readdir(join(stateDir, 'locks')).catch(() => []);
  const ofPayments = names.filter((name) => !name.startsWith('.')).map((name) => join(stateDir, 'locks', name));
  const locks = [join(folder, 'lock'), ...ofPayments];
  const verdicts = await Promise.all(locks.map(fileLock.isAbandoned));
  return locks.filter((_, index) => verdicts[index]);
}
