/** The rules of the house bite: each breach below is found by the linter, under the name of its rule, and each lawful line passes. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

type Breach = readonly [path: string, code: string, rule: string];

const imports = 'lint/style/noRestrictedImports';
const globals = 'lint/style/noRestrictedGlobals';

const breaches: readonly Breach[] = [
  ...['core', 'venue'].flatMap((ring): Breach[] => [
    ...[
      'node:fs',
      'node:timers/promises',
      'fs',
      'undici',
      'chalk',
      'ora',
      'viem/chains',
      'viem/accounts',
      'zod',
      '../io/http.js',
      '../sandbox/ledger.js',
      '../commands/quote.js',
      '../context.js',
      '../main.js',
      '../program.js',
      '../index.js',
    ].map((from): Breach => [`${ring}/X.ts`, `import * as x from '${from}';`, imports]),
    [`${ring}/X.ts`, `import type { Host } from '../io/host.js';`, imports],
    [`${ring}/X.ts`, `export { x } from '../io/host.js';`, imports],
    [`${ring}/deep/X.ts`, `import { x } from '../../io/host.js';`, imports],
    [`${ring}/X.ts`, `await import('../io/host.js');`, imports],
    [`${ring}/X.ts`, `await import('node:fs');`, imports],
    [`${ring}/X.ts`, `import { createPublicClient } from 'viem';`, imports],
    [`${ring}/X.ts`, `import { http } from 'viem';`, imports],
    ...[
      `fetch('x')`,
      'process.env',
      'setTimeout(x, 1)',
      'setInterval(x, 1)',
      'setImmediate(x)',
      'queueMicrotask(x)',
      'Buffer.from(x)',
      'performance.now()',
      'crypto.randomUUID()',
      'globalThis.fetch',
      'global.fetch',
      'console.log(x)',
      'new Function(x)',
      'eval(x)',
      'new WebSocket(x)',
    ].map((code): Breach => [`${ring}/X.ts`, `export const y = (x: never) => { ${code}; };`, globals]),
    ...[
      'Math.random()',
      'Math.random',
      `Math['random']()`,
      'Date.now()',
      'Date.now',
      `Date['now']()`,
      'new Date()',
      'Date()',
      'AbortSignal.timeout(1)',
    ].map((code): Breach => [`${ring}/X.ts`, `export const y = () => ${code};`, 'pure:']),
    [`${ring}/X.ts`, 'const { random } = Math; export const x = random;', 'pure:'],
    [`${ring}/X.ts`, 'const { now } = Date; export const x = now;', 'pure:'],
    [`${ring}/X.ts`, 'const { floor, random: chance } = Math; export const x = [floor, chance];', 'pure:'],
    [`${ring}/X.ts`, 'let { now } = Date; export const x = now;', 'pure:'],
  ]),

  ...[
    '../io/http.js',
    '../sandbox/ledger.js',
    '../main.js',
    '../program.js',
    'undici',
    'chalk',
    'node:fs',
    'commander',
    'hono',
  ].map((from): Breach => ['commands/x.ts', `import * as x from '${from}';`, imports]),
  ...['../../io/http.js', '../../sandbox/ledger.js', '../../program.js'].map(
    (from): Breach => ['commands/deep/x.ts', `import * as x from '${from}';`, imports],
  ),
  ...['process.stdout.write(String())', 'fetch(String())', 'setTimeout(y, 1)'].map(
    (code): Breach => ['commands/x.ts', `export const y = () => ${code};`, globals],
  ),
  ['commands/x.ts', 'export const y = () => Date.now();', 'pure:'],

  ...['Fees', 'Verification', 'Plan', 'Order', 'Quote', 'Execution', 'Progress', 'Intent'].map(
    (noun): Breach => ['sandbox/x.ts', `import * as x from '../core/${noun}.js';`, imports],
  ),
  ['sandbox/deep/x.ts', `import * as x from '../../venue/Transfer.js';`, imports],
  ['sandbox/x.ts', `import type { Verified } from '../core/Verification.js';`, imports],
  ['sandbox/x.ts', `await import('../core/Plan.js');`, imports],
  ...[
    '../io/http.js',
    '../commands/quote.js',
    '../context.js',
    '../main.js',
    '../venue/Schnorr.js',
    'undici',
    'commander',
    'chalk',
    'viem/chains',
  ].map((from): Breach => ['sandbox/x.ts', `import * as x from '${from}';`, imports]),

  ...[
    'undici',
    'ora',
    'chalk',
    '@inquirer/confirm',
    '@inquirer/password',
    'cosmiconfig',
    'commander',
    'hono',
    '@hono/node-server',
    'viem/chains',
    'left-pad',
  ].map((from): Breach => ['io/x.ts', `import * as x from '${from}';`, imports]),
  ...Object.entries({
    http: 'ora',
    spinner: 'chalk',
    style: 'ora',
    prompt: 'undici',
    configFile: '@inquirer/confirm',
  }).map(([file, from]): Breach => [`io/${file}.ts`, `import * as x from '${from}';`, imports]),
  ...['../commands/quote.js', '../main.js', '../program.js', '../index.js'].map(
    (from): Breach => ['io/x.ts', `import * as x from '${from}';`, imports],
  ),
  ['program.ts', `import * as x from 'undici';`, imports],
  ['program.ts', `import * as x from './io/http.js';`, imports],
  ['main.ts', `import * as x from 'commander';`, imports],
  ['context.ts', `import * as x from 'undici';`, imports],

  ['io/x.ts', 'export const y = () => process.exit(1);', 'lint/nursery/noProcessExit'],
  ['io/x.ts', 'export const y = () => process.exit(1);', 'exit:'],
  ['io/x.ts', 'export const y = process.exit;', 'exit:'],
  ['main.ts', 'const { exit } = process; export const y = exit;', 'exit:'],
  ['main.ts', 'const { exit, env } = process; export const y = [exit, env];', 'exit:'],
  ['sandbox/x.ts', `export const y = () => process['exit'](1);`, 'exit:'],
  ['io/x.ts', 'export class Drawer { x = 1; }', 'class:'],
  ['io/x.ts', 'class Base { x = 1; } export class Drawer extends Base { y = 2; }', 'class:'],
  ['io/x.ts', 'export const y = () => console.log(1);', 'lint/suspicious/noConsole'],
  ['io/x.ts', `export * from './y.js';`, 'lint/performance/noBarrelFile'],
  ['io/x.ts', `export { y } from './y.js';`, 'lint/performance/noBarrelFile'],
  ['io/x.ts', 'export default 1;', 'lint/style/noDefaultExport'],
  ['io/x.ts', 'export enum Level { Low, High }', 'lint/style/noEnum'],
  ['io/x.ts', 'export const enum Level { Low, High }', 'lint/suspicious/noConstEnum'],
  ['io/x.ts', 'export namespace Drawer { export const x = 1; }', 'lint/style/noNamespace'],
  ['io/x.ts', 'export interface Shape { x: number }', 'lint/style/useConsistentTypeDefinitions'],
  ['io/x.ts', 'export const y = (x: any): unknown => x;', 'lint/suspicious/noExplicitAny'],
  ['io/x.ts', 'export const y = (x?: number): number => x!;', 'lint/style/noNonNullAssertion'],
  ['io/x.ts', 'const f = async () => 1; export const y = () => { f(); };', 'lint/nursery/noFloatingPromises'],
  [
    'io/x.ts',
    'const f = async () => true; export const y = () => { if (f()) return 1; return 2; };',
    'lint/nursery/noMisusedPromises',
  ],
  ['io/x.ts', `import { y } from './y'; export const x = y;`, 'lint/correctness/useImportExtensions'],
  ['io/x.ts', `import { y } from './y.ts'; export const x = y;`, 'lint/correctness/useImportExtensions'],
  [
    'io/x.ts',
    `import { readFileSync } from 'fs'; export const x = readFileSync;`,
    'lint/style/useNodejsImportProtocol',
  ],
  ['io/x.ts', `import { y } from './y.js'; export const x = (): number => y();`, 'lint/suspicious/noImportCycles'],
];

const lawful: readonly (readonly [path: string, code: string])[] = [
  ['core/X.ts', `import * as z from 'zod/mini'; export const x = z.string();`],
  [
    'core/X.ts',
    `import { keccak256 } from 'viem/utils'; import { type Hex, maxUint256 } from 'viem'; export const x = [keccak256, maxUint256] as unknown as Hex;`,
  ],
  [
    'core/X.ts',
    `import { network } from './networks/sandbox.js'; import type { Style } from './render/Style.js'; export const x = (s: Style) => [s, network];`,
  ],
  ['core/X.ts', 'export const x = (ms: number) => [new Date(ms).toISOString(), Date.UTC(2020, 1), Math.max(ms, 1)];'],
  [
    'core/X.ts',
    'export const x = (f: (n: number) => { a: number }) => { const { a } = f(Math.max(1, 2)); return a; };',
  ],
  ['core/X.ts', `export class OddError extends Error { override name = 'OddError'; }`],
  [
    'commands/x.ts',
    `import * as z from 'zod/mini'; import type { Context } from '../context.js'; import * as Amount from '../core/Amount.js'; export const x = (c: Context) => [c, Amount, z];`,
  ],
  ['commands/index.ts', `export const table = [{ load: async () => (await import('./sandbox/start.js')).command }];`],
  [
    'sandbox/x.ts',
    `import { createServer } from 'node:http'; import { Hono } from 'hono'; import { serve } from '@hono/node-server'; import * as QuoteV2 from '../core/contract/QuoteV2.js'; import { network } from '../core/networks/sandbox.js'; export const x = [Hono, serve, createServer, QuoteV2, network];`,
  ],
  ...['core/Address', 'core/Amount', 'core/Errors', 'core/Usd', 'venue/PoseidonConstants'].map(
    (noun) => ['sandbox/x.ts', `import * as x from '../${noun}.js'; export const y = x;`] as const,
  ),
  ['io/http.ts', `export const x = async () => (await import('undici')).request;`],
  ['io/style.ts', `import { Chalk } from 'chalk'; export const x = Chalk;`],
  ['io/spinner.ts', `import ora from 'ora'; export const x = ora;`],
  ['io/prompt.ts', `import confirm from '@inquirer/confirm'; export const x = confirm;`],
  ['io/configFile.ts', `import { defaultLoaders } from 'cosmiconfig'; export const x = defaultLoaders;`],
  [
    'io/x.ts',
    `import { setTimeout as delay } from 'node:timers/promises'; import * as Quote from '../core/Quote.js'; export const x = [delay, Quote, Date.now(), process.env];`,
  ],
  ['program.ts', `import { Command } from 'commander'; export const x = Command;`],
  ['index.ts', `export { x } from './core/X.js';`],
];

describe('the linter', () => {
  let folder = '';
  let found = new Map<string, string[]>();

  // All snippets in one run, each breach in a tree of its own, for a run costs more than a file.
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ferry-house-'));
    cpSync(join(root, '.biome'), join(folder, '.biome'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'biome.json'), configuration());
    [...breaches, ...lawful].forEach(([path, code], index) => {
      put(join(folder, `${index}`, 'src', path), `${code}\n`);
    });
    // Two rules look at the file that is imported.
    for (const index of breaches.keys()) {
      const y = join(folder, `${index}/src/io/y.ts`);
      if (breaches[index]?.[1].includes("'./y"))
        put(y, `import { x } from './x.js';\nexport const y = (): number => x();\n`);
    }
    found = lint(folder);
  });

  afterAll(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test.each(breaches.map((breach, index) => [breach[0], breach[1], breach[2], index] as const))(
    'error: %s: %s → %s',
    (path, _code, rule, index) => {
      expect(found.get(`${index}/src/${path}`)).toContain(rule);
    },
  );

  test.each(lawful.map(([path, code], index) => [path, code, breaches.length + index] as const))(
    'behavior: %s may say %s',
    (path, _code, index) => {
      expect(found.get(`${index}/src/${path}`) ?? []).toEqual([]);
    },
  );
});

/** The project's own configuration, with each path of src found under any folder. */
function configuration(): string {
  const read = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  const { $schema: _, ...settings } = JSON.parse(
    JSON.stringify(read, (key, value) =>
      key === 'includes' && Array.isArray(value)
        ? value.map((each: string) => each.replace(/^src\//, '*/src/'))
        : value,
    ),
  );
  return JSON.stringify({ ...settings, vcs: { enabled: false }, root: true });
}

/** The rules that were broken, by file. A plugin's findings go by the word its message begins with. */
function lint(folder: string): Map<string, string[]> {
  const biome = join(dirname(createRequire(import.meta.url).resolve('@biomejs/biome/package.json')), 'bin/biome');
  let out: string;
  try {
    out = execFileSync(process.execPath, [biome, 'lint', '--max-diagnostics=none', '--reporter=json', '.'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    out = (error as { stdout: string }).stdout;
  }
  const rules = new Map<string, string[]>();
  for (const { category, message, location } of JSON.parse(out).diagnostics as Diagnostic[]) {
    const rule = category === 'plugin' ? (message.split(' ')[0] ?? '') : category;
    const path = location.path.replaceAll('\\', '/');
    rules.set(path, [...(rules.get(path) ?? []), rule]);
  }
  return rules;
}

type Diagnostic = { category: string; message: string; location: { path: string } };

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
