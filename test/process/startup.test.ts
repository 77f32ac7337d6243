/** What the fast answers load: the budget on start-up, as a list of modules rather than as a time. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle, packageOf } from '../support/build.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ferry = join(root, 'bin/ferry.js');
const heavy = [
  'viem',
  'undici',
  'ora',
  '@inquirer/confirm',
  '@inquirer/password',
  'hono',
  'cosmiconfig',
  'zod',
  'chalk',
];

let outputs: Readonly<Record<string, { inputs: Readonly<Record<string, unknown>> }>> = {};

beforeAll(async () => {
  outputs = (await bundle()).metafile.outputs;
});

describe('start-up', () => {
  test('behavior: --version loads main alone', () => {
    expect(loaded(['--version'])).toEqual(['bin/ferry.js', 'dist/main.js']);
  });

  test('behavior: --help loads nothing heavy', () => {
    const files = loaded(['--help']);
    expect(packages(files).filter((name) => heavy.includes(name))).toEqual([]);
    expect(packages(files)).toContain('commander');
    expect(
      sources(files).filter((path) => /^src\/(sandbox|venue|commands\/.*\/)|^src\/io\/(?!host|output)/.test(path)),
    ).toEqual([]);
  });

  test('behavior: quote loads no command but its own, and not the sandbox', () => {
    const files = loaded(['quote', '--help']);
    expect(
      packages(files).filter((name) => ['undici', 'ora', 'hono', 'cosmiconfig', '@inquirer/confirm'].includes(name)),
    ).toEqual([]);
    expect(sources(files).filter((path) => path.startsWith('src/sandbox/'))).toEqual([]);
  });
});

/** The files of this project that a command line loads, as paths from the root. */
function loaded(args: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-startup-'));
  try {
    const { status, stderr } = spawnSync(process.execPath, [ferry, ...args], {
      env: { ...process.env, NODE_V8_COVERAGE: folder },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const scripts = readdirSync(folder).flatMap(
      (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).result as { url: string }[],
    );
    const paths = scripts
      .filter(({ url }) => url.startsWith('file:'))
      .map(({ url }) => relative(root, fileURLToPath(url)));
    return [...new Set(paths)].sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What esbuild put into the files that were loaded. */
function sources(files: readonly string[]): string[] {
  return files
    .filter((path) => path.startsWith('dist/'))
    .flatMap((path) => {
      const output = outputs[path];
      if (!output) throw new Error(`${path} is not of these sources: npm run build.`);
      return Object.keys(output.inputs);
    });
}

function packages(files: readonly string[]): string[] {
  return [...new Set(sources(files).flatMap((path) => packageOf(path) ?? []))];
}
