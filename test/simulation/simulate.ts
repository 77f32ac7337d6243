/** `npm run simulate`: replays one seed in words, or runs many on all processors and counts what was wrong. */

import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';
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

/** Runs many, each part of them by whichever thread is free. */
async function search(from: number, seeds: number): Promise<void> {
  const started = process.cpuUsage();
  const counts = new Map<string, number[]>();
  const starts = Array.from({ length: Math.ceil(seeds / partSize) }, (_, part) => from + part * partSize);
  let done = 0;
  const work = async (): Promise<void> => {
    // What a run leaves behind is short-lived: a nursery with room for it is collected less often.
    const worker = new Worker(new URL(import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 64 } });
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      const part: Part = { from: start, seeds: Math.min(partSize, from + seeds - start) };
      worker.postMessage(part);
      const [found] = (await once(worker, 'message')) as [Found[]];
      done += part.seeds;
      for (const { seed, kind } of found) counts.set(kind, [...(counts.get(kind) ?? []), seed]);
      if (process.argv.includes('--verbose')) for (const { seed, ...failing } of found) tell([failing], `${seed}: `);
      if (done % progressSize === 0) process.stderr.write(`${rate(done, started)}\n`);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), starts.length) }, work));
  say(rate(done, started));
  for (const [kind, found] of counts) say(`${kind}: ${found.length}, such as ${found.slice(0, 8).join(', ')}`);
}

/** Seeds that one thread runs before it is given more, and those after which it is told how far it is. */
const [partSize, progressSize] = [500, 10_000];

type Part = { from: number; seeds: number };
type Found = Verdict['failings'][number] & { seed: number };

async function failingsOf({ from, seeds }: Part): Promise<Found[]> {
  const found: Found[] = [];
  for (let seed = from; seed < from + seeds; seed++) {
    const { failings } = await simulate(Scenario.from(seed));
    for (const failing of failings) found.push({ ...failing, seed });
  }
  return found;
}

/** What other programs on the machine take does not count. */
function rate(seeds: number, started: NodeJS.CpuUsage): string {
  const { user, system } = process.cpuUsage(started);
  const seconds = (user + system) / 1e6;
  return `${seeds} seeds in ${seconds.toFixed(1)} s of a processor: ${(seeds / seconds).toFixed(0)} a second`;
}

/** Runs one after the other until one fails. */
async function first(from: number, seeds: number): Promise<void> {
  const started = process.cpuUsage();
  for (let seed = from; seed < from + seeds; seed++) {
    const { failings } = await simulate(Scenario.from(seed));
    tell(failings, `${seed}: `);
    if (failings.length > 0) return say(rate(seed + 1 - from, started));
  }
  say(rate(seeds, started));
}

const seed = argument('--seed');
const [from, seeds] = [argument('--from') ?? 1, argument('--seeds') ?? 1_000];
if (parentPort) {
  const port = parentPort;
  port.on('message', async (part: Part) => port.postMessage(await failingsOf(part)));
} else if (seed !== undefined) await replay(seed);
else if (process.argv.includes('--first')) await first(from, seeds);
else await search(from, seeds);
