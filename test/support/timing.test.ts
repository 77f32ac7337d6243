/**
 * No test depends on the speed of the machine, or can end the others: what the sources show of that. Tests of real
 * processes, benchmarks and builds are left out, and so is what only they use.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const rules: Readonly<Record<string, RegExp>> = {
  'waits for a time': /\bset(?:Timeout|Interval)\b|\bdelay\(/,
  'measures a time': /\bperformance\.now\b|\bexpect\((?:Math\.abs\()?Date\.now\(\) -/,
  'is tried again': /\bretry: *\d/,
  'gives a wait its own end': /\bvi\.wait(?:For|Until)\(|\.poll\((?:(?!;\n)[\s\S])*?[{,] *timeout:/,
  'leaves to chance what is tested': /\bMath\.random\(|\brandomInt\(/,
  'may signal the tests themselves': /\bprocess\.kill\((?!process\.pid\b|\))/,
};

/** Files that may, each with why nothing else would do. */
const exceptions: Readonly<Record<string, string>> = {
  'io/locks/fileLock.test.ts': 'How long a lock stands is told by the file system and by real processes.',
  'commands/smoke/cases.test.ts': 'A chain that makes blocks while a command waits.',
  'support/ferry.ts': 'Names a command that hangs; nothing waits for it.',
  'support/freePort.ts': 'Of any free ports, two processes should not try the same first.',
  'support/loopback.ts': 'Servers that answer slowly.',
  'scenarios/roundTrips.test.ts': 'Only silence tells that nothing more is asked.',
  'support/tunnel.ts': 'A proxy that answers slowly.',
  'support/until.ts': 'Asks again, since nothing tells.',
};

/** Serve tests of real processes. */
const ofProcesses =
  /^support\/(?:crashes|leftovers|lockHolder|madeOnce|mannersSpecimens|postgres|processes|terminal)\.ts$/;

/** What a source breaks. Texts and comments do not count: a text may be a program that is run, or checked. */
function broken(source: string): string[] {
  const code = source
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "''")
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return Object.keys(rules).filter((name) => rules[name]?.test(code));
}

describe('a source that depends on time or chance', () => {
  test.each([
    ['waits for a time', 'await new Promise((resolve) => setTimeout(resolve, 100));'],
    ['waits for a time', 'await delay(20);'],
    ['measures a time', 'expect(Date.now() - since).toBeLessThan(500);'],
    ['is tried again', 'test(name, { retry: 2 }, act);'],
    ['gives a wait its own end', 'await expect.poll(() => seen, { timeout: 900 }).toBe(1);'],
    ['gives a wait its own end', 'await vi.waitUntil(() => seen(), { interval: 5 });'],
    ['leaves to chance what is tested', 'const at = Math.floor(Math.random() * 8);'],
    ['may signal the tests themselves', 'process.kill(Number(printed));'],
  ])('default: %s', (name, source) => {
    expect(broken(source)).toEqual([name]);
  });

  test('behavior: a text, a comment, and the end of something else do not count', () => {
    const source =
      "run('setTimeout(x, 1)');\n// as setTimeout does\nawait expect.poll(() => seen).toBe(1);\nend({ timeout: 1 });";
    expect(broken(source)).toEqual([]);
  });
});

test('default: no test does, but those that are named', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      path.endsWith('.ts') &&
      !/^(?:bench|build|process)\//.test(path) &&
      !ofProcesses.test(path) &&
      path !== 'support/timing.test.ts',
  );
  const found = paths.flatMap((path) => broken(readFileSync(`${root}${path}`, 'utf8')).map((name) => [path, name]));
  expect(found.filter(([path = '']) => !(path in exceptions)).map((line) => line.join(' '))).toEqual([]);
  const odd = Object.keys(exceptions).filter((path) => !found.some(([other]) => other === path));
  expect(odd).toEqual([]);
});
