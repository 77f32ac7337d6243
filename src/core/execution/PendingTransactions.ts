/**
 * Waits until every transaction of an account is mined. Balances and allowances are read from mined blocks: while a
 * transaction is pending, such as the deposit of a run that was killed, what it is about to spend would count as free.
 */
import type { Address } from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type * as Network from '../network/Network.js';
import type { Chain, Clock, Waiting } from '../ports/Ports.js';
import * as TerminalTime from '../text/TerminalTime.js';
import * as Polling from '../tracking/Polling.js';

/** The next nonce, and the first of those that are not mined. */
export type Nonces = { next: number; first: number };

/** @throws chain.* */
export async function read(account: Address, node: Pick<Chain, 'nonce' | 'minedNonce'>): Promise<Nonces> {
  const [next, first] = await Promise.all([node.nonce(account), node.minedNonce(account)]);
  return { next, first };
}

/** Waits longer than this are reported. */
const tellAfterMs = 1_000;

/**
 * Waits, and yields an event if that takes a while. The caller holds the turn for the account's nonces. Returns the next
 * nonce, and whether a transaction was pending before.
 *
 * @param asked what was read just now
 * @throws submit.busy if they are not mined in time · chain.* · the signal's reason
 */
export async function* mined(
  chain: Network.Chain,
  account: Address,
  { node, clock, signal }: { node: Pick<Chain, 'nonce' | 'minedNonce'>; clock: Clock; signal: AbortSignal },
  timeoutMs: number,
  asked: Promise<Nonces> = read(account, node),
): AsyncGenerator<Waiting, { nonce: number; hasWaited: boolean }> {
  const startedAt = clock.now();
  let isTold = false;
  for (let look = 0; ; look++) {
    const { next: nonce, first } = await (look === 0 ? asked : read(account, node));
    if (nonce <= first) return { nonce, hasWaited: look > 0 };
    const elapsedMs = clock.now() - startedAt;
    const pending = nonce - first === 1 ? '1 pending transaction' : `${nonce - first} pending transactions`;
    if (elapsedMs >= timeoutMs)
      throw new BaseError(
        'submit.busy',
        `After ${TerminalTime.elapsed(elapsedMs)}, the account still has ${pending} on ${chain.name}. Nothing was signed.`,
        {
          facts: [['account', account]],
          hint: 'Until it is mined, nobody knows what balance it leaves. ferry runs speed-up raises the fees of one that ferry sent.',
          next: 'ferry runs list',
        },
      );
    if (!isTold && elapsedMs >= tellAfterMs)
      yield { type: 'waiting', summary: `Waiting: ${pending} of ${account} on ${chain.name}`, pid: null };
    isTold ||= elapsedMs >= tellAfterMs;
    await clock.sleep(Polling.delayMs(look), signal);
  }
}
