/**
 * Brings a signed transaction to its end: waits until it is mined, and after a crash sends the same bytes again. It tells
 * one that another transaction has replaced, and that can therefore never be mined, from one that may still be.
 */
import * as Address from './Address.js';
import { BaseError } from './Errors.js';
import * as Follow from './Follow.js';
import type * as Plan from './Plan.js';
import type { Chain, Clock, Hex, Journal, Receipt, UsedNonce } from './Ports.js';
import * as Progress from './Progress.js';

export type World = { origin: Chain; clock: Clock; signal: AbortSignal; journal: Journal };

/** A transaction that was signed in an earlier life of the run. */
export type Begun = { bytes: Hex; txHash: Hex; nonce: number };

/** Which action of a plan, and where it stands in it. */
export type Step = { plan: Plan.Plan; action: Plan.Action; step: number };

/** How often a nonce is looked at while a transaction is not mined. */
const everyPolls = 6;

/** How often a node that refuses the bytes is asked whether it has them nevertheless. */
const looks = 5;

/**
 * Sends the same bytes again unless they are mined.
 *
 * @throws submit.replaced · chain.* · submit.unknown
 */
export async function resend(of: Step, { bytes, txHash, nonce }: Begun, world: World): Promise<void> {
  const { origin, clock, signal, journal } = world;
  if (await origin.receipt(txHash)) return;
  if (await replacement(of, { txHash, nonce }, world)) return;
  try {
    await origin.broadcast(bytes);
    await journal.append({ type: 'broadcast', step: of.step, txHash });
  } catch (error) {
    // It may be mined in this very moment, or somebody else has just used its nonce.
    for (let look = 0; look < looks && !signal.aborted; look++) {
      if ((await origin.receipt(txHash).catch(() => undefined)) || (await replacement(of, { txHash, nonce }, world)))
        return;
      await clock.sleep(Progress.pollDelayMs(2 * look), signal);
    }
    throw error;
  }
}

/**
 * Waits for the receipt of a transaction, or of one that does the same in its place.
 *
 * @throws track.unfinished · submit.replaced
 */
export async function mined(
  of: Step,
  { txHash, nonce }: Pick<Begun, 'txHash' | 'nonce'>,
  world: World,
  timeoutMs: number,
): Promise<Receipt> {
  const { origin, clock, signal } = world;
  const deadline = clock.now() + timeoutMs;
  const unfinished = (cause?: unknown): BaseError => new NotMinedError(of, txHash, cause);
  for (let attempt = 0, cause: unknown; ; attempt++) {
    const receipt = await origin.receipt(txHash).catch((error: unknown) => {
      cause = error;
      return undefined;
    });
    if (receipt) return receipt;
    const other = attempt % everyPolls === everyPolls - 1 ? await replacement(of, { txHash, nonce }, world) : undefined;
    const replaced = other && (await origin.receipt(other).catch(() => undefined));
    if (replaced) return replaced;
    if (clock.now() >= deadline || signal.aborted) throw unfinished(cause);
    await Follow.interruptible(clock.sleep(Progress.pollDelayMs(attempt), signal), () => unfinished());
  }
}

/**
 * The mined transaction that does the same in the place of ours, such as one with a higher fee; undefined where there is
 * none, or the node cannot tell.
 *
 * @throws submit.replaced where another one that does something else is mined with our nonce
 */
async function replacement(
  of: Step,
  { txHash, nonce }: Pick<Begun, 'txHash' | 'nonce'>,
  { origin, journal }: World,
): Promise<Hex | undefined> {
  const { from, to, data, value } = of.action;
  const used = await origin.usedNonce(from, nonce).catch((): UsedNonce => ({ state: 'used' }));
  if (used.state !== 'found' || used.hash === txHash) return undefined;
  const isSame = used.to !== undefined && Address.isEqual(used.to, to) && used.data === data && used.value === value;
  if (isSame) return used.hash;
  await journal.append({ type: 'impossible', step: of.step, txHash, by: used.hash });
  throw new ReplacedError(of, txHash, nonce, used.hash);
}

export class ReplacedError extends BaseError {
  override name = 'ReplacedError';
  constructor({ plan, action }: Step, txHash: Hex, nonce: number, by: Hex) {
    super(
      'submit.replaced',
      `The transaction to ${lowerFirst(action.summary)} can never be mined: nothing of it moved.`,
      {
        facts: [
          ['its nonce', String(nonce)],
          ['was taken by', by],
        ],
        hint: 'It was cancelled or replaced by something else that the account has sent.',
        requestId: plan.requestId,
        txHash,
      },
    );
  }
}

export class NotMinedError extends BaseError {
  override name = 'NotMinedError';
  constructor({ plan, action }: Step, txHash: Hex, cause: unknown) {
    super('track.unfinished', `The transaction to ${lowerFirst(action.summary)} was sent and is not mined yet.`, {
      facts: [['chain', action.chain.name]],
      hint: 'Do not send it again: it may still be mined.',
      next: `ferry status ${plan.requestId} --watch`,
      requestId: plan.requestId,
      txHash,
      cause,
    });
  }
}

/** Why it is not known, after a crash, what has become of something signed. */
export class InterruptedError extends BaseError {
  override name = 'InterruptedError';
  constructor(requestId: string, txHash?: string) {
    super('submit.unknown', 'The run was interrupted after it had signed.', { requestId, txHash });
  }
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
