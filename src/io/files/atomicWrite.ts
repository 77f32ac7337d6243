/**
 * Atomic writes of files that are private to the user. Each function throws the file system's error.
 *
 * Does not use write-file-atomic, which follows a link in place of its temporary file, accepts short writes, does not
 * sync the folder, listens for signals, and cannot create a file without overwriting.
 */
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from './attempt.js';
import { targetOf } from './fileOwner.js';
import { makeFolder } from './makeFolder.js';

const textAtOnce = 64 * 1024;

/** Writes a file, replacing an existing one. Creates its folder if it is missing. */
export function replace(path: string, text: string): void {
  // A symbolic link is kept: its target is replaced.
  const target = targetOf(path);
  durably(target, text, (draft) => renameSync(draft, target));
}

/** The same for texts that are not held in memory together. */
export async function replaceWith(path: string, texts: AsyncIterable<string>): Promise<void> {
  const target = targetOf(path);
  makeFolder(dirname(target));
  const [draft, file] = openDraft(dirname(target));
  try {
    try {
      let some = '';
      for await (const text of texts) {
        some += text;
        if (some.length < textAtOnce) continue;
        writeFileSync(file, some);
        some = '';
      }
      writeFileSync(file, some);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, target);
  } catch (error) {
    discard(draft);
    throw error;
  }
  trySyncFolder(dirname(target));
}

/** Creates a file; fails with EEXIST if it exists, and never overwrites. Creates its folder if it is missing. */
export function create(path: string, text: string): void {
  durably(path, text, (draft) => {
    linkSync(draft, path);
    rmSync(draft);
  });
}

/** Gives a file another name in its folder; fails with EEXIST if that is taken, and never overwrites. */
export function move(from: string, to: string): void {
  // A crash in between leaves both names, never none.
  linkSync(from, to);
  rmSync(from);
  trySyncFolder(dirname(to));
}

/**
 * Writes a file that need not survive a machine crash, without waiting for the disk. Replaces what is in its place,
 * even a symbolic link. Its folder must exist.
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
  makeFolder(folder);
  const write = (file: number): void => {
    writeFileSync(file, text);
    // Without this, a machine crash can leave an empty file under the final name.
    fsyncSync(file);
  };
  viaDraft(folder, write, place);
  trySyncFolder(folder);
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

/**
 * Opens a new temporary file, never one that is there, nor what a link leads to. Skips leftovers of a crash: in
 * containers, process ids repeat.
 */
export function openDraft(folder: string): [path: string, file: number] {
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

/** Never throws: the original error is more useful. */
function discard(draft: string): void {
  attempt(() => rmSync(draft, { force: true }));
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The same where the file system supports it: the content of the file is durable anyway. */
function trySyncFolder(folder: string): void {
  attempt(() => syncFolder(folder));
}
