/** One seed after the other, for whoever has other things to do in between. */

import { setImmediate } from 'node:timers/promises';
import * as Scenario from './scenario.js';
import { simulate } from './simulation.js';
import { type Told, toldOf } from './told.js';
import type { Verdict } from './verdict.js';
import * as wallet from './wallet.js';

/** Runs a seed; `tell` gets its history, a line at a time. A run itself never lets Node's loop come round. */
export async function run(seed: number, tell?: (line: string) => void): Promise<Verdict> {
  await setImmediate();
  return await simulate(Scenario.from(seed), tell);
}

/** Runs a scenario that somebody has thought of. */
export async function play(scenario: Scenario.Scenario): Promise<Verdict> {
  await setImmediate();
  return await simulate(scenario);
}

/** Runs what the real sandbox can do too. */
export async function likeSandbox(seed: number): Promise<{ scenario: Scenario.Scenario; told: Told }> {
  await setImmediate();
  const scenario = Scenario.ofSandbox(seed);
  const { words, origin } = await simulate(scenario);
  const mined = origin.blocks.flatMap((block) => block.mined.map(({ transaction }) => transaction));
  return { scenario, told: toldOf(words, mined, wallet.owner) };
}
