/** ferry as it is published: what is packed and installed; and as a library, its declarations, exports and the manual's programs. */

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
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
import { API, SymbolFlags, type Symbol as TypeSymbol } from 'typescript/unstable/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as anvil from '../../src/sandbox/chain/anvil.js';
import { sampled } from '../support/sampled.js';

let ferry: PackedFerry;
let installed = '';

beforeAll(async () => {
  ferry = await packFerry();
  installed = join(ferry.folder, 'node_modules/ferry');
}, 120_000);

afterAll(() => ferry?.remove());

/** The programs of the manual's page, which are one program. */
function example(): string {
  const page = readFileSync(join(root, '.github/docs/guide/library.md'), 'utf8');
  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)];
  return blocks.map(([, code]) => code).join('\n');
}

/** A program that uses what it is given, so that a declaration that comes to `any` is found. */
const consumer = `
import {
  askQuote, BaseError, connect, type ErrorCode, execute, type JournalEntry, loadNetwork, type Plan, prepare, type Quote, type Service,
} from 'ferry';

type IsAny<T> = 0 extends 1 & T ? true : false;
type Response = Quote['response'];
const isAny: [
  IsAny<Quote>, IsAny<Parameters<Service['quote']>[0]>, IsAny<Response>, IsAny<JournalEntry>, IsAny<Service>, IsAny<AbortSignal>,
] = [false, false, false, false, false, false];

export async function minimum(quote: Quote): Promise<bigint> {
  const ferry = connect(await loadNetwork('mainnet'));
  const { service, network } = ferry;
  const answer: Response = (await askQuote(quote.intent, ferry)).response;
  const usd: string = answer.details.currencyIn.amountUsd ?? '';
  // @ts-expect-error an amount is digits
  const wrong: number = answer.details.currencyIn.amount;
  // @ts-expect-error there is no such word
  const kind: JournalEntry['type'] = 'cash';
  type Followed = Parameters<typeof ferry.portsOf>[0];
  const followed = {} as Followed;
  const { gas, watched, gasUsed } = {} as Plan;
  // @ts-expect-error a plan that may be signed is made by prepare alone
  const forged: Plan = { ...followed, gas, watched, gasUsed };
  // @ts-expect-error a plan from a journal is followed, and never signed
  execute(followed, ferry.portsOf(followed, {} as never), { wait: true, timeoutMs: 1 });
  const caps = { maxImpactBps: 1, maxAgeMs: 1 };
  const proposal = { quote, caps, allow: [], baseUrl: service.baseUrl, findings: [] };
  const preparing = prepare(proposal, { ...ferry, journal: undefined });
  let step = await preparing.next();
  while (!step.done) step = await preparing.next();
  const plan: Plan = step.value.plan;
  try {
    return plan.quote.minimum;
  } catch (error) {
    const code: ErrorCode | undefined = error instanceof BaseError ? error.code : undefined;
    throw [isAny, usd, wrong, kind, code, network, forged];
  }
}
`;

const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

describe('the package', () => {
  test('behavior: it is under 1.5 MB and needs nothing but, if one likes, anvil', () => {
    expect(ferry.size).toBeLessThan(1_500_000);
    const { dependencies, peerDependencies, peerDependenciesMeta, optionalDependencies } = JSON.parse(
      readFileSync(join(ferry.folder, 'node_modules/ferry/package.json'), 'utf8'),
    );
    expect(dependencies).toBeUndefined();
    // For the sandbox's chain of Solana's kind; npm installs it for nobody who does not ask for it.
    expect([Object.keys(peerDependencies), peerDependenciesMeta]).toEqual([
      ['litesvm'],
      { litesvm: { optional: true } },
    ]);
    expect(Object.keys(optionalDependencies)).toEqual(['@foundry-rs/anvil']);
  });
});

