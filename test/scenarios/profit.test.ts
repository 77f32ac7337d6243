/**
 * A hostile service, with the solver's key, that wants to earn: it composes whole quotes from a grammar, in which all
 * figures agree, signs them, and does as it likes once it is paid. Whatever ferry signs is played to every end, and what
 * the user then holds is valued by prices that are not the service's. No more than the user's bound may be lost.
 *
 * By default a sample, by `SEED`. `PROFIT=100000` plays so many. A find is shrunk and told in words.
 */
import { expect, test } from 'vitest';
import { asks, inWords } from '../support/profit/plans.js';
import { play } from '../support/profit/play.js';
import { search } from '../support/profit/search.js';

const { PROFIT = '400', SEED = '1' } = process.env;
const quotes = Number(PROFIT);
const seed = SEED === 'random' ? Date.now() % 2 ** 31 : Number(SEED);

test('default: an honest service is paid, and delivers', async () => {
  for (const asked of asks) {
    const { words, beyondBps } = await play({ asked, transfers: 2, moves: [] });
    expect([asked.words, words]).toEqual([asked.words, ['delivered', 'delivered']]);
    expect(beyondBps).toBeLessThan(0);
  }
});

test(
  `behavior: nothing beyond the bound is taken by ${quotes} quotes`,
  async () => {
    const { passed, found } = await search(seed, quotes);
    process.stdout.write(`profit: seed ${seed}, ${quotes} quotes, ${passed} signed\n`);
    const told = found && [
      `after ${found.after} quotes of seed ${seed}:`,
      inWords(found.attack),
      `${found.played.beyondBps} bps beyond the bound when ${found.played.end}`,
    ];
    expect(told?.join('\n')).toBeUndefined();
    expect(passed).toBeGreaterThan(quotes / 10);
  },
  60_000 + quotes * 1_000,
);
