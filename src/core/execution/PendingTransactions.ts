/**
 * Waits until every transaction of an account is mined. Balances and allowances are read from mined blocks: while a
 * transaction is pending, such as the deposit of a run that was killed, what it is about to spend would count as free.
 */
import type { Address } from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type * as Network from '../network/Network.js';
import type { Chain, Clock, Waiting } from '../ports/Ports.js';
import * as TransferStatus from '../tracking/TransferStatus.js';

export type World = { node: Pick<Chain, 'nonce' | 'minedNonce'>; clock: Clock; signal: AbortSignal };

/** Waits longer than this are reported. */
const tellAfterMs = 1_000;

/** The next nonce, and whether a transaction was pending before. */
export type Free = { nonce: number; hasWaited: boolean };

/**
 * Waits, and yields an event if that takes a while. The caller holds the turn for the account's nonces. Returns the next
 * nonce.
 *
 * @throws submit.busy if they are not mined in time · chain.* · the signal's reason
 */
export async function* mined(
  chain: Network.Chain,
  account: Address,
  { node, clock, signal }: World,
  timeoutMs: number,
): AsyncGenerator<Waiting, Free> {
  const startedAt = clock.now();
  let isTold = false;
  for (let look = 0; ; look++) {
    const [next, first] = await Promise.all([node.nonce(account), node.minedNonce(account)]);
    if (next <= first) return { nonce: next, hasWaited: look > 0 };
    const waitedMs = clock.now() - startedAt;
    if (waitedMs >= timeoutMs)
      throw new BaseError(
        'submit.busy',
        `After ${Math.round(waitedMs / 1000)} s, the account still has ${count(next - first)} on ${chain.name}. Nothing was signed.`,
        {
          facts: [['account', account]],
          hint: 'Until it is mined, nobody knows what balance it leaves. ferry runs speed-up raises the fees of one that ferry sent.',
          next: 'ferry runs list',
        },
      );
    if (!isTold && waitedMs >= tellAfterMs) {
      isTold = true;
      yield { type: 'waiting', summary: `Waiting: ${count(next - first)} of ${account} on ${chain.name}`, pid: null };
    }
    await clock.sleep(TransferStatus.pollDelayMs(look), signal);
  }
}

function count(pending: number): string {
  return pending === 1 ? '1 pending transaction' : `${pending} pending transactions`;
}
