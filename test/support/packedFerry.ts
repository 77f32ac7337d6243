/** ferry as npm packs it, installed alone, and programs that use it. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as anvil from '../../src/sandbox/chain/anvil.js';
import { assemble } from '../build/build.mjs';
import { bundled } from './builtFerry.js';

export type PackedFerry = {
  /** The folder of its installation: a program's sources, and only ferry in `node_modules`. */
  folder: string;
  /** The installed declarations. */
  index: string;
  /** The archive that npm made, its size in bytes, and the files in it. */
  archive: string;
  size: number;
  paths: readonly string[];
  /** The types that are written out in the declarations but inferred from schemas in the sources. */
  spelt: readonly { path: string; name: string }[];
  write(path: string, text: string): void;
  /** Type-checks the folder's sources, strictly and including libraries. Resolves to the errors. */
  check(options: Readonly<Record<string, unknown>>, files: readonly string[]): Promise<string>;
  /** Runs a script of the folder. */
  run(path: string): Promise<Ended>;
  remove(): void;
};

export type Ended = { code: number; stdout: string; stderr: string };

/** The root of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds and packs ferry, and unpacks it as a program's only dependency. How npm installs the archive is a test of its own. */
export async function packFerry(): Promise<PackedFerry> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ferry-packed-')));
  const { files, spelt } = await assemble(bundled());
  for (const [path, contents] of files) put(join(folder, 'package/dist', path), contents);
  for (const name of ['package.json', 'README.md', 'LICENSE', 'bin', 'completions'])
    cpSync(join(root, name), join(folder, 'package', name), { recursive: true });
  const quiet = ['--ignore-scripts', '--offline', '--no-update-notifier'];
  const packed = await ended(
    'npm',
    ['pack', '--json', '--pack-destination', folder, ...quiet],
    join(folder, 'package'),
  );
  const [{ filename, size, files: contents }] = JSON.parse(packed.stdout) as [
    { filename: string; size: number; files: readonly { path: string }[] },
  ];
  rmSync(join(folder, 'package'), { recursive: true });
  put(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const installed = join(folder, 'node_modules/ferry');
  mkdirSync(installed, { recursive: true });
  await ended('tar', ['-xzf', filename, '-C', installed, '--strip-components=1'], folder);

  const write = (path: string, text: string): void => put(join(folder, path), text);
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  return {
    folder,
    index: join(folder, 'node_modules/ferry/dist/index.d.ts'),
    archive: join(folder, filename),
    size,
    paths: contents.map(({ path }) => path),
    spelt,
    write,
    async check(options, files) {
      const strict = {
        strict: true,
        skipLibCheck: false,
        types: [],
        target: 'es2022',
        exactOptionalPropertyTypes: true,
      };
      write('tsconfig.json', JSON.stringify({ compilerOptions: { ...strict, ...options }, files }));
      const { stdout, stderr } = await ended(process.execPath, [tsc, '-p', '.'], folder);
      return `${stdout}${stderr}`;
    },
    run: (path) => ended(process.execPath, [path], folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function put(path: string, contents: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

/** Runs a command. The optional anvil package is not installed, so FERRY_ANVIL points to one. */
function ended(command: string, args: readonly string[], cwd: string): Promise<Ended> {
  const env = { ...process.env, FERRY_ANVIL: anvil.find({ searchPath: process.env.PATH }) };
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}
