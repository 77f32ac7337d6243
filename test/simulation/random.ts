/** Chance from a seed: the same seed and name give the same numbers, on every machine. */

export type Random = {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(all: readonly T[]): T;
};

/** A stream of its own for each name, so that one consumer more does not change what the others draw. */
export function create(seed: number, name: string): Random {
  let state = hashOf(`${seed}/${name}`);
  const next = (): number => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick(all) {
      const found = all[between(0, all.length - 1)];
      if (found === undefined) throw new Error('Nothing to pick from.');
      return found;
    },
  };
}

/** 32 bytes in hexadecimal digits that are as good as random: for hashes of what nobody signs. */
export function digest(text: string): `0x${string}` {
  let digits = '';
  for (let part = 0; digits.length < 64; part++)
    digits += (hashOf(`${part}/${text}`) >>> 0).toString(16).padStart(8, '0');
  return `0x${digits}`;
}

/** FNV-1a, with the last step of MurmurHash3. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
