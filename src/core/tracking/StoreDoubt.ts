/**
 * What a store may have forgotten. A store that was restored from a copy, or whose standby was behind, lacks the last runs:
 * what they signed for the service to submit can still be used, and shows nowhere until it is. So an account signs nothing
 * of that kind until all of it has expired, by the time of the chain's own final blocks.
 */
import { BaseError } from '../base/Errors.js';

/** The store may lack what was signed before this time, in Unix milliseconds. */
export type StoreDoubt = { sinceMs: number };

/** The longest that anything signed for the service may be valid where machines share a store. */
const longestValidMs = 10 * 60_000;

/** More than that: the clocks of machines, of the store and of the chain differ. */
const slackMs = 60_000;

/** The time after which nothing is valid any more that the store may have forgotten. */
export function untilMs({ sinceMs }: StoreDoubt): number {
  return sinceMs + longestValidMs + slackMs;
}

/** What an operator types who knows that nothing is lost. */
export const trusting = 'ferry store check --trust';

/** The store may have forgotten signatures that can still be used. */
export function storeBehind(doubt: StoreDoubt, { chain, finalMs }: { chain: string; finalMs: number }): BaseError {
  return new BaseError(
    'store.behind',
    'The store may have lost its last payments, so nothing is signed yet for the service to submit.',
    {
      facts: [
        ['noticed', new Date(doubt.sinceMs).toISOString()],
        ['waits until', new Date(untilMs(doubt)).toISOString()],
        [`final on ${chain}`, new Date(finalMs).toISOString()],
      ],
      hint: `It was restored from a copy, or another server has taken over. Start ferry on every machine that has paid: each puts back what it has signed. What is missing then has expired once a later block is final. If a synchronous standby took over and nothing is lost: ${trusting}.`,
      next: 'ferry store check',
    },
  );
}

/**
 * Refuses what would be valid for longer than a store in doubt is waited for.
 *
 * @throws usage.invalid
 */
export function assertShort(validMs: number): void {
  if (validMs > longestValidMs + slackMs / 2) {
    const found = Number.isFinite(validMs) ? `${Math.ceil(validMs / 60_000)} minutes` : 'without an end';
    throw new BaseError(
      'usage.invalid',
      `With a store, what is signed for the service to submit may be valid for ten minutes, not ${found}.`,
      { hint: 'After a store was restored from a copy, the account waits for as long before it signs again.' },
    );
  }
}
