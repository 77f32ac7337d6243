/**
 * A hostile service, with the solver's key, that wants to earn: it composes whole quotes from a grammar, in which all
 * figures agree, signs them, and does as it likes once it is paid. Whatever ferry signs is played to every end, and what
 * the user then holds is valued by prices that are not the service's. No more than the user's bound may be lost.
 *
 * By default a sample, by `SEED`. `PROFIT=100000` plays so many. A find is shrunk and told in words.
 */
import { expect, test } from 'vitest';
import { chance } from '../support/chance.js';
import { type Attack, asks, draw, inWords } from '../support/profit/plans.js';
import { type Played, play } from '../support/profit/play.js';

const { PROFIT = '60', SEED = '1' } = process.env;
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

/** What was found: the smallest attack of its kind, what it came to, and after how many quotes. */
type Found = { attack: Attack; played: Played; after: number };

/** What a search came to. `passed` counts the attacks whose first quote passed the proof. */
type Searched = { quotes: number; passed: number; found: Found | undefined };

/**
 * Plays so many attacks, or as many as it takes to find one.
 *
 * @param isNew whether a find is one that was not found before; the search goes on until one is
 */
async function search(seed: number, most: number, isNew: (found: Found) => boolean = () => true): Promise<Searched> {
  const by = chance(seed);
  let passed = 0;
  for (let quotes = 1; quotes <= most; quotes++) {
    const attack = draw(by);
    const played = await play(attack);
    if (played.passed > 0) passed += 1;
    if (played.beyondBps <= 0) continue;
    const smallest = await shrunk(attack);
    const found = { attack: smallest, played: await play(smallest), after: quotes };
    if (isNew(found)) return { quotes, passed, found };
  }
  return { quotes: most, passed, found: undefined };
}

/** The attack with as few moves as still take the money, for as plain a request as can be. */
async function shrunk(attack: Attack): Promise<Attack> {
  const takes = async (smaller: Attack): Promise<boolean> => (await play(smaller)).beyondBps > 0;
  const single = {
    ...attack,
    transfers: 1 as const,
    moves: attack.moves.map((move) => ({ ...move, transfer: 0 as const })),
  };
  const inTurn = { ...attack, transfers: 2 as const };
  let smallest = attack;
  if (attack.transfers === 'two at once' && (await takes(inTurn))) smallest = inTurn;
  if (attack.transfers !== 1 && (await takes(single))) smallest = single;
  for (let index = smallest.moves.length - 1; index >= 0; index--) {
    const smaller = { ...smallest, moves: smallest.moves.toSpliced(index, 1) };
    if (await takes(smaller)) smallest = smaller;
  }
  for (const asked of asks.slice(0, asks.indexOf(smallest.asked))) {
    const plainer = { ...smallest, asked };
    if (await takes(plainer)) return plainer;
  }
  return smallest;
}
