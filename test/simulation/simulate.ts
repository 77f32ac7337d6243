/** `npm run simulate`: replays one seed in words, or runs many and counts what was wrong. */

import * as Scenario from './scenario.js';
import { simulate } from './simulation.js';
import { inWords } from './trouble.js';
import type { Verdict } from './verdict.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const argument = (name: string): number | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : Number(process.argv[at + 1]);
};

/** The history of a seed, with as few faults as it takes to fail. */
async function replay(seed: number): Promise<void> {
  const whole = Scenario.from(seed);
  const isFailing = async (scenario: Scenario.Scenario): Promise<boolean> =>
    (await simulate(scenario)).failings.length > 0;
  const scenario = process.argv.includes('--whole') ? whole : await shrunk(whole, isFailing);
  const leftOut = whole.faults.length - scenario.faults.length;
  say(`${scenario.nodes} nodes a chain, the service ${scenario.manner}`);
  for (const fault of scenario.faults) say(`fault: ${inWords(fault)}`);
  if (leftOut > 0) say(`left out, as it fails without: ${leftOut}`);
  tell((await simulate(scenario, say)).failings);
}

function tell(failings: Verdict['failings'], who = ''): void {
  for (const { kind, what } of failings) say(`${who}${kind}: ${what}`);
}

/** Leaves out one thing after the other for as long as it still fails; the scenario as it is if it does not fail. */
async function shrunk(
  scenario: Scenario.Scenario,
  isFailing: (scenario: Scenario.Scenario) => Promise<boolean>,
): Promise<Scenario.Scenario> {
  if (!(await isFailing(scenario))) return scenario;
  for (const simpler of Scenario.simpler(scenario))
    if (await isFailing(simpler)) return await shrunk(simpler, isFailing);
  return scenario;
}

/** Runs many; with `--first` until one fails. */
async function search(from: number, seeds: number): Promise<void> {
  const [isVerbose, isFirst] = ['--verbose', '--first'].map((flag) => process.argv.includes(flag));
  const started = process.cpuUsage();
  const counts = new Map<string, number[]>();
  let seed = from;
  for (; seed < from + seeds && !(isFirst && counts.size > 0); seed++) {
    const { failings } = await simulate(Scenario.from(seed));
    for (const { kind } of failings) counts.set(kind, [...(counts.get(kind) ?? []), seed]);
    if (isVerbose || isFirst) tell(failings, `${seed}: `);
  }
  // What other programs on the machine take does not count.
  const { user, system } = process.cpuUsage(started);
  const seconds = (user + system) / 1e6;
  const rate = ((seed - from) / seconds).toFixed(0);
  say(`${seed - from} seeds in ${seconds.toFixed(1)} s of a processor: ${rate} a second`);
  for (const [kind, found] of counts) say(`${kind}: ${found.length}, such as ${found.slice(0, 8).join(', ')}`);
}

const seed = argument('--seed');
if (seed !== undefined) await replay(seed);
else await search(argument('--from') ?? 1, argument('--seeds') ?? 1_000);
