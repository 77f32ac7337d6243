/**
 * A hostile service, with the solver's key, that wants to earn: it composes whole quotes from a grammar, in which all
 * figures agree, and signs them. Of whatever passes the proof, every end is valued by prices that are not the service's. No
 * more than the user's bound may be lost.
 *
 * By default a sample, by `SEED`. `PROFIT=100000` plays so many.
 */
import { expect, test } from 'vitest';
import { chance } from '../support/chance.js';
import { asks, draw, honestly } from '../support/profit/plans.js';
import { play } from '../support/profit/play.js';

const { PROFIT = '60', SEED = '1' } = process.env;
const quotes = Number(PROFIT);
const seed = SEED === 'random' ? Date.now() % 2 ** 31 : Number(SEED);

test('default: an honest quote passes', async () => {
  for (const asked of asks) expect((await play(honestly(asked)))?.beyondBps, text(asked)).toBeLessThan(0);
});

test(
  `behavior: nothing beyond the bound is taken by ${quotes} quotes`,
  async () => {
    const by = chance(seed);
    let passed = 0;
    for (let nth = 1; nth <= quotes; nth++) {
      const scheme = draw(by);
      const played = await play(scheme);
      if (played) passed += 1;
      expect(played?.beyondBps ?? 0, `seed ${seed}, quote ${nth}: ${played?.end}\n${text(scheme)}`).toBeLessThan(1);
    }
    process.stdout.write(`profit: seed ${seed}, ${quotes} quotes, ${passed} passed\n`);
    expect(passed).toBeGreaterThan(quotes / 10);
  },
  60_000 + quotes * 1_000,
);

function text(scheme: unknown): string {
  return JSON.stringify(scheme, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each), 2);
}
