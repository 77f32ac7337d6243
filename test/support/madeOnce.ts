/** What the test files of a run share, made by the first of them and removed at the end of the run. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const known = new Map<string, Promise<string>>();

/** The folder of that name, filled once, whichever worker asks first. */
export function madeOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const found = known.get(name) ?? makeIn(process.env.TEST_BUILDS ?? '', name, fill);
  known.set(name, found);
  return found;
}

async function makeIn(builds: string, name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(builds, name);
  if (existsSync(folder)) return folder;
  mkdirSync(builds, { recursive: true });
  try {
    mkdirSync(`${folder}-begun`);
  } catch {
    for (const end = Date.now() + 30_000; Date.now() < end; await delay(50)) if (existsSync(folder)) return folder;
  }
  const own = mkdtempSync(join(builds, 'making-'));
  await fill(own);
  try {
    renameSync(own, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(own, { recursive: true });
  }
  return folder;
}
