/**
 * Which test files may start processes, and with them chains: those that import something that can. The rest are the unit
 * tests, and `noProcesses.ts` sees to it, in every run of the suite, that none of them starts one all the same.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of the unit tests. */
export function unitTests(): string[] {
  return testFiles().filter((path) => !startsProcesses(path));
}

/** Every test file, by its path from the project's folder. */
export function testFiles(): string[] {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join('test', path))
    .sort();
}

/** The modules that start processes. The compilers of TypeScript and esbuild are two. */
const starters: readonly string[] = ['node:child_process', 'typescript/unstable/sync', 'esbuild'];

/** What starts processes by what it loads on demand, or has ferry start one: an editor, a pager. */
const onDemand: readonly string[] = [
  'src/io/sandbox/startSandbox.ts',
  'src/io/sandbox/sandboxServe.ts',
  'test/commands/config/edit.test.ts',
  'test/io/terminal/pager.test.ts',
  'test/simulation/bundle.mjs',
  'test/support/foreground.ts',
].map((path) => fileURLToPath(new URL(`../../${path}`, import.meta.url)));

const reached = new Map<string, boolean>();

/** Whether a file imports what starts processes, itself or by what it imports. Imports on demand and of types do not count. */
export function startsProcesses(path: string): boolean {
  return reaches(fileURLToPath(new URL(`../../${path}`, import.meta.url)));
}

function reaches(path: string): boolean {
  const known = reached.get(path);
  if (known !== undefined) return known;
  // A circle is judged by the rest of it.
  reached.set(path, false);
  const found =
    onDemand.includes(path) ||
    importsIn(path).some((each) => (each.startsWith('.') ? reaches(fileOf(path, each)) : starters.includes(each)));
  reached.set(path, found);
  return found;
}

function importsIn(path: string): string[] {
  if (!/\.(ts|mjs)$/.test(path) || !existsSync(path)) return [];
  const form = /^(?:import|export)\s+(?!type\b)(?:[^;'"]*?\bfrom\s*)?['"]([^'"]+)['"]/gm;
  return [...readFileSync(path, 'utf8').matchAll(form)].map(([, specifier = '']) => specifier);
}

function fileOf(path: string, specifier: string): string {
  const target = join(dirname(path), specifier);
  return existsSync(target) ? target : target.replace(/\.js$/, '.ts');
}
