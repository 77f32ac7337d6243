/**
 * Global setup: every test runs with a temporary folder and a home of this run alone, and every process it starts
 * carries the run's mark. At the end, no files and no processes may be left.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const mark = 'TEST_RUN';

/** The folder of what the test files share: ferry, built once. */
const builds = 'builds';

/** Sets up the folders of the run. Returns the teardown, which throws if anything is left. */
export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(process.env.TMPDIR ?? memory() ?? tmpdir(), 'ferry-test-'));
  const home = mkdtempSync(join(folder, 'home-'));
  const environment = { ...process.env };
  // npm, in the tests that pack and install, keeps its own settings and cache.
  process.env.npm_config_userconfig ??= join(homedir(), '.npmrc');
  process.env.npm_config_cache ??= join(homedir(), '.npm');
  process.env.TMPDIR = folder;
  process.env.HOME = home;
  process.env[mark] = basename(folder);
  process.env.TEST_BUILDS = join(folder, builds);
  for (const name of Object.keys(process.env)) {
    if (/^FERRY_(?!PUBLISHED$)|^XDG_|^ETH_|^NO_COLOR$|^FORCE_COLOR$/.test(name)) delete process.env[name];
  }

  return async () => {
    const left = async (): Promise<string[]> => [...processes(folder), ...files(folder, basename(home))];
    // Processes killed at the end of the last test get a moment to exit.
    for (let waitedMs = 0; waitedMs < 3000 && (await left()).length; waitedMs += 100) await delay(100);
    const found = await left();
    rmSync(folder, { recursive: true, force: true });
    // The next run in this process sets up its own.
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, environment);
    if (!found.length) return;
    // Vitest prints what a teardown throws and ends with 0. `test/run.mjs` knows this number.
    process.exitCode = 3;
    throw new Error(`The tests left behind:\n${found.map((each) => `  ${each}`).join('\n')}`);
  };
}

/**
 * A folder in memory that can hold the files of a run, if there is one. ferry writes through to the disk, and a busy disk
 * takes a tenth of the time.
 */
function memory(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const folder = '/dev/shm';
  const probe = join(folder, `ferry-probe-${process.pid}`);
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < 2 * 2 ** 30) return undefined;
    writeFileSync(probe, '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(probe);
    return folder;
  } catch {
    return undefined;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Processes that carry the mark or run in the folder, this one and its relatives in the test runner apart. */
function processes(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const isMarked = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${mark}=${basename(folder)}`);
        const isInside = command.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
        const isRunner = /node_modules\/(vitest|esbuild|@esbuild|vite)\//.test(command) || command === '';
        return (isMarked || isInside) && !isRunner ? [`process ${pid}: ${command.slice(0, 200)}`] : [];
      } catch {
        return [];
      }
    });
}

/** Files in the folder, and files in the home that do not belong to the tests' own tools. */
function files(folder: string, home: string): string[] {
  const tools = ['.foundry', '.npm', '.cache', '.bash_history', '.zcompdump'];
  const inFolder = readdirSync(folder).filter((name) => ![home, builds, 'node-compile-cache'].includes(name));
  const inHome = readdirSync(join(folder, home)).filter((name) => !tools.includes(name));
  return [...inFolder, ...inHome.map((name) => join(home, name))].flatMap((path) => named(join(folder, path)));
}

/** A file, or a folder with what is in it, which tells who made it. */
function named(path: string): string[] {
  try {
    const inside = readdirSync(path, { recursive: true }).map(String);
    return [`folder: ${path}`, ...inside.slice(0, 20).map((name) => `  ${name}`)];
  } catch {
    return [`file: ${path}`];
  }
}
