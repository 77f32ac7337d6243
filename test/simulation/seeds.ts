/** One seed after the other, for whoever has other things to do in between. */

import { setImmediate } from 'node:timers/promises';
import * as Scenario from './scenario.js';
import { simulate } from './simulation.js';
import type { Verdict } from './verdict.js';

/** Runs a seed; `tell` gets its history, a line at a time. A run itself never lets Node's loop come round. */
export async function run(seed: number, tell?: (line: string) => void): Promise<Verdict> {
  await setImmediate();
  return await simulate(Scenario.from(seed), tell);
}
