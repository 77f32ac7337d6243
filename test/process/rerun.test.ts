/**
 * `test/run.mjs`, which runs the tests: what it makes of tests that fail once, twice and three times. Each run is a vitest of
 * its own, so the suite has a few of the ways in which a file fails.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder = '';

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs such test files. Returns the exit code, the files that were run again, and the lines that sum up. */
function runOf(files: Readonly<Record<string, string>>, setting = '') {
  folder = mkdtempSync(join(tmpdir(), 'ferry-rerun-'));
  const config = `export default { root: ${JSON.stringify(folder)}, test: { globals: true, include: ['*.test.mjs'], ${setting} } };`;
  mkdirSync(join(folder, 'counts'));
  writeFileSync(join(folder, 'vitest.config.mjs'), config);
  writeFileSync(join(folder, 'failing.mjs'), failing);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.mjs`), text);
  const { PATH, HOME, TMPDIR } = process.env;
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'test/run.mjs'), '--config', join(folder, 'vitest.config.mjs')],
    { cwd: root, env: { PATH, HOME, TMPDIR, NO_COLOR: '1' }, encoding: 'utf8' },
  );
  const lines = stdout.split('\n').map((line) => line.replaceAll(/\S*\/(?=\w+\.test\.mjs)/g, ''));
  return {
    status,
    again: lines.flatMap((line) => /^== once more, alone: (.*)\.test\.mjs$/.exec(line)?.[1] ?? []),
    summary: lines.filter((line) => /^(flaky|failed): |^\d+ files failed/.test(line)),
    last: lines.at(-2),
  };
}

/** Throws the first `times` times it is called with that name, in whatever process. */
const failing = `
  import { appendFileSync, readFileSync } from 'node:fs';
  export function failing(times, name, what = (message) => { throw new Error(message); }) {
    const file = new URL('./counts/' + name, import.meta.url);
    appendFileSync(file, '.');
    const tries = readFileSync(file, 'utf8').length;
    if (tries <= times) what(name + ' failed, try ' + tries + '\\nand more lines');
  }
`;
const uses = "import { failing } from './failing.mjs';\n";

describe('test/run.mjs', () => {
  test('default: what fails once or twice is flaky and passed, what fails three times or is left behind has failed', () => {
    const leaves = "(message) => { writeFileSync(tmpdir() + '/left', ''); throw new Error(message); }";
    const files = {
      // The last has the name of one that passed.
      tests: `${uses} import { writeFileSync } from 'node:fs'; import { tmpdir } from 'node:os';
        test('same', () => {}); test('fails 1', () => failing(1, 'it1', ${leaves}));
        test('fails 2', () => failing(2, 'it2')); test('same', () => failing(3, 'it3')); test.skip('skipped', () => {});`,
      once: `${uses} test('dies once', () => failing(1, 'kill', () => process.kill(process.pid, 'SIGKILL')));`,
      imports: "throw new Error('at import');",
      fine: "test('fine', () => {});",
    };
    const found = runOf(files, `globalSetup: [${JSON.stringify(join(root, 'test/support/leftovers.ts'))}]`);
    expect({ ...found, again: found.again.toSorted(), summary: found.summary.toSorted() }).toEqual({
      status: 1,
      again: ['imports', 'imports', 'once', 'tests', 'tests'],
      summary: [
        'failed: The tests left something behind, see above.',
        'failed: imports.test.mjs: at import',
        'failed: tests.test.mjs > same: it3 failed, try 1',
        'flaky: once.test.mjs: Its process ended before it did.',
        'flaky: tests.test.mjs > fails 1: it1 failed, try 1',
        'flaky: tests.test.mjs > fails 2: it2 failed, try 1',
      ],
      last: '5 passed, 3 failed',
    });
  }, 60_000);

  test('error: more than ten failed files are not run again', () => {
    const files = Object.fromEntries(
      Array.from({ length: 11 }, (_, n) => [`f${n}`, `${uses} test('x', () => failing(1, 'f${n}'));`]),
    );
    const { status, again, summary, last } = runOf(files, 'isolate: false, maxWorkers: 1');
    expect([status, again, summary[0], last]).toEqual([
      1,
      [],
      '11 files failed: too many to be chance, so none was run again',
      '0 passed, 11 failed',
    ]);
  });

  test('error: no test is found', () => {
    expect(runOf({})).toEqual({
      status: 1,
      again: [],
      summary: ['failed: The run failed, see above.'],
      last: '0 passed, 1 failed',
    });
  });
});
