/** Searches for attacks that take money, by chance from a seed, and shrinks what it finds. */

import { type Attack, asks, chance, draw } from './plans.js';
import { type Played, play } from './play.js';

/** What was found: the smallest attack of its kind, what it came to, and after how many quotes. */
export type Found = { attack: Attack; played: Played; after: number };

/** What a search came to. `passed` counts the attacks whose first quote passed the proof. */
export type Searched = { quotes: number; passed: number; found: Found | undefined };

/**
 * Plays so many attacks, or as many as it takes to find one.
 *
 * @param isNew whether a find is one that was not found before; the search goes on until one is
 */
export async function search(
  seed: number,
  most: number,
  isNew: (found: Found) => boolean = () => true,
): Promise<Searched> {
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
