/** Chance that comes from a seed (mulberry32). */
export type Chance = { number(): number; below(count: number): number; of<T>(all: readonly T[]): T };

export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(number() * count);
  return { number, below, of: (all) => all[below(all.length)] as (typeof all)[number] };
}
