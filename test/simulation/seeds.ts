/** One seed after the other. */

import * as Scenario from './scenario.js';
import { simulate } from './simulation.js';
import type { Verdict } from './verdict.js';

/** Runs a seed; `tell` gets its history, a line at a time. */
export function run(seed: number, tell?: (line: string) => void): Promise<Verdict> {
  return simulate(Scenario.from(seed), tell);
}
