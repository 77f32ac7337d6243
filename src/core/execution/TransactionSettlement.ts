/**
 * Brings a signed transaction to its end: waits until it is mined, and sends the same bytes again where the node has lost
 * them. A node is one witness: what it says is held against the nonce, the allowance and the service's word.
 */

import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Chain, Clock, Receipt, Service, UsedNonce } from '../ports/Ports.js';
import type { Attempt, JournalWriter } from '../tracking/Journal.js';
import * as StatusPolling from '../tracking/StatusPolling.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import type * as Plan from './Plan.js';

export type World = {
  origin: Chain;
  service: Pick<Service, 'status'>;
  clock: Clock;
  signal: AbortSignal;
  journal: JournalWriter;
  warn(text: string): void;
};

/** A transaction that was signed, with whatever was signed in its place; the last one counts. */
export type Begun = { nonce: number; attempts: readonly Attempt[] };

/** Which action of a plan, and where it stands in it. */
export type Step = { plan: Plan.Restored; action: Plan.Action; step: number };

/** How often other witnesses are asked while a transaction is not mined. */
const everyPolls = 6;

/** How often somebody is asked who may know better in a moment. */
const looks = 5;

/** What is sent, and followed by its hash. */
export function latest({ attempts }: Begun): { bytes: Hex; txHash: Hex } {
  const { bytes, txHash } = attempts.at(-1) ?? { bytes: '0x', txHash: '0x' };
  return { bytes: bytes as Hex, txHash: txHash as Hex };
}

/** What does what was to be done, whatever was signed to take it back. */
export function sending({ attempts }: Begun): Hex {
  return (attempts.findLast(({ purpose }) => purpose !== 'cancel')?.bytes ?? '0x') as Hex;
}

/**
 * Sends the same bytes again unless they are mined.
 *
 * @throws submit.replaced · submit.cancelled · chain.* · submit.unknown
 */
export async function resend(of: Step, begun: Begun, world: World): Promise<void> {
  const { origin, clock, signal, journal } = world;
  if (await isSettled(of, begun, world)) return;
  const { bytes, txHash } = latest(begun);
  try {
    await origin.broadcast(bytes);
    await journal.append({ type: 'broadcast', step: of.step, txHash });
  } catch (error) {
    // It may be mined in this very moment, or somebody else has just used its nonce.
    for (let look = 0; look < looks && !signal.aborted; look++) {
      if (await isSettled(of, begun, world).catch(unlessFinal)) return;
      await clock.sleep(TransferStatus.pollDelayMs(2 * look), signal);
    }
    throw error;
  }
}

/**
 * Waits for the receipt of a transaction, or of one that does the same in its place. Resolves to undefined where the node
 * shows none although the allowance or the service shows that it happened.
 *
 * @throws track.unfinished · submit.replaced · submit.cancelled · submit.unknown where the node does not have it
 */
export async function mined(of: Step, begun: Begun, world: World, timeoutMs: number): Promise<Receipt | undefined> {
  const { origin, clock, signal } = world;
  const { txHash, bytes } = latest(begun);
  const deadline = clock.now() + timeoutMs;
  let isKnown = true;
  for (let attempt = 0, cause: unknown; ; attempt++) {
    const receipt = await receiptOf(of, begun, world).catch((error: unknown) => {
      cause = unlessFinal(error);
      return undefined;
    });
    if (receipt) return receipt;
    if (attempt % everyPolls === everyPolls - 1) {
      const other = await replacement(of, begun, world);
      const replaced = other && (await origin.receipt(other).catch(() => undefined));
      if (replaced) return replaced;
      if (await isEvident(of, world)) return undefined;
      isKnown = await origin.knows(txHash).catch(() => isKnown);
      if (!isKnown && !signal.aborted)
        isKnown = await origin.broadcast(bytes).then(
          () => true,
          () => false,
        );
    }
    if (clock.now() >= deadline && !signal.aborted) {
      isKnown = isKnown && (await origin.knows(txHash).catch(() => true));
      throw isKnown && !(await isContradicted(of, begun, world))
        ? new NotMinedError(of, txHash, cause)
        : new LostError(of, txHash, cause);
    }
    if (signal.aborted) throw new NotMinedError(of, txHash, cause);
    await StatusPolling.interruptible(
      clock.sleep(TransferStatus.pollDelayMs(attempt), signal),
      () => new NotMinedError(of, txHash, undefined),
    );
  }
}

/**
 * Sends a mined transaction again that is on the chain no more, as after a reorganisation.
 *
 * @throws submit.replaced · submit.cancelled
 */
export async function guard(of: Step, begun: Begun, world: World): Promise<void> {
  const { txHash } = latest(begun);
  try {
    if (await isSettled(of, begun, world)) return;
    world.warn(`The transaction to ${lowerFirst(of.action.summary)} is on the chain no more: ferry sends it again.`);
    await world.origin.broadcast(latest(begun).bytes);
    await world.journal.append({ type: 'broadcast', step: of.step, txHash });
  } catch (error) {
    unlessFinal(error);
  }
}

