/** What the fast answers load: the budget on start-up as a list of modules, which no busy machine can change. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { complete } from '../../src/complete.js';
import { bundle, packageOf } from '../build/build.mjs';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { sampled } from '../support/sampled.js';

let ferry: BuiltFerry;
type Output = {
  inputs: Readonly<Record<string, unknown>>;
  imports: readonly { path: string; kind: string; external?: boolean | undefined }[];
};

let outputs: Readonly<Record<string, Output>> = {};
let sources: Readonly<Record<string, Pick<Output, 'imports'>>> = {};
/** The same program, in which each module that is evaluated on demand is a function with its path for a name. */
let readable: string;
/** Modules that are evaluated when their file is loaded. */
let atOnce: Readonly<Record<string, readonly string[]>> = {};

beforeAll(async () => {
  ferry = await buildFerry();
  const { outputFiles, metafile } = await bundle({ minify: false });
  outputs = metafile.outputs;
  sources = metafile.inputs;
  readable = mkdtempSync(join(tmpdir(), 'ferry-readable-'));
  cpSync(join(dirname(ferry.path)), join(readable, 'bin'), { recursive: true });
  mkdirSync(join(readable, 'dist'));
  for (const { path, contents } of outputFiles) {
    const name = `dist/${basename(path)}`;
    const text = Buffer.from(contents).toString();
    writeFileSync(join(readable, name), text);
    const inputs = Object.keys(outputs[name]?.inputs ?? {});
    atOnce = { ...atOnce, [name]: inputs.filter((input) => !text.includes(`"${input}"(`)) };
  }
}, 120_000);

afterAll(() => {
  ferry?.remove();
  rmSync(readable, { recursive: true, force: true });
});

