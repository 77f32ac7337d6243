/** The package as it would be published: packed from a copy of the sources, unpacked, and asked. */
import { execFileSync, type StdioOptions, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as anvil from '../../src/sandbox/chain/anvil.js';

type Packed = { filename: string; size: number; files: readonly { path: string }[] };

let folder = '';
let packed: Packed;

beforeAll(() => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  folder = mkdtempSync(join(tmpdir(), 'ferry-package-'));
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  for (const name of [
    '.github',
    'bin',
    'completions',
    'src',
    'test/build',
    'test/support',
    'package.json',
    'README.md',
    'LICENSE',
    'tsconfig.json',
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir() };
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
  const options = { cwd: copy, env, encoding: 'utf8', stdio } as const;
  execFileSync(process.execPath, ['test/build/build.mjs'], options);
  const out = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--offline'], options);
  [packed] = JSON.parse(out) as [Packed];
  execFileSync('tar', ['-xzf', join(copy, packed.filename), '-C', folder]);
}, 120_000);

afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

describe('npm pack', () => {
  test('default: the program, completions, the manual page and the manual, and nothing of the sources', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'bin/ferry.js',
        'completions/_ferry',
        'completions/ferry.bash',
        'completions/ferry.fish',
        'dist/complete.cjs',
        'dist/ferry.1',
        'dist/index.d.ts',
        'dist/index.js',
        'dist/program.cjs',
        'dist/docs/README.md',
        'dist/docs/commands/quote.md',
        'dist/docs/guide/proof.md',
        'dist/docs/topics/exit-codes.md',
        'dist/start.cjs',
      ]),
    );
    expect(
      paths.filter((path) => !/^(bin|completions|dist)\/|^(package\.json|README\.md|LICENSE)$/.test(path)),
    ).toEqual([]);
  });

  test('behavior: at most one and a half megabytes', () => {
    expect(packed.size).toBeLessThan(1_500_000);
  });

  test('behavior: the manual page stands where package.json says', () => {
    const { man } = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
    expect(man).toEqual([expect.any(String)]);
    expect(readFileSync(join(folder, 'package', man[0]), 'utf8')).toMatch(/^\.TH FERRY 1 /m);
  });

  test('behavior: unpacked, it runs and answers a shell', () => {
    const ask = (...args: readonly string[]) =>
      execFileSync(process.execPath, [join(folder, 'package/bin/ferry.js'), ...args], {
        encoding: 'utf8',
        env: { HOME: folder },
      });
    expect(ask('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(ask('__complete', 'fish', 'ferry', 'qu')).toContain('quote\tQuote a transfer');
    expect(ask('help', 'exit-codes')).toContain('Exit codes:');
  });
});

describe('npm install --global', () => {
  test('default: into an empty prefix: no warning, the man page, completion and ferry doctor', () => {
    const prefix = join(folder, 'prefix');
    const home = join(folder, 'newcomer');
    mkdirSync(home);
    const env = {
      HOME: home,
      PATH: `${join(prefix, 'bin')}:${process.env.PATH}`,
      SHELL: '/bin/bash',
      TMPDIR: tmpdir(),
      FERRY_ANVIL: anvil.find({ searchPath: process.env.PATH }),
    };
    const run = (command: string, ...args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(command, args, { cwd: home, env, encoding: 'utf8' });
      return { status, stdout, stderr };
    };
    const archive = join(folder, 'copy', packed.filename);
    // anvil has an install script, of which npm may warn; ferry has none.
    const installed = run('npm', 'install', '--global', '--offline', '--omit=optional', '--prefix', prefix, archive);
    expect(installed).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(prefix, 'share/man/man1/ferry.1'), 'utf8')).toMatch(/^\.TH FERRY 1 /m);
    expect(run('ferry', 'completion', 'install', 'bash', '--yes')).toMatchObject({ status: 0 });
    expect(run('bash', '-ic', 'complete -p ferry').stdout).toContain('ferry');
    try {
      const doctor = run('ferry', 'doctor');
      expect(doctor.stdout).toContain('Everything is in order.');
      expect(doctor.status).toBe(0);
    } finally {
      run('ferry', 'sandbox', 'stop');
    }
    expect(run('npm', 'uninstall', '--global', '--prefix', prefix, 'ferry')).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(prefix, 'share/man/man1/ferry.1'))).toBe(false);
  }, 120_000);
});
