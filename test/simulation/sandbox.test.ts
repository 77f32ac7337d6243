/**
 * The model is held to the real sandbox: the same scenarios on both, with the same transactions, events and words.
 * SIMULATION_SANDBOX=200 for so many.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { load } from './bundle.mjs';
import { play } from './real.js';
import type * as Seeds from './seeds.js';

const seeds = Number(process.env.SIMULATION_SANDBOX ?? 4);
const from = Number(process.env.SIMULATION_FROM ?? 1);

let sandbox: TestSandbox;
let bundled: typeof Seeds;
beforeAll(async () => {
  [sandbox, bundled] = await Promise.all([startSandbox(), load('seeds.ts')]);
}, 60_000);
afterAll(() => sandbox.stop());

test.each(Array.from({ length: seeds }, (_, index) => from + index))('seed %i', { timeout: 120_000 }, async (seed) => {
  const { scenario, told } = await bundled.likeSandbox(seed);
  expect({ scenario, told: await play(scenario, sandbox) }).toEqual({ scenario, told });
});
