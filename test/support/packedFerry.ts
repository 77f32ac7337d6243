/** ferry as npm packs it, installed alone, and programs that use it. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as anvil from '../../src/sandbox/chain/anvil.js';

export type PackedFerry = {
  /** The folder of its installation: a program's sources, and only ferry in `node_modules`. */
  folder: string;
  /** The installed declarations. */
  index: string;
  /** The archive that npm made, and all that npm printed: its size in bytes and the files in it. */
  archive: string;
  printed: string;
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

/** What of a checkout the package is built from and made of. */
const checkedOut = [
  'package.json',
  'README.md',
  'LICENSE',
  'tsconfig.json',
  'bin',
  'completions',
  'src',
  'test',
  '.github',
];

/**
 * Packs ferry in a checkout without a build, which npm then makes, and unpacks it as a program's only dependency. How npm
 * installs the archive is a test of its own.
 */
export async function packFerry(): Promise<PackedFerry> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ferry-packed-')));
  const checkout = join(folder, 'checkout');
  for (const name of checkedOut) cpSync(join(root, name), join(checkout, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const quiet = ['--offline', '--no-update-notifier'];
  const packed = await ended('npm', ['pack', '--json', '--pack-destination', folder, ...quiet], checkout);
  const [{ filename, size, files: contents }] = JSON.parse(packed.stdout) as [
    { filename: string; size: number; files: readonly { path: string }[] },
  ];
  rmSync(checkout, { recursive: true });
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
    printed: packed.stdout,
    size,
    paths: contents.map(({ path }) => path),
    spelt: speltIn(join(installed, 'dist')),
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

/** The types that declarations export and that the sources infer from schemas. */
function speltIn(dist: string): { path: string; name: string }[] {
  const paths = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts'));
  return paths.flatMap((path) => {
    const declared = readFileSync(join(dist, path), 'utf8');
    const source = readFileSync(join(root, 'src', path.replace(/\.d\.ts$/, '.ts')), 'utf8');
    const inferred = [...source.matchAll(/^export type (\w+) = z\.(?:infer|input|output)</gm)].map(
      ([, name = '']) => name,
    );
    return inferred.filter((name) => declared.includes(`export type ${name} =`)).map((name) => ({ path, name }));
  });
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
