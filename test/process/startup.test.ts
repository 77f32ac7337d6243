/** What the fast answers load: the budget on start-up as a list of modules, which no busy machine can change. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, packageOf } from '../support/build.mjs';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';

let ferry: BuiltFerry;
let outputs: Readonly<Record<string, { inputs: Readonly<Record<string, unknown>> }>> = {};

beforeAll(async () => {
  ferry = await buildFerry();
  outputs = (await bundle()).metafile.outputs;
});

afterAll(() => ferry?.remove());

describe('start-up', () => {
  test('behavior: --version loads main and the table of errors', async () => {
    const { sources } = await loaded('--version');
    expect(sources).toEqual(['src/core/Errors.ts', 'src/main.ts']);
  });

  test('behavior: --help loads the table of commands, commander and nothing heavy', async () => {
    const { sources, packages } = await loaded('--help');
    expect(packages).toEqual(['commander']);
    expect(sources).toContain('src/commands/index.ts');
    expect(sources.filter((path) => !/^src\/([a-z]+|core\/\w+|commands\/\w+|io\/host)\.ts$/.test(path))).toEqual([]);
  });

  test('behavior: the help of a command loads that command and nothing of the network', async () => {
    const { sources, packages } = await loaded('quote', '--help');
    expect(sources).toContain('src/commands/quote.ts');
    expect(
      sources.filter((path) => /^src\/(sandbox\/|commands\/(execute|demo|status)\.ts|io\/(?!host))/.test(path)),
    ).toEqual([]);
    expect(packages.filter((name) => /^(undici|ora|@inquirer\/.*|hono|cosmiconfig)$/.test(name))).toEqual([]);
  });
});

/** What a command line loads of our sources and of the packages, as V8 reports it. */
async function loaded(...args: readonly string[]): Promise<{ sources: string[]; packages: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-startup-'));
  try {
    const { code, stderr } = await ferry.run(args, { NODE_V8_COVERAGE: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const root = realpathSync(dirname(dirname(ferry.path)));
    const inputs = readdirSync(folder)
      .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).result as { url: string }[])
      .filter(({ url }) => url.startsWith('file:'))
      .map(({ url }) => relative(root, fileURLToPath(url)))
      .filter((path) => path.startsWith('dist/'))
      .flatMap((path) => Object.keys(outputs[path]?.inputs ?? { [`unknown ${path}`]: {} }));
    return {
      sources: inputs.filter((path) => /^(src\/|unknown )/.test(path)).sort(),
      packages: [...new Set(inputs.flatMap((path) => packageOf(path) ?? []))].sort(),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
