/**
 * Runs the tests, for `npm test` and so for CI; takes the arguments of `vitest run`.
 *
 * If no more than ten files failed, each is run again, alone, up to two times. A test that passes then is flaky: it is named,
 * and counts as passed. One that never passes has failed. The last line is `N passed, N failed`.
 */
import { relative } from 'node:path';
import { parseCLI, startVitest } from 'vitest/node';

/** More failed files than this are a broken change, not chance. */
const mostRerun = 10;
const attempts = 3;
/** The exit code that `support/leftovers.ts` sets. */
const leftBehind = 3;

/**
 * What one run of a file showed.
 * @typedef {object} FileResult
 * @property {string[]} passed the ids of the tests that passed: two tests may have one name
 * @property {Map<string, string>} failed by the id of each test that failed, its name and the first line of why
 * @property {string | undefined} own why the file itself failed: at import, in a hook, by an error in no test, by a lost process
 */

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
const whole = await run(filter);
const toRerun = [...whole.files].filter(([, result]) => hasFailed(result));
const passed = [...whole.files.values()].filter((result) => !hasFailed(result)).flatMap((result) => result.passed);
const failed = whole.elsewhere;
/** @type {string[]} */
const flaky = [];

for (const [path, first] of toRerun) {
  const name = relative(process.cwd(), path);
  const results = [first];
  while (toRerun.length <= mostRerun && results.length < attempts && results.every(hasFailed)) {
    console.log(`\n== once more, alone: ${name}`);
    const again = await run([path]);
    failed.push(...again.elsewhere);
    results.push(again.files.get(path) ?? { passed: [], failed: new Map(), own: 'It was not found.' });
  }

  const passes = new Set(results.flatMap((result) => result.passed));
  passed.push(...passes);
  for (const id of new Set(results.flatMap((result) => [...result.failed.keys()]))) {
    const [reason] = results.flatMap((result) => result.failed.get(id) ?? []);
    (passes.has(id) ? flaky : failed).push(`${name} > ${reason}`);
  }
  const [own] = results.flatMap((result) => result.own ?? []);
  if (own) (results.every((result) => result.own) ? failed : flaky).push(`${name}: ${own}`);
}

console.log();
if (toRerun.length > mostRerun)
  console.log(`${toRerun.length} files failed: too many to be chance, so none was run again`);
for (const line of flaky) console.log(`flaky: ${line}`);
for (const line of failed) console.log(`failed: ${line}`);
console.log(`\n${passed.length} passed, ${failed.length} failed`);
// biome-ignore lint/nursery/noProcessExit: whatever a test left open would keep this process
process.exit(failed.length > 0 ? 1 : 0);

/**
 * Runs the files that fit the filters. `elsewhere` is what failed in none of them, such as what the run left behind.
 * @param {string[]} filters
 */
async function run(filters) {
  process.exitCode = 0;
  const { state } = await startVitest('test', filters, options);
  const errors = /** @type {import('vitest').SerializedError[]} */ (state.getUnhandledErrors());
  const files = new Map(state.getTestModules().map((file) => [file.moduleId, resultOf(file, errors)]));
  const elsewhere = errors.filter((error) => !error.VITEST_TEST_PATH && !isLostWorker(error)).map(firstLine);
  if (process.exitCode === leftBehind) elsewhere.push('The tests left something behind, see above.');
  else if (process.exitCode && elsewhere.length === 0 && ![...files.values()].some(hasFailed))
    elsewhere.push('The run failed, see above.');
  return { files, elsewhere };
}

/**
 * @param {import('vitest/node').TestModule} file
 * @param {import('vitest').SerializedError[]} errors
 * @returns {FileResult}
 */
function resultOf(file, errors) {
  const tests = [...file.children.allTests()].map((test) => ({ id: test.id, name: test.fullName, ...test.result() }));
  const [own] = [
    ...file.errors(),
    ...[...file.children.allSuites()].flatMap((suite) => suite.errors()),
    ...errors.filter((error) => error.VITEST_TEST_PATH === file.moduleId),
    ...(['passed', 'failed', 'skipped'].includes(file.state())
      ? []
      : [{ message: 'Its process ended before it did.' }]),
  ];
  return {
    passed: tests.filter(({ state }) => state === 'passed').map(({ id }) => id),
    failed: new Map(
      tests
        .filter(({ state }) => state === 'failed')
        .map(({ id, name, errors }) => [id, `${name}: ${firstLine(errors?.[0])}`]),
    ),
    own: own && firstLine(own),
  };
}

/** @param {FileResult} result */
function hasFailed({ failed, own }) {
  return failed.size > 0 || own !== undefined;
}

/**
 * The file whose process was lost tells it.
 * @param {import('vitest').SerializedError} error
 */
function isLostWorker({ message }) {
  return message.startsWith('[vitest-pool]');
}

/** @param {{ message?: string } | undefined} error */
function firstLine(error) {
  return (error?.message ?? 'without a message').split('\n')[0] ?? '';
}