describe('start-up', () => {
  test('behavior: --version loads nothing', async () => {
    expect(await loaded('--version')).toMatchObject({ files: [], sources: [], packages: [] });
  });

  test('behavior: --help loads the table of commands, commander and nothing heavy', async () => {
    const { sources, packages } = await loaded('--help');
    expect(packages).toEqual(['commander']);
    expect(sources).toContain('src/cli/commandTable.ts');
    expect(
      sources.filter(
        (path) =>
          !/^src\/(main|cli\/\w+|core\/(base|text)\/\w+|core\/docs\/HelpTopic|core\/command\/\w+|io\/terminal\/host)\.ts$/.test(
            path,
          ),
      ),
    ).toEqual([]);
  });

  test('behavior: the overview is one small file, and the text of the program', async () => {
    const { imports, inputs } = outputs['dist/overview.cjs'] ?? { imports: [], inputs: {} };
    expect(Object.keys(inputs).filter((path) => /^src\/(commands|sandbox|transfer|setup|venue)\//.test(path))).toEqual(
      [],
    );
    expect(imports.flatMap(({ path }) => (path.startsWith('.') ? path : []))).toContain('./program.cjs');
    const { files, stdout } = await loaded('--help', '--no-color');
    expect(files).toContain('program.cjs');
    for (const argv of [[], ['--help'], ['-h'], ['help']])
      expect(await loaded(...argv)).toMatchObject({ files: ['overview.cjs'], stdout });
  });

  test('behavior: a topic loads nothing heavy either', async () => {
    const { sources, packages } = await loaded('help', 'exit-codes');
    // The second is a table of 4 kB, for the width of a column.
    expect(packages).toEqual(['commander', 'get-east-asian-width']);
    expect(
      sources.filter((path) =>
        /^src\/(sandbox|venue|transfer|setup|commands)\/|^src\/io\/(?!terminal\/host\.)/.test(path),
      ),
    ).toEqual([]);
  });

  test('behavior: the help of a command loads that command and nothing of the network', async () => {
    const { sources, packages } = await loaded('quote', '--help');
    expect(sources).toContain('src/commands/quote.ts');
    expect(
      sources.filter((path) =>
        /^src\/(sandbox\/|commands\/(execute|demo|status)\.ts|io\/(?!terminal\/host\.))/.test(path),
      ),
    ).toEqual([]);
    expect(packages.filter((name) => /^(undici|ora|@inquirer\/.*|hono|cosmiconfig)$/.test(name))).toEqual([]);
  });
});

describe('the library', () => {
  test('behavior: it loads nothing of the command line, no HTTP client and no sandbox before they are needed', async () => {
    const script = join(readable, 'library.mjs');
    writeFileSync(
      script,
      `import { BaseError, run } from './dist/index.js';\nif (!BaseError || !run) throw new Error();\n`,
    );
    const { sources, packages } = await evaluated([script]);
    expect(sources).toContain('src/core/proof/Verification.ts');
    expect(sources.filter((path) => /^src\/(sandbox|commands|program|context)\b/.test(path))).toEqual([]);
    expect(
      packages.filter((name) => !/^(viem|ox|abitype|zod|get-east-asian-width|@noble\/\w+|@scure\/base)$/.test(name)),
    ).toEqual([]);
  });
});

describe('a transfer', () => {
  test('behavior: the schemas of what it does not ask come on demand', () => {
    const paths = [...withImports('src/commands/quote.ts'), ...withImports('src/io/http/serviceClient.ts')];
    expect(paths).toContain('src/core/api/QuoteV2.ts');
    expect(paths.filter((path) => /\/api\/(catalog\/|RequestsV|AppFeeClaims|VenueApi)/.test(path))).toEqual([]);
    const executing = [...withImports('src/transfer/executeTransfer.ts')];
    expect(executing.filter((path) => /\/(VenueApi|RequestsReceived|CallTrace)\.ts$/.test(path))).toEqual([]);
  });

  test('behavior: of the words of BIP-39, the program has the English ones alone', () => {
    const inputs = Object.keys(outputs['dist/program.cjs']?.inputs ?? {});
    const lists = inputs.filter((path) => path.includes('/wordlists/') && packageOf(path));
    expect(lists.map((path) => basename(path))).toEqual(['english.js']);
  });
});

describe('inquirer', () => {
  test('behavior: it is loaded on demand, with the questions that are asked', () => {
    const inputs = Object.keys(outputs['dist/program.cjs']?.inputs ?? {});
    const packages = inputs.map(packageOf);
    for (const question of ['input', 'password', 'search', 'select'])
      expect(packages).toContain(`@inquirer/${question}`);
    expect(packages.filter((name) => /editor|iconv|chardet/.test(name ?? ''))).toEqual([]);
    expect(atOnce['dist/program.cjs']?.filter((path) => packageOf(path)?.startsWith('@inquirer/'))).toEqual([]);
  });
});

describe('__complete', () => {
  const asked: [string, string[]][] = [
    ['a command', ['zsh', 'ferry', '']],
    ['a currency', ['bash', ' =', 'ferry quote 1 alpha/']],
    ['a currency of another network', ['fish', 'ferry', 'quote', '--network', 'mainnet', '1', 'base/']],
    ['a run', ['zsh', 'ferry', 'resume', '']],
    ['an account', ['zsh', 'ferry', 'quote', '--account', '']],
    ['a setting', ['zsh', 'ferry', 'config', 'set', 'networks.']],
  ];
  test.each(sampled(asked, 2))('default: %s is answered by one file without a package', async (_, argv) => {
    const { files, packages } = await loaded('__complete', ...argv);
    expect([files, packages]).toEqual([['complete.cjs'], []]);
  });

  test('behavior: of Node it needs files and paths, and nothing that could reach a network or start a process', () => {
    const { imports, inputs } = outputs['dist/complete.cjs'] ?? { imports: [], inputs: {} };
    expect([...new Set(imports.filter(({ external }) => external).map(({ path }) => path))].sort()).toEqual([
      './cosmiconfig.cjs',
      'node:fs',
      'node:os',
      'node:path',
    ]);
    expect(Object.keys(inputs).filter((path) => packageOf(path) || path.startsWith('src/commands/'))).toEqual([]);
  });

  test('behavior: a configuration in YAML loads its parser', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ferry-startup-'));
    try {
      writeFileSync(join(folder, 'config.yaml'), 'network: testnet\n');
      const { stdout } = await ferry.run(['__complete', 'bash', ' ', 'ferry quote 1 '], { FERRY_CONFIG_DIR: folder });
      expect(stdout).toBe('open\nsepolia/\nbase-sepolia/\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  const written: readonly string[][] = [
    ['execute', '--'],
    ['quote', '--network', 'sandbox', '1', ''],
    ['quote', '--network', 'mainnet', '1', 'base/'],
    ['quote', '--network', 'testnet', '1', ''],
    ['tokens', '--network', 'own', ''],
    ['quote', '--network', 'mainnet', '1', ''],
    ['quote', '--network', 'mainnet', '1', 'lighter/'],
  ];
  test.each(sampled(written, 3).map((words) => [words] as const))(
    'behavior: what the build wrote out for %j is what the sources say',
    async (words) => {
      const folder = mkdtempSync(join(tmpdir(), 'ferry-startup-'));
      try {
        const own = { baseUrl: 'http://127.0.0.1:9', chains: { alpha: {}, 8453: {}, puffin: chainOfTheUser } };
        writeFileSync(join(folder, 'config.json'), JSON.stringify({ networks: { own } }));
        const env = { FERRY_CONFIG_DIR: folder };
        const { stdout } = await ferry.run(['__complete', 'zsh', 'ferry', ...words], env);
        const host = { env, cwd: '/', home: '/nonexistent' };
        expect(stdout).toBe(await complete(['zsh', 'ferry', ...words], host));
        expect(stdout.split('\n').length).toBeGreaterThan(2);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  test.each(sampled([[[]], [['ksh']], [['bash']], [['fish', '\ud800']]], 2))(
    'behavior: whatever it is given, %j, it ends well',
    async (argv) => {
      const { code, stderr } = await ferry.run(['__complete', ...argv]);
      expect([code, stderr]).toEqual([0, '']);
    },
  );
});

const chainOfTheUser = { id: 77, vm: 'evm', nativeSymbol: 'PUF', nativeDecimals: 18 };

/** A source and all that it imports, without what it imports on demand. */
function withImports(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: imported, kind } of sources[path]?.imports ?? [])
    if (kind !== 'dynamic-import') withImports(imported, found);
  return found;
}

type Loaded = { files: string[]; sources: string[]; packages: string[]; stdout: string };

function loaded(...args: readonly string[]): Promise<Loaded> {
  return evaluated([join(readable, 'bin', 'ferry.js'), ...args]);
}

/** What a process evaluates of our sources and of the packages, as V8 reports it. */
async function evaluated(argv: readonly string[]): Promise<Loaded> {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-startup-'));
  try {
    const env = { ...ferry.env, NODE_V8_COVERAGE: folder };
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
      env,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const root = realpathSync(readable);
    const scripts = readdirSync(folder)
      .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).result as Script[])
      .filter(({ url }) => url.startsWith('file:'))
      .map((script) => ({ ...script, path: relative(root, fileURLToPath(script.url)) }))
      .filter(({ path }) => path.startsWith('dist/') && path !== 'dist/start.cjs');
    const inputs = scripts.flatMap(({ path, functions }) => [
      ...(atOnce[path] ?? [`unknown ${path}`]),
      ...functions.flatMap(({ functionName, ranges }) =>
        ranges[0]?.count && outputs[path]?.inputs[functionName] ? [functionName] : [],
      ),
    ]);
    return {
      stdout,
      files: scripts.map(({ path }) => path.slice('dist/'.length)),
      sources: inputs.filter((path) => /^(src\/|unknown )/.test(path)).sort(),
      packages: [...new Set(inputs.flatMap((path) => packageOf(path) ?? []))].sort(),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file as V8 has run it. */
type Script = { url: string; functions: readonly { functionName: string; ranges: readonly { count: number }[] }[] };