describe('npm pack', () => {
  test('default: the program, completions, the manual page and the manual, and nothing of the sources', () => {
    const { paths } = ferry;
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

  test('behavior: of a checkout, which it builds first, it prints nothing but what the manual takes from it', () => {
    expect(JSON.parse(ferry.printed)).toMatchObject([{ name: 'ferry', integrity: expect.stringContaining('sha512-') }]);
  });

  test('behavior: the manual page stands where package.json says', () => {
    const { man } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(man).toEqual([expect.any(String)]);
    expect(readFileSync(join(installed, man[0]), 'utf8')).toMatch(/^\.TH FERRY 1 /m);
  });

  test('behavior: unpacked, it runs and answers a shell', () => {
    const ask = (...args: readonly string[]) =>
      execFileSync(process.execPath, [join(installed, 'bin/ferry.js'), ...args], {
        encoding: 'utf8',
        env: { HOME: ferry.folder },
      });
    expect(ask('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(ask('__complete', 'fish', 'ferry', 'qu')).toContain('quote\tQuote a transfer');
    expect(ask('help', 'exit-codes')).toContain('Exit codes:');
  });
});

describe('npm install --global', () => {
  test('default: into an empty prefix: no warning, the man page, completion and ferry doctor', () => {
    const prefix = join(ferry.folder, 'prefix');
    const home = join(ferry.folder, 'newcomer');
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
    // anvil has an install script, of which npm may warn; ferry has none.
    const added = run('npm', 'install', '--global', '--offline', '--omit=optional', '--prefix', prefix, ferry.archive);
    expect(added).toMatchObject({ status: 0, stderr: '' });
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

describe('the declarations', () => {
  test.each(
    sampled(
      [
        ['nodenext', ['es2022']],
        ['bundler', ['esnext', 'dom']],
      ] as const,
      1,
    ),
  )('default: whole where nothing else is installed: %s, %j', async (resolution, lib) => {
    ferry.write('consumer.ts', consumer);
    const options = { ...resolutions[resolution], lib, noEmit: true };
    expect(await ferry.check(options, ['consumer.ts'])).toBe('');
  });

  test('behavior: the types that are written out are those of the schemas', async () => {
    const path = (from: string, at: string) => JSON.stringify(join(from, at.replace(/\.d\.ts$/, '.js')));
    const same = ferry.spelt.map(({ path: at, name }, index) =>
      [
        `import type { ${name} as Declared${index} } from ${path(join(ferry.folder, 'node_modules/ferry/dist'), at)};`,
        `import type { ${name} as Meant${index} } from ${path(join(root, 'src'), at)};`,
        `export const same${index}: Same<Declared${index}, Meant${index}> = true;`,
      ].join('\n'),
    );
    expect(same.length).toBeGreaterThan(30);
    // Equal, not merely assignable: an optional property is not one that may be undefined.
    const head =
      'type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : [A, B];\n';
    ferry.write('same.ts', `${head}${same.join('\n')}`);
    const node = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')], skipLibCheck: true };
    const options = { ...resolutions.nodenext, lib: ['es2023'], noEmit: true, noUncheckedIndexedAccess: true, ...node };
    expect(await ferry.check(options, ['same.ts'])).toBe('');
  });
});

describe('the exports', () => {
  let declared: readonly Exported[] = [];

  beforeAll(() => {
    ferry.write('all.ts', `export * from 'ferry';`);
    ferry.write('tsconfig.json', JSON.stringify({ compilerOptions: resolutions.nodenext, files: ['all.ts'] }));
    declared = exportsOf(ferry.folder, ferry.index);
  });

  test('default: the names and kinds are those that were approved', async () => {
    const lines = declared.map(({ name, kind }) => `${kind} ${name}\n`);
    await expect(lines.join('')).toMatchFileSnapshot('../recorded/library.txt');
  });

  test('behavior: what is declared is there, and nothing else', async () => {
    ferry.write('present.js', present);
    const found = JSON.parse((await ferry.run('present.js')).stdout);
    expect(found).toEqual(
      Object.fromEntries(declared.filter(({ kind }) => kind !== 'type').map(({ name, kind }) => [name, kind])),
    );
  });

  test('behavior: everything says what it is', () => {
    expect(declared.filter(({ words }) => words === '').map(({ name }) => name)).toEqual([]);
  });
});

/** A program that prints the kinds of what there is at run time, by name. */
const present = `
import * as ferry from 'ferry';
const kindOf = (value) => (/^class\\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'function');
console.log(JSON.stringify(Object.fromEntries(Object.entries(ferry).map(([name, value]) => [name, kindOf(value)]))));
`;

describe('the manual', () => {
  test('default: its program compiles beside Node’s own types, and runs', async () => {
    ferry.write('example.ts', example());
    ferry.write('consumer.ts', consumer);
    const node = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
    const options = { ...resolutions.nodenext, lib: ['es2023'], noUncheckedIndexedAccess: true, ...node };
    expect(await ferry.check(options, ['example.ts', 'consumer.ts'])).toBe('');
    const { code, stdout, stderr } = await ferry.run('example.js');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [least, checks, ...told] = stdout.trim().split('\n');
    expect(checks).toMatch(/^\d{2} checks verified$/);
    expect(least).toMatch(/^at least 97\.\d+ USDC$/);
    expect(told.at(-1)).toMatch(/^received 99\.\d+ USDC$/);
    expect(told.slice(0, 7)).toEqual(['checked', 'signed', 'signed', 'sent', 'sent', 'mined', 'mined']);
  });
});

type Exported = {
  name: string;
  kind: 'class' | 'function' | 'type';
  /** Its comment. */
  words: string;
};

/** The exports of a file in a folder that has a tsconfig.json, by name. */
function exportsOf(folder: string, file: string): Exported[] {
  const api = new API({ cwd: folder });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [`${folder}/tsconfig.json`] });
    const project = snapshot.getProject(`${folder}/tsconfig.json`);
    if (!project) throw new Error(`${folder} has no tsconfig.json`);
    const { checker, program } = project;
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} is no module of the project`);
    const found = checker.getExportsOfModule(module).map((symbol) => {
      const meant = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return { name: symbol.name, kind: kindOf(meant), words: meant.getDocumentationComment(checker) };
    });
    snapshot.dispose();
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    api.close();
  }
}

function kindOf({ flags, name }: TypeSymbol): Exported['kind'] {
  if (flags & SymbolFlags.Class) return 'class';
  if (flags & SymbolFlags.Function) return 'function';
  if (flags & SymbolFlags.TypeAlias) return 'type';
  throw new Error(`${name} is of no kind that the library has.`);
}

type PackedFerry = {
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

type Ended = { code: number; stdout: string; stderr: string };

/** The root of the project. */
const root = fileURLToPath(new URL('../..', import.meta.url));

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
async function packFerry(): Promise<PackedFerry> {
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
