/** The meanings of ferry's exit codes. The error table in Errors.ts maps each error code to one of them. */
import { type Code, entry } from './Errors.js';

/** Every exit code with its meaning, above all where the money is. */
export const meanings: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'a bug in ferry',
  2: 'usage, configuration or input',
  3: 'service or network refused or unreachable, nothing sent',
  4: 'not authorized: API key, referrer, account, keystore',
  5: 'refused to sign, or a quote of something else than was asked',
  6: 'low balance or gas, or a transaction would fail or reverted: nothing moved',
  7: 'refunded',
  8: 'failed, the service holds the funds',
  9: 'not finished yet',
  10: 'outcome unknown, do not repeat',
  11: 'declined at the prompt, or stopped by a signal',
  12: 'an expectation was not met',
};

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
