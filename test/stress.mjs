/**
 * Runs the whole suite many times beside busy loops on the same cores, and prints each test that failed with how often:
 * `npm run test:stress -- --runs 20 --busy 4`. What follows goes to `vitest run`, such as the name of a file. There are as
 * many more workers as loops: a test has less of a core then, and more tests beside it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, busy: { type: 'string', default: '4' } },
  allowPositionals: true,
});
const runs = wholeNumber('--runs', values.runs);
const busy = wholeNumber('--busy', values.busy);
// Threads end with this process, however it ends.
const loops = Array.from({ length: busy }, () => new Worker('for (;;);', { eval: true }));

/** How often each was seen, by its kind and the test. @type {Map<string, number>} */
const seen = new Map();
let red = 0;
for (let run = 1; run <= runs; run += 1) {
  const startedMs = Date.now();
  const script = fileURLToPath(new URL('run.mjs', import.meta.url));
  const workers = `--maxWorkers=${availableParallelism() + 2 + busy}`;
  const child = spawn(process.execPath, [script, '--config', 'test/vitest.config.ts', workers, ...positionals], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let last = '';
  for await (const line of createInterface(child.stdout)) {
    const [, name] =
      /^((?:flaky|failed): .*?\.test\.ts(?: > .*?)?)(?:: |$)/.exec(line) ?? /^(failed: .*)/.exec(line) ?? [];
    if (name) {
      seen.set(name, (seen.get(name) ?? 0) + 1);
      console.log(line);
    }
    last = line;
  }
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  if (code !== 0) red += 1;
  console.log(`run ${run} of ${runs}: ${last}, ${Math.round((Date.now() - startedMs) / 1000)} s`);
}
await Promise.all(loops.map((loop) => loop.terminate()));

for (const [name, times] of [...seen].sort(([, a], [, b]) => b - a)) console.log(`${times} of ${runs}  ${name}`);
const flaky = [...seen.keys()].filter((name) => name.startsWith('flaky')).length;
console.log(`\n${runs} runs beside ${busy} busy loops: ${red} red, ${flaky} flaky tests`);
process.exitCode = red + flaky > 0 ? 1 : 0;

/** @param {string} name @param {string} text */
function wholeNumber(name, text) {
  if (!/^\d+$/.test(text)) throw new Error(`${name} takes a whole number, not ${text}.`);
  return Number(text);
}
