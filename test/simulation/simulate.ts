/** `npm run simulate`: replays one seed in words, or runs many and counts what was wrong. */

import * as Scenario from './scenario.js';
import { simulate } from './simulation.js';
import { inWords } from './trouble.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const argument = (name: string): number | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : Number(process.argv[at + 1]);
};

const isVerbose = process.argv.includes('--verbose');
const seed = argument('--seed');
if (seed !== undefined) {
  const scenario = Scenario.from(seed);
  say(`${scenario.nodes} nodes a chain, the service ${scenario.manner}`);
  for (const fault of scenario.faults) say(`fault: ${inWords(fault)}`);
  const verdict = await simulate(scenario, say);
  for (const { kind, what } of verdict.failings) say(`${kind}: ${what}`);
} else {
  const seeds = argument('--seeds') ?? 1_000;
  const from = argument('--from') ?? 1;
  const started = process.cpuUsage();
  const counts = new Map<string, number[]>();
  for (let each = from; each < from + seeds; each++)
    for (const { kind, what } of (await simulate(Scenario.from(each))).failings) {
      counts.set(kind, [...(counts.get(kind) ?? []), each]);
      if (isVerbose) say(`${each}: ${kind}: ${what}`);
    }
  // What other programs on the machine take does not count.
  const { user, system } = process.cpuUsage(started);
  const seconds = (user + system) / 1e6;
  say(`${seeds} seeds in ${seconds.toFixed(1)} s of a processor: ${(seeds / seconds).toFixed(0)} a second`);
  for (const [kind, found] of counts) say(`${kind}: ${found.length}, such as ${found.slice(0, 8).join(', ')}`);
}
