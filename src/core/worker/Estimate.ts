/** How long a batch takes, said before anybody is asked: keys and accounts decide, never the store. */
import * as z from 'zod/mini';

export const schema = z.object({
  lines: z.int(),
  /** The accounts that pay. */
  accounts: z.int(),
  /** The quotes a minute that all keys together allow; null for no limit. */
  quotesPerMinute: z.nullable(z.int()),
  /** At least if quotes decide; else about. */
  seconds: z.int(),
  /** What decides about it. */
  bound: z.enum(['quotes', 'accounts']),
});

export type Estimate = z.output<typeof schema>;

/** About the seconds from a quote to a mined transaction, which the chain decides, as an account pays one after the other. */
const secondsALine = 15;

/**
 * @param byAccount the number of lines of each account
 * @param quotesPerMinute of one key; infinity for no limit
 */
export function from(byAccount: ReadonlyMap<string, number>, quotesPerMinute: number, keys: number): Estimate {
  let lines = 0;
  let most = 0;
  for (const count of byAccount.values()) {
    lines += count;
    most = Math.max(most, count);
  }
  const [byQuotes, byBlocks] = [(lines * 60) / (quotesPerMinute * keys), most * secondsALine];
  return {
    lines,
    accounts: byAccount.size,
    quotesPerMinute: Number.isFinite(quotesPerMinute) ? quotesPerMinute * keys : null,
    seconds: Math.ceil(Math.max(byQuotes, byBlocks)),
    bound: byQuotes > byBlocks ? 'quotes' : 'accounts',
  };
}

/** `about 6 min: each of 3 accounts pays one transfer after the other`. */
export function format({ seconds, bound, accounts, quotesPerMinute }: Estimate): string {
  const why =
    bound === 'quotes'
      ? `the service allows ${quotesPerMinute} quotes a minute; more API keys make it faster`
      : accounts === 1
        ? 'one account pays one transfer after the other; more accounts make it faster'
        : `each of ${accounts} accounts pays one transfer after the other`;
  return `${bound === 'quotes' ? 'at least' : 'about'} ${inWords(seconds)}: ${why}`;
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
