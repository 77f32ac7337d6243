/** Releases the turn for an account's nonces if the service or the venue submits what uses them. */
import type { Clock, Turn } from '../ports/Ports.js';
import * as Polling from './Polling.js';

/** The turn of a run that signs nothing and so uses no nonce. */
export const none: Turn = { known: () => undefined, use: () => {}, commit: async () => {}, release: () => {} };

/** Time limit for the chain to show the nonces as used. */
const withinMs = 15_000;

/**
 * Releases a turn once the signed nonces are used, since a run that read them before would sign with them again. Never
 * throws: the caller meets an abort or an unreachable node in what follows.
 */
export async function releaseOnceUsed(
  turn: Turn,
  isUsed: () => Promise<boolean>,
  around: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const ask = async (): Promise<boolean | undefined> => (await isUsed().catch(() => false)) || undefined;
  await Polling.pollUntil(ask, around, { timeoutMs: withinMs }, () => false);
  turn.release();
}
