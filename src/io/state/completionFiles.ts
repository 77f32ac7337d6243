/** The files from which a shell loads its completions. */
import { chmod, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as Installation from '../../core/completion/Installation.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { orAborted } from '../files/interruptible.js';
import type { Host } from '../terminal/host.js';
import { unwritableConfigError } from './configStore.js';

/** The system-wide bash start files of Debian and Fedora. */
const systemFiles = ['/etc/bash.bashrc', '/etc/bashrc'];

export function createCompletionFiles(
  host: Pick<Host, 'env' | 'home' | 'signal'>,
  system: readonly string[] = systemFiles,
): Installation.Files {
  const { env, signal } = host;
  const read = (path: string): Promise<string | undefined> => orAborted(signal, readText(path));
  return {
    shell: () => Installation.shellOf(env),

    async installation(shell) {
      const { home } = host;
      const hasBashCompletion = shell === 'bash' && (await loadsBashCompletion(home, system, read));
      return Installation.from(shell, { env, home, hasBashCompletion });
    },

    read,

    replace: (path, text) =>
      writing(path, async () => {
        // Keeps the file readable for other users: a script holds no secret.
        const mode = (await stat(path).catch(() => undefined))?.mode ?? 0o644;
        atomicWrite.replace(path, text);
        await chmod(path, mode & 0o777);
      }),

    remove: (path) => writing(path, () => rm(path, { force: true })),
  };
}

/** Whether a start file mentions bash-completion outside a comment. Where ferry's own lines are, they do its work. */
async function loadsBashCompletion(
  home: string,
  system: readonly string[],
  read: Installation.Files['read'],
): Promise<boolean> {
  const files = [join(home, '.bashrc'), join(home, '.bash_profile'), ...system];
  const texts = await Promise.all(files.map(read));
  if (Installation.isIn(texts[0] ?? '')) return false;
  return texts.some((text) => /^[^#\n]*\bbash[_-]completion\b/m.test(text ?? ''));
}

/** Reads a file; undefined if there is none. Throws if it cannot be read, so that it is never overwritten. */
async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw unwritableConfigError(path, error);
  });
}

/** @throws config.unwritable */
async function writing(path: string, write: () => Promise<void>): Promise<void> {
  await write().catch((error: NodeJS.ErrnoException) => {
    throw unwritableConfigError(path, error);
  });
}