/** Whether a transaction that the node calls reverted has done its work nevertheless. @throws submit.unknown */
export async function hasWorked(of: Step, receipt: Receipt, world: World): Promise<boolean> {
  const { clock, signal } = world;
  for (let look = 0; look < looks && !signal.aborted; look++) {
    if (await isEvident(of, world)) return true;
    await clock.sleep(TransferStatus.pollDelayMs(2 * look), signal).catch(() => {});
  }
  // What reverts leaves no events.
  if (receipt.logs.length > 0) throw new LostError(of, receipt.hash, undefined);
  return false;
}

/** Whether something else than a receipt shows it: the allowance of an approval, the service's word of a payment. */
async function isEvident({ plan, action }: Step, { origin, service }: World): Promise<boolean> {
  const { approval, from, to } = action;
  try {
    if (!approval) return TransferStatus.isDeposited(await service.status(plan.requestId));
    const allowance = await origin.allowance(to, from, approval.spender);
    return approval.amount === 0n ? allowance === 0n : allowance >= approval.amount;
  } catch {
    return false;
  }
}

/** Whether it was mined, or one that does the same in its place. @throws submit.replaced · submit.cancelled */
export async function isSettled(of: Step, begun: Begun, world: World): Promise<boolean> {
  return (await receiptOf(of, begun, world)) !== undefined || (await replacement(of, begun, world)) !== undefined;
}

/**
 * The receipt of whichever was mined. One whose nonce is still free is an invention.
 *
 * @throws submit.cancelled
 */
async function receiptOf(
  of: Step,
  { attempts, nonce }: Begun,
  { origin, journal }: World,
): Promise<Receipt | undefined> {
  for (const { purpose, txHash } of attempts.toReversed()) {
    const receipt = await origin.receipt(txHash as Hex);
    if (!receipt || (await origin.minedNonce(of.action.from)) <= nonce) continue;
    if (purpose !== 'cancel') return receipt;
    const [sent] = attempts;
    await journal.append({ type: 'impossible', step: of.step, txHash: sent?.txHash ?? '', by: txHash });
    throw new CancelledError(of, nonce, txHash);
  }
  return undefined;
}

/** Whether the node has a receipt and says that its nonce is free. */
async function isContradicted(of: Step, begun: Begun, { origin }: World): Promise<boolean> {
  const { txHash } = latest(begun);
  try {
    const receipt = await origin.receipt(txHash);
    return receipt !== undefined && (await origin.minedNonce(of.action.from)) <= begun.nonce;
  } catch {
    return false;
  }
}

/**
 * The mined transaction that does the same in the place of ours, such as one with a higher fee; undefined where there is
 * none, or the node cannot tell.
 *
 * @throws submit.replaced where another one that does something else is mined with our nonce
 */
async function replacement(of: Step, { attempts, nonce }: Begun, { origin, journal }: World): Promise<Hex | undefined> {
  const { from, to, data, value } = of.action;
  const used = await origin.usedNonce(from, nonce).catch((): UsedNonce => ({ state: 'used' }));
  if (used.state !== 'found' || attempts.some(({ txHash }) => txHash === used.hash)) return undefined;
  const isSame = used.to !== undefined && Address.isEqual(used.to, to) && used.data === data && used.value === value;
  if (isSame) return used.hash;
  const { txHash } = latest({ attempts, nonce });
  await journal.append({ type: 'impossible', step: of.step, txHash, by: used.hash });
  throw new ReplacedError(of, txHash, nonce, used.hash);
}

/** Swallows what may pass, and throws what is certain. */
function unlessFinal(error: unknown): unknown {
  if (error instanceof ReplacedError || error instanceof CancelledError) throw error;
  return error;
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

export class CancelledError extends BaseError {
  override name = 'CancelledError';
  constructor({ plan, action }: Step, nonce: number, by: string) {
    super('submit.cancelled', `The transaction to ${lowerFirst(action.summary)} was cancelled: nothing of it moved.`, {
      facts: [
        ['its nonce', String(nonce)],
        ['was taken by', by],
      ],
      hint: 'The transfer may be started again.',
      requestId: plan.requestId,
      txHash: by,
    });
  }
}

export class NotMinedError extends BaseError {
  override name = 'NotMinedError';
  constructor({ plan, action }: Step, txHash: Hex, cause: unknown) {
    super('track.unfinished', `The transaction to ${lowerFirst(action.summary)} was sent and is not mined yet.`, {
      facts: [['chain', action.chain.name]],
      hint: 'Do not send it again: it may still be mined. ferry runs speed-up offers more for it, ferry runs cancel takes it back.',
      next: `ferry status ${plan.requestId} --watch`,
      requestId: plan.requestId,
      txHash,
      cause,
    });
  }
}

/** The node took the bytes and does not have them, or what it says does not agree. */
export class LostError extends BaseError {
  override name = 'LostError';
  constructor({ plan, action }: Step, txHash: Hex, cause: unknown) {
    super(
      'submit.unknown',
      `The transaction to ${lowerFirst(action.summary)} was sent, and what the node says of it does not agree.`,
      {
        facts: [['chain', action.chain.name]],
        hint: 'Ask another node: look for the transaction in an explorer before anything else is sent.',
        next: `ferry status ${plan.requestId} --watch`,
        requestId: plan.requestId,
        txHash,
        cause,
      },
    );
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
