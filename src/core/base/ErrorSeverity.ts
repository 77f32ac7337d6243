/** Which of several failures counts, where one exit code has to stand for all. */
import { type Code, entry } from './Errors.js';

/** Where it counts, the money comes first: unknown, held, in flight, returned, not moved. */
const exits = [10, 8, 9, 7, 6];

/** The worse of two codes; the first where neither is. Null is no failure. */
export function worse(a: Code | null, b: Code | null): Code | null {
  if (a === null || b === null) return a ?? b;
  return rank(b) < rank(a) ? b : a;
}

function rank(code: Code): number {
  const { exit } = entry(code);
  const money = exits.indexOf(exit);
  return money >= 0 ? money : exits.length + exit;
}
