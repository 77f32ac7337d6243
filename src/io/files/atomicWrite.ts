/** Files that are there whole or not at all, closed to other users. Each function throws the file system's error. */
import { link, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes a file, in the place of the old one if there is one. Makes its folder where it is missing. */
export async function replace(path: string, text: string): Promise<void> {
  // A link stays one: what it leads to is replaced.
  const target = await realpath(path).catch(() => path);
  await viaDraft(target, text, (draft) => rename(draft, target));
}

/** Writes a file that must not be there yet: fails with EEXIST, and never overwrites. */
export async function create(path: string, text: string): Promise<void> {
  await viaDraft(path, text, async (draft) => {
    await link(draft, path);
    await rm(draft);
  });
}

async function viaDraft(path: string, text: string, place: (draft: string) => Promise<void>): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${process.pid}.${draftCount++}.tmp`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    // Without this a crash of the machine can leave an empty file under the final name.
    await file.sync();
    await file.close();
    await place(draft);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

let draftCount = 0;

/** Makes the new name itself last. Not every file system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
