/** The linter's rules bite: each breach below is found by the linter, under the name of its rule, and each lawful line passes. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

type Breach = readonly [path: string, code: string, rule: string];

const globals = 'lint/style/noRestrictedGlobals';

const breaches: readonly Breach[] = [
  ...['core', 'venue', 'transfer', 'setup', 'commands'].flatMap((ring): Breach[] => [
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
    ].map((code): Breach => [`${ring}/deep/X.ts`, `export const y = (x: never) => { ${code}; };`, globals]),
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
];

const lawful: readonly (readonly [path: string, code: string])[] = [
  ['core/X.ts', 'export const x = (ms: number) => [new Date(ms).toISOString(), Date.UTC(2020, 1), Math.max(ms, 1)];'],
  [
    'core/X.ts',
    'export const x = (f: (n: number) => { a: number }) => { const { a } = f(Math.max(1, 2)); return a; };',
  ],
  ['core/X.ts', `export class OddError extends Error { override name = 'OddError'; }`],
  ['io/x.ts', 'export const x = () => [Date.now(), process.env, Math.random()];'],
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
    // One rule looks at the file that is imported.
    for (const index of breaches.keys())
      if (breaches[index]?.[1].includes("'./y")) put(join(folder, `${index}/src/io/y.ts`), 'export const y = 1;\n');
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
