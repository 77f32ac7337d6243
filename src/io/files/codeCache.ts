/**
 * V8's code cache: what a command compiled once, its next process loads. Node has none for a program in one file before
 * version 22, and its own one lies in the shared temporary folder, where somebody else could put one.
 *
 * Cached code is run as it is. Only files are read that this user owns and nobody else can write, in a folder of which the
 * same is true; whoever can write there as this user can change what this user runs anyway.
 *
 * Node's own cache keeps what the first command compiled, whichever that was. `NODE_DISABLE_COMPILE_CACHE=1` turns this
 * one off.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { attempt } from './attempt.js';

/** Bytes of the checksum before the code: V8 does not look whether the disk gave back what was written. */
const sumBytes = 32;

/** The SHA-256 of the code. */
function digest(code: Uint8Array): Buffer {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(code).digest();
}

/** The cache of a build, as a fingerprint tells it. Undefined if the user wants none, or has no place for it. */
export function open(
  build: string,
  // A user may have no home. With a cache folder of its own, nobody needs one.
  {
    env = process.env,
    home = attempt(() => env.HOME || homedir()) ?? '',
  }: { env?: NodeJS.ProcessEnv; home?: string } = {},
) {
  const folder = folderOf(env, home);
  const user = process.geteuid?.();
  if (folder === undefined || user === undefined || env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  // Code of one version of Node is nothing to another.
  const kind = `${process.version}-${process.arch}-`;
  const pathOf = (command: string): string => join(folder, `${kind}${build}-${command}`);
  const isOwn = ({ uid, mode }: Stats): boolean => uid === user && (mode & 0o022) === 0;
  const isPrivate = (): boolean => {
    const stats = lstatSync(folder);
    return stats.isDirectory() && isOwn(stats);
  };
  return {
    /** The cached code of a command; undefined if there is none, or none that can be trusted. */
    read(command: string): Buffer | undefined {
      return attempt(() => {
        const file = openSync(pathOf(command), constants.O_RDONLY | constants.O_NOFOLLOW);
        try {
          const stats = fstatSync(file);
          if (!isPrivate() || !stats.isFile() || !isOwn(stats)) return undefined;
          const bytes = readFileSync(file);
          const code = bytes.subarray(sumBytes);
          return digest(code).equals(bytes.subarray(0, sumBytes)) ? code : undefined;
        } finally {
          closeSync(file);
        }
      });
    },
    /** Keeps the code of a command, in place of that of other builds. Where that is not possible, nothing is kept. */
    write(command: string, code: Buffer): void {
      const own = `${pathOf(command)}.${process.pid}`;
      try {
        makePlace(folder);
        if (!isPrivate()) return;
        for (const name of readdirSync(folder))
          if (name.startsWith(kind) && !name.startsWith(`${kind}${build}-`)) rmSync(join(folder, name));
        writeFileSync(own, Buffer.concat([digest(code), code]), { mode: 0o600, flag: 'wx' });
        renameSync(own, pathOf(command));
      } catch {
        attempt(() => rmSync(own, { force: true }));
      }
    },
  };
}

/**
 * Makes the folder and the two above it, which are the cache's own. A home that is not there, such as one that was removed
 * while the command ran, is not made for a cache.
 */
function makePlace(folder: string): void {
  for (const each of [dirname(dirname(folder)), dirname(folder), folder])
    if (lstatSync(each, { throwIfNoEntry: false }) === undefined) mkdirSync(each, { mode: 0o700 });
}

/** `$XDG_CACHE_HOME/ferry/code`, else `~/.cache/ferry/code`. */
function folderOf({ XDG_CACHE_HOME: xdg }: NodeJS.ProcessEnv, home: string): string | undefined {
  const base = xdg && isAbsolute(xdg) ? xdg : isAbsolute(home) ? join(home, '.cache') : undefined;
  return base && join(base, 'ferry', 'code');
}
