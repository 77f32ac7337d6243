/** What the fast answers load: the budget on start-up as a list of modules, which no busy machine can change. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { complete } from '../../src/complete.js';
import { bundle, packageOf } from '../build/build.mjs';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';

let ferry: BuiltFerry;
type Output = {
  inputs: Readonly<Record<string, unknown>>;
  imports: readonly { path: string; kind: string; external?: boolean | undefined }[];
};

let outputs: Readonly<Record<string, Output>> = {};

beforeAll(async () => {
  ferry = await buildFerry();
  outputs = (await bundle()).metafile.outputs;
});

afterAll(() => ferry?.remove());

describe('start-up', () => {
  test('behavior: --version loads main and the table of errors', async () => {
    const { sources } = await loaded('--version');
    expect(sources).toEqual(['src/core/base/Errors.ts', 'src/main.ts']);
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

  test.each([['exit-codes'], ['environment'], ['json'], ['networks']])(
    'behavior: the topic %s loads nothing heavy either',
    async (topic) => {
      const { sources, packages } = await loaded('help', topic);
      // The second is a table of 4 kB, for the width of a column.
      expect(packages).toEqual(['commander', 'get-east-asian-width']);
      expect(
        sources.filter((path) =>
          /^src\/(sandbox|venue|transfer|setup|commands)\/|^src\/io\/(?!terminal\/host\.)/.test(path),
        ),
      ).toEqual([]);
    },
  );

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

describe('inquirer', () => {
  test('behavior: it is in one file, which is loaded on demand, with the five questions that are asked', () => {
    const holders = Object.entries(outputs).filter(([, { inputs }]) =>
      Object.keys(inputs).some((path) => packageOf(path)?.startsWith('@inquirer/')),
    );
    expect(holders.map(([, { inputs }]) => Object.keys(inputs).filter((path) => path.startsWith('src/')))).toEqual([
      ['src/io/terminal/prompt.ts'],
    ]);
    const packages = holders.flatMap(([, { inputs }]) => Object.keys(inputs).map(packageOf));
    for (const question of ['confirm', 'input', 'password', 'search', 'select'])
      expect(packages).toContain(`@inquirer/${question}`);
    expect(packages.filter((name) => /editor|iconv|chardet/.test(name ?? ''))).toEqual([]);
    const [path = ''] = holders.flat();
    const importers = Object.values(outputs).flatMap(({ imports }) => imports.filter((each) => each.path === path));
    expect(new Set(importers.map(({ kind }) => kind))).toEqual(new Set(['dynamic-import']));
  });
});

describe('__complete', () => {
  test.each([
    ['a command', ['zsh', 'ferry', '']],
    ['a currency', ['bash', ' =', 'ferry quote 1 alpha/']],
    ['a currency of another network', ['fish', 'ferry', 'quote', '--network', 'mainnet', '1', 'base/']],
    ['a run', ['zsh', 'ferry', 'resume', '']],
    ['an account', ['zsh', 'ferry', 'quote', '--account', '']],
    ['a setting', ['zsh', 'ferry', 'config', 'set', 'networks.']],
  ])('default: %s is answered by one file without a package', async (_, argv) => {
    const { files, packages } = await loaded('__complete', ...argv);
    expect([files, packages]).toEqual([['complete.cjs'], []]);
  });

  test('behavior: of Node it needs files and paths, and nothing that could reach a network or start a process', () => {
    const { imports, inputs } = outputs['dist/complete.cjs'] ?? { imports: [], inputs: {} };
    expect([...new Set(imports.filter(({ external }) => external).map(({ path }) => path))].sort()).toEqual([
      expect.stringMatching(/^\.\/cosmiconfig-\w+\.js$/),
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

  test('behavior: the words that were built in are those of the sources', async () => {
    const { stdout } = await ferry.run(['__complete', 'zsh', 'ferry', 'execute', '--']);
    const host = { env: {}, cwd: '/', home: '/nonexistent' };
    expect(stdout).toBe(await complete(['zsh', 'ferry', 'execute', '--'], host));
  });

  test.each([[[]], [['ksh']], [['bash']], [['fish', '\ud800']]])(
    'behavior: whatever it is given, %j, it ends well',
    async (argv) => {
      const { code, stderr } = await ferry.run(['__complete', ...argv]);
      expect([code, stderr]).toEqual([0, '']);
    },
  );
});

/** What a command line loads of our sources and of the packages, as V8 reports it. */
async function loaded(...args: readonly string[]): Promise<{ files: string[]; sources: string[]; packages: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-startup-'));
  try {
    const { code, stderr } = await ferry.run(args, { NODE_V8_COVERAGE: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const root = realpathSync(dirname(dirname(ferry.path)));
    const files = readdirSync(folder)
      .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).result as { url: string }[])
      .filter(({ url }) => url.startsWith('file:'))
      .map(({ url }) => relative(root, fileURLToPath(url)))
      .filter((path) => path.startsWith('dist/'));
    const inputs = files.flatMap((path) => Object.keys(outputs[path]?.inputs ?? { [`unknown ${path}`]: {} }));
    return {
      files: files.map((path) => path.slice('dist/'.length)),
      sources: inputs.filter((path) => /^(src\/|unknown )/.test(path)).sort(),
      packages: [...new Set(inputs.flatMap((path) => packageOf(path) ?? []))].sort(),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
