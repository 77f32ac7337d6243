/** The end of a turn at an account's nonces, where somebody else sends what uses them up. */
import type { Clock, Turn } from '../ports/Ports.js';
import * as TransferStatus from './TransferStatus.js';

/** Where nothing is signed, so that no nonce is taken. */
export const none: Turn = { release: () => {} };

/** How long others wait for the chain to show it; then they read what there is. */
const withinMs = 15_000;

/**
 * Releases a turn when the nonces that were signed are used up: whoever read them before would sign with them again.
 * Never throws: an abort, or a node that is away, is met by what follows.
 */
export async function releaseOnceUsed(
  turn: Turn,
  isUsed: () => Promise<boolean>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const untilMs = clock.now() + withinMs;
  for (let attempt = 0; !(await isUsed().catch(() => false)); attempt++) {
    if (signal.aborted || clock.now() >= untilMs) break;
    await clock.sleep(TransferStatus.pollDelayMs(attempt), signal).catch(() => {});
  }
  turn.release();
}
