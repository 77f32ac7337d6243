/** Picks the failure that decides the exit code if there are several. */
import { type Code, entry } from './Errors.js';

/** Exit codes that outrank all others, worst first: funds unknown, held, in flight, returned, not moved. */
const exits = [10, 8, 9, 7, 6];

/** The more severe of two codes, or the first if they are equally severe. Null means no failure. */
export function worse(a: Code | null, b: Code | null): Code | null {
  if (a === null || b === null) return a ?? b;
  return rank(b) < rank(a) ? b : a;
}

function rank(code: Code): number {
  const { exit } = entry(code);
  const money = exits.indexOf(exit);
  return money >= 0 ? money : exits.length + exit;
}
