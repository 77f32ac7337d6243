/** Many runs of the code that pays, on a model of everything around it. `npm run simulate` replays a seed in words. */

import { expect, test } from 'vitest';
import * as Scenario from './scenario.js';
import { simulate } from './simulation.js';

/** How many seeds are run: the same ones every time. */
const seeds = Number(process.env.FERRY_SEEDS ?? 100);

test('behavior: no run loses money, pays twice, says what is false, or gets stuck', { timeout: 600_000 }, async () => {
  const found: string[] = [];
  for (let seed = 1; seed <= seeds; seed++)
    for (const { kind, what } of (await simulate(Scenario.from(seed))).failings)
      found.push(`${seed}: ${kind}: ${what}`);
  expect(found).toEqual([]);
});

test('behavior: a seed has the same history each time', async () => {
  const histories: string[][] = [[], []];
  for (const history of histories)
    for (const seed of [1, 2, 3, 4]) await simulate(Scenario.from(seed), (line) => history.push(line));
  expect(histories[0]?.length).toBeGreaterThan(50);
  expect(histories[1]).toEqual(histories[0]);
});
