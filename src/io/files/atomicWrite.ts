/**
 * Files that are there whole or not at all, closed to other users. Each function throws the file system's error.
 *
 * Not by write-file-atomic: it follows a link that lies where its draft goes, takes a short write for a whole one, leaves
 * the folder unsynced, listens for signals, and has no way to create without overwriting.
 */
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a file, in place of the old one if there is one. Makes its folder if it is missing. */
export function replace(path: string, text: string): void {
  // A link stays one: its target is replaced.
  const target = targetOf(path);
  durably(target, text, (draft) => renameSync(draft, target));
}

/** Writes a file that must not exist yet: fails with EEXIST, and never overwrites. Makes its folder if it is missing. */
export function create(path: string, text: string): void {
  durably(path, text, (draft) => {
    linkSync(draft, path);
    rmSync(draft);
  });
}

/**
 * Writes a file that need not survive a crash of the machine, without waiting for the disk. What is in its place is
 * replaced, even a link, and its folder must exist.
 */
export function replaceUnsynced(path: string, text: string): void {
  viaDraft(
    dirname(path),
    (file) => writeFileSync(file, text),
    (draft) => renameSync(draft, path),
  );
}

function durably(path: string, text: string, place: (draft: string) => void): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (file: number): void => {
    writeFileSync(file, text);
    // Without this a crash of the machine can leave an empty file under the final name.
    fsyncSync(file);
  };
  viaDraft(folder, write, place);
  syncFolder(folder);
}

function viaDraft(folder: string, write: (file: number) => void, place: (draft: string) => void): void {
  const [draft, file] = openDraft(folder);
  try {
    try {
      write(file);
    } finally {
      closeSync(file);
    }
    place(draft);
  } catch (error) {
    discard(draft);
    throw error;
  }
}

/** Opens a file of its own, whatever a crash has left there: in containers process ids repeat. */
function openDraft(folder: string): [path: string, file: number] {
  for (;;) {
    const path = join(folder, `.${process.pid}.${draftCount++}.tmp`);
    try {
      return [path, openSync(path, 'wx', 0o600)];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

let draftCount = 0;

function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // The error that is already on its way says more.
  }
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Makes the new name itself last. Not every file system can. */
function syncFolder(folder: string): void {
  let file: number | undefined;
  try {
    file = openSync(folder, 'r');
    fsyncSync(file);
  } catch {
    // The file's content is safe all the same.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
