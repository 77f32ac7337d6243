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

/** The ports that show what is pending. */
export type Watching = { node: Pick<Chain, 'nonce' | 'minedNonce'>; clock: Clock; signal: AbortSignal };

/** The next nonce, and the first of those that are not mined. */
export type Nonces = { next: number; first: number };

/** @throws chain.* */
export async function read(account: Address, node: Watching['node']): Promise<Nonces> {
  const [next, first] = await Promise.all([node.nonce(account), node.minedNonce(account)]);
  return { next, first };
}

/** Waits longer than this are reported. */
const tellAfterMs = 1_000;

/** The next nonce, and whether a transaction was pending before. */
export type Free = { nonce: number; hasWaited: boolean };

/**
 * Waits, and yields an event if that takes a while. The caller holds the turn for the account's nonces. Returns the next
 * nonce.
 *
 * @param asked what was read just now
 * @throws submit.busy if they are not mined in time · chain.* · the signal's reason
 */
export async function* mined(
  chain: Network.Chain,
  account: Address,
  { node, clock, signal }: Watching,
  timeoutMs: number,
  asked: Promise<Nonces> = read(account, node),
): AsyncGenerator<Waiting, Free> {
  const startedAt = clock.now();
  let looks = 0;
  let pending = 0;
  const ask = async (): Promise<Free | undefined> => {
    const { next: nonce, first } = await (looks === 0 ? asked : read(account, node));
    looks += 1;
    pending = nonce - first;
    return pending <= 0 ? { nonce, hasWaited: looks > 1 } : undefined;
  };
  const waiting = { clock, signal };
  const delayMs = (): number => Polling.delayMs(looks - 1);
  const atOnce = { timeoutMs: Math.min(timeoutMs, tellAfterMs), delayMs };
  const free = await Polling.pollUntil<Free | null>(ask, waiting, atOnce, () => {
    signal.throwIfAborted();
    return null;
  });
  if (free) return free;
  const busy = (): BaseError =>
    new BaseError(
      'submit.busy',
      `After ${TerminalTime.elapsed(clock.now() - startedAt)}, the account still has ${count(pending)} on ${chain.name}. Nothing was signed.`,
      {
        facts: [['account', account]],
        hint: 'Until it is mined, nobody knows what balance it leaves. ferry runs speed-up raises the fees of one that ferry sent.',
        next: 'ferry runs list',
      },
    );
  const left = startedAt + timeoutMs - clock.now();
  if (left <= 0) throw busy();
  yield { type: 'waiting', summary: `Waiting: ${count(pending)} of ${account} on ${chain.name}`, pid: null };
  return await Polling.pollUntil(ask, waiting, { timeoutMs: left, delayMs }, () => {
    signal.throwIfAborted();
    return busy();
  });
}

function count(pending: number): string {
  return pending === 1 ? '1 pending transaction' : `${pending} pending transactions`;
}
