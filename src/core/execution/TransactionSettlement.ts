/**
 * Settles a signed transaction: waits until it is mined, and sends the same bytes again if the node has dropped them. A
 * node is only one witness: its answers are checked against the nonce, the allowance and the service's status.
 *
 * That a transaction reverted, was canceled or replaced is believed if two nodes show the receipt, with two blocks above
 * it. With one node the run stays open: it may hold the bytes back and make up the receipt. The sandbox's own node is
 * believed alone.
 */

import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Chain, Clock, Receipt, Service, UsedNonce } from '../ports/Ports.js';
import * as ShellCommand from '../text/ShellCommand.js';
import { lowerFirst } from '../text/TerminalText.js';
import type { Attempt, JournalWriter } from '../tracking/Journal.js';
import * as Polling from '../tracking/Polling.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import * as Facts from './Facts.js';
import type * as Plan from './Plan.js';

/** The ports that show what became of a transaction. */
export type Ports = {
  origin: Chain;
  service: Pick<Service, 'status'>;
  clock: Clock;
  signal: AbortSignal;
  /** Written to before each action. */
  journal: JournalWriter;
  warn(text: string): void;
};

/**
 * A signed transaction with its replacements, oldest first; the last one counts. `broadcast`: an earlier process has sent
 * that one.
 */
export type Signed = { nonce: number; attempts: readonly Attempt[]; broadcast?: boolean | undefined };

/** An action of a plan, and its index there. */
export type Step = { plan: Plan.Restored; action: Plan.Action; index: number };

/** A signed transaction of a plan. */
export type SignedStep<Of extends Signed = Signed> = { step: Step; signed: Of };

/** The transactions of a plan that were signed, by their index there; in their order. */
export function signedSteps<Of extends Signed>(plan: Plan.Restored, sent: ReadonlyMap<number, Of>): SignedStep<Of>[] {
  return plan.actions.flatMap((action, index) => {
    const signed = sent.get(index);
    return signed ? [{ step: { plan, action, index }, signed }] : [];
  });
}

/** Every so many polls of the receipt, the other witnesses are queried too. */
const pollsPerWitnessCheck = 6;

/** Number of such checks in a row that find an earlier nonce missing, before that is reported. */
const gapChecks = 2;

/** How a witness is queried that may change its answer in a moment. */
const again: Polling.Pace = { looks: 5, delayMs: (look) => Polling.delayMs(2 * look) };

/** The attempt to send and follow. */
export function latest({ attempts }: Signed): { bytes: Hex; txHash: Hex } {
  const { bytes, txHash } = attempts.at(-1) ?? { bytes: '0x', txHash: '0x' };
  return { bytes: bytes as Hex, txHash: txHash as Hex };
}

/** Whether what is to be mined now is an empty transaction, which cancels the action. */
export function isCanceling({ attempts }: Pick<Signed, 'attempts'>): boolean {
  return attempts.at(-1)?.purpose === 'cancel';
}

/** The bytes of the latest attempt that carries out the action, ignoring cancellations. */
export function sending({ attempts }: Signed): Hex {
  return (attempts.findLast(({ purpose }) => purpose !== 'cancel')?.bytes ?? '0x') as Hex;
}

/**
 * Sends the same bytes again unless they are mined.
 *
 * @returns the receipt, if there is one already
 * @throws submit.replaced · submit.cancelled · chain.* · submit.unknown
 */
export async function resend(step: Step, signed: Signed, ports: Ports): Promise<Receipt | undefined> {
  const { origin, signal, journal } = ports;
  const receipt = await receiptOf(step, signed, ports);
  if (receipt || (await replacement(step, signed, ports)) !== undefined) return receipt;
  const { bytes, txHash } = latest(signed);
  try {
    await origin.broadcast(bytes);
    await journal.append({ type: 'broadcast', step: step.index, txHash });
  } catch (error) {
    // It may have been mined just now, or another transaction may have used its nonce.
    const ask = async (): Promise<true | undefined> =>
      (await isSettled(step, signed, ports).catch((failure: unknown) => {
        unlessFinal(failure);
        return false;
      })) || undefined;
    if (signal.aborted) throw error;
    await Polling.pollUntil(ask, ports, again, () => {
      signal.throwIfAborted();
      throw error;
    });
  }
  return undefined;
}

/** What else is of interest while a receipt is awaited. */
type Interest = {
  /** The account's transaction with the next nonce, if it is out too. */
  later?: SignedStep | undefined;
  /** What was signed before it, to be sent again if the chain has lost it. */
  earlier?: readonly SignedStep[] | undefined;
  /** Called with each look, to ask others at the same time. */
  onLook?: (() => void) | undefined;
  /** The receipt, if it was read just now. */
  found?: Receipt | undefined;
};

/**
 * Waits for the receipt of a transaction, or of an equivalent replacement. Resolves to undefined if the node has no
 * receipt, but the allowance or the service shows that the transaction took effect, or a later one is mined.
 *
 * @throws track.unfinished · submit.replaced · submit.cancelled · submit.unknown if the node does not have it ·
 * submit.nonce-gap if the chain has lost an earlier transaction of the account
 */
export async function mined(
  step: Step,
  signed: Signed,
  ports: Ports,
  timeoutMs: number,
  { later, earlier = [], onLook, found }: Interest = {},
): Promise<Receipt | undefined> {
  if (found) return found;
  const { origin, signal } = ports;
  const { txHash, bytes } = latest(signed);
  let isKnown = true;
  let gaps = 0;
  let cause: unknown;
  const look = (): Promise<Receipt | undefined> =>
    receiptOf(step, signed, ports).catch((error: unknown) => {
      cause = unlessFinal(error);
      if (error instanceof UnfinalError) throw error;
      if (error instanceof BaseError && error.code === 'chain.disagreement') throw inconsistent(step, txHash, error);
      return undefined;
    });
  const askOthers = async (): Promise<TookEffect | undefined> => {
    const other = await replacement(step, signed, ports);
    const replaced = other && (await origin.receipt(other).catch(() => undefined));
    if (replaced) return { receipt: replaced };
    // It may have been mined since its receipt was asked for.
    if ((await isEvident(step, ports, { isFailureEnough: false })) || (later && (await isMined(later, ports))))
      return { receipt: await look() };
    const missing = await sendMissing(earlier, step.action.from, signed, origin);
    gaps = missing.length > 0 ? gaps + 1 : 0;
    if (gaps >= gapChecks) throw nonceGap(step, signed, missing);
    isKnown = await origin.knows(txHash).catch(() => isKnown);
    if (!isKnown && !signal.aborted)
      isKnown = await origin.broadcast(bytes).then(
        () => true,
        () => false,
      );
    return undefined;
  };
  const ask = async (attempt: number): Promise<TookEffect | undefined> => {
    onLook?.();
    const receipt = await look();
    if (receipt) return { receipt };
    return attempt % pollsPerWitnessCheck === pollsPerWitnessCheck - 1 ? await askOthers() : undefined;
  };
  const { receipt } = await Polling.pollUntil(ask, ports, { timeoutMs }, async (why) => {
    if (why === 'late') isKnown = isKnown && (await origin.knows(txHash).catch(() => true));
    return why === 'stopped' || (isKnown && !(await isContradicted(step, signed, ports)))
      ? notMined(step, signed, cause)
      : inconsistent(step, txHash, cause);
  });
  return receipt;
}

/** The receipt; undefined if the transaction took effect and no node has one. */
type TookEffect = { receipt: Receipt | undefined };

/**
 * The nonces before a transaction's own that the chain lacks: neither a mined nor a pending transaction has them.
 *
 * @throws chain.*
 */
export async function missingNonces(
  from: Address.Address,
  { nonce }: Pick<Signed, 'nonce'>,
  origin: Pick<Chain, 'nonce'>,
): Promise<number[]> {
  const next = await origin.nonce(from);
  return Array.from({ length: Math.max(0, nonce - next) }, (_, index) => next + index);
}

/** Sends again what the chain lacks of what was signed before a transaction. Returns the nonces that it then lacks still. */
export async function sendMissing(
  earlier: readonly SignedStep[],
  from: Address.Address,
  signed: Signed,
  origin: Pick<Chain, 'nonce' | 'broadcast'>,
): Promise<number[]> {
  const lacking: number[] = [];
  for (const nonce of await missingNonces(from, signed, origin).catch(() => [])) {
    const own = earlier.find((each) => each.signed.nonce === nonce);
    const isSent = own && (await origin.broadcast(latest(own.signed).bytes).catch(() => undefined));
    if (isSent === undefined) lacking.push(nonce);
  }
  return lacking;
}

/**
 * Sends a mined transaction again if it is no longer on the chain, for example after a reorganization.
 *
 * @throws submit.replaced · submit.cancelled
 */
export async function guard(step: Step, signed: Signed, ports: Ports): Promise<void> {
  const { txHash } = latest(signed);
  try {
    if (await isSettled(step, signed, ports)) return;
    ports.warn(
      `The transaction to ${lowerFirst(step.action.summary)} is no longer on the chain: ferry sends it again.`,
    );
    await ports.origin.broadcast(latest(signed).bytes);
    await ports.journal.append({ type: 'broadcast', step: step.index, txHash });
  } catch (error) {
    unlessFinal(error);
  }
}

/** Blocks above a receipt before it is believed: until then a reorganization is common. */
const finalDepth = 2n;

/**
 * Whether a receipt that ends a run without a payment is final. `open`: not yet. `one witness`: only one node shows it,
 * which could hold the transaction back, make up the receipt, and send the transaction later. `final`: a second node
 * shows it, or the sandbox's own node, which shows the nonce as used above it too.
 */
export type Finality = 'open' | 'one witness' | 'final';

export async function finalityOf(
  shown: Receipt,
  { owner, nonce }: { owner: Address.Address; nonce: number },
  origin: Pick<Chain, 'receipt' | 'minedNonce' | 'blockTime' | 'isOwn'>,
): Promise<Finality> {
  const depth = shown.blockNumber + finalDepth;
  try {
    // Some nodes have no state of an old block, and some answer for a block that they do not have.
    const used = await origin.minedNonce(owner, depth).catch(() => undefined);
    if (used !== undefined && used <= nonce) return 'open';
    // All nodes have to have the block: one alone may say that it is further.
    await origin.blockTime(depth);
    // The blocks above it may be those of another branch, on which another transaction has used the nonce.
    const receipt = await origin.receipt(shown.hash);
    if (receipt?.blockNumber !== shown.blockNumber || receipt.status !== shown.status) return 'open';
    // A node that showed it before may answer with the next look.
    if (receipt.witnesses.length < shown.witnesses.length) return 'open';
    if (receipt.witnesses.length > 1) return 'final';
    if (used === undefined) return 'open';
    return (await origin.isOwn?.()) ? 'final' : 'one witness';
  } catch {
    return 'open';
  }
}

/**
 * Waits until the receipt of a reverted transaction is final. A reorganization can replace it by another receipt.
 *
 * @throws submit.unknown if it is not in time, or if one node alone shows it
 */
export async function final(
  step: Step,
  { hash }: Receipt,
  { nonce }: Signed,
  ports: Ports,
  { timeoutMs, needsWitness = false }: { timeoutMs: number; needsWitness?: boolean | undefined },
): Promise<Receipt> {
  const { origin } = ports;
  const unknown = (): BaseError => new UnfinalError(step, hash, 'reverted');
  const ask = async (): Promise<Receipt | undefined> => {
    const receipt = await origin.receipt(hash).catch(() => undefined);
    if (receipt?.status === 'success') return receipt;
    const finality = receipt ? await finalityOf(receipt, { owner: step.action.from, nonce }, origin) : 'open';
    if (receipt && finality === 'final') {
      if (needsWitness && receipt.witnesses.length < 2) throw unknown();
      return receipt;
    }
    if (finality === 'one witness') throw unknown();
    return undefined;
  };
  return Polling.pollUntil(ask, ports, { timeoutMs }, unknown);
}

/**
 * Whether a transaction took effect although the node reports that it reverted. The service alone contradicts one node, but
 * not two: then neither is believed.
 *
 * @throws submit.unknown
 */
export async function hasWorked(step: Step, receipt: Receipt, ports: Ports): Promise<boolean> {
  const ask = async (): Promise<boolean | undefined> =>
    (await isEvident(step, ports, { isFailureEnough: true })) || undefined;
  const isShown = await Polling.pollUntil(ask, ports, again, () => false);
  if (isShown && !step.action.approval && receipt.witnesses.length > 1) throw contested(step, receipt.hash, false);
  // A reverted transaction leaves no events.
  if (!isShown && receipt.logs.length > 0) throw inconsistent(step, receipt.hash, undefined);
  return isShown;
}

/**
 * Whether another witness shows the effect: the allowance for an approval, the service's status for a payment. What failed
 * there it may hold, or may never have had: that contradicts a node, and shows nothing where no node shows anything.
 */
async function isEvident(
  { plan, action }: Step,
  { origin, service }: Ports,
  { isFailureEnough }: { isFailureEnough: boolean },
): Promise<boolean> {
  try {
    if (action.approval) return Facts.isCovered(action, await Facts.allowanceOf(action, origin));
    const { status } = await service.status(plan.requestId);
    return status === 'failure' ? isFailureEnough : TransferStatus.isDeposited({ status });
  } catch {
    return false;
  }
}

/** Whether the transaction, or an equivalent replacement, was mined. @throws submit.replaced · submit.cancelled */
export async function isSettled(step: Step, signed: Signed, ports: Ports): Promise<boolean> {
  return (await receiptOf(step, signed, ports)) !== undefined || (await replacement(step, signed, ports)) !== undefined;
}

/**
 * Whether a transaction whose nonce is used has acted, as far as nodes show what used it: not if it reverted, nor if they
 * name another one, which is not final yet.
 *
 * @throws submit.replaced · submit.cancelled · submit.unknown
 */
export async function hasActed(step: Step, signed: Signed, ports: Ports): Promise<boolean> {
  const receipt = await receiptOf(step, signed, ports);
  if (receipt) return receipt.status === 'success';
  const { from } = step.action;
  const used = await ports.origin.usedNonce(from, signed.nonce);
  if (isOther(used, signed)) return (await replacedBy(used, step, signed, ports)) !== undefined;
  return (await ports.origin.minedNonce(from)) > signed.nonce;
}

/**
 * The receipt of the attempt that was mined. A receipt whose nonce is still unused is false and ignored.
 *
 * @throws submit.cancelled · submit.unknown if one node alone shows that it was canceled
 */
async function receiptOf(
  step: Step,
  { attempts, nonce }: Signed,
  { origin, journal }: Ports,
): Promise<Receipt | undefined> {
  const latestFirst = attempts.toReversed();
  const [used, ...receipts] = await Promise.all([
    origin.minedNonce(step.action.from),
    ...latestFirst.map(({ txHash }) => origin.receipt(txHash as Hex)),
  ]);
  for (const [index, { purpose, txHash }] of latestFirst.entries()) {
    const receipt = receipts[index];
    if (!receipt || used <= nonce) continue;
    if (purpose !== 'cancel') return receipt;
    const finality = await finalityOf(receipt, { owner: step.action.from, nonce }, origin);
    if (finality === 'one witness') throw new UnfinalError(step, txHash as Hex, 'was canceled');
    if (finality === 'open') continue;
    const [sent] = attempts;
    await journal.append({ type: 'impossible', step: step.index, txHash: sent?.txHash ?? '', by: txHash });
    throw new CancelledError(step, nonce, txHash);
  }
  return undefined;
}

/** Whether the node has a receipt of any attempt at a transaction, and its nonce is used. */
export async function isMined(
  { step, signed: { attempts, nonce } }: SignedStep,
  { origin }: Pick<Ports, 'origin'>,
): Promise<boolean> {
  try {
    if ((await origin.minedNonce(step.action.from)) <= nonce) return false;
    const receipts = await Promise.all(attempts.map(({ txHash }) => origin.receipt(txHash as Hex)));
    return receipts.some((receipt) => receipt !== undefined);
  } catch {
    return false;
  }
}

/** Whether the node has a receipt but reports its nonce as unused. */
async function isContradicted(step: Step, signed: Signed, { origin }: Ports): Promise<boolean> {
  const { txHash } = latest(signed);
  try {
    const receipt = await origin.receipt(txHash);
    return receipt !== undefined && (await origin.minedNonce(step.action.from)) <= signed.nonce;
  } catch {
    return false;
  }
}

/**
 * The mined transaction that is equivalent to ours and has its nonce, such as one with a higher fee; undefined if there
 * is none or the node cannot tell.
 *
 * @throws submit.replaced if a different transaction was mined with our nonce · submit.unknown if one node alone shows it
 */
async function replacement(step: Step, signed: Signed, ports: Ports): Promise<Hex | undefined> {
  const used = await ports.origin.usedNonce(step.action.from, signed.nonce).catch(() => undefined);
  return used && isOther(used, signed) ? replacedBy(used, step, signed, ports) : undefined;
}

type Other = UsedNonce & { state: 'found' };

/** Whether a transaction that is none of our attempts has used our nonce. */
function isOther(used: UsedNonce, { attempts }: Signed): used is Other {
  return used.state === 'found' && !attempts.some(({ txHash }) => txHash === used.hash);
}

/** The other transaction, if it does what ours does. Throws like `replacement`. */
async function replacedBy(
  used: Other,
  step: Step,
  { attempts, nonce }: Signed,
  { origin, journal }: Ports,
): Promise<Hex | undefined> {
  const { from, to, data, value } = step.action;
  const isSame =
    used.to !== undefined &&
    Address.isEqual(used.to, to) &&
    used.data.toLowerCase() === data.toLowerCase() &&
    used.value === value;
  if (isSame) return used.hash;
  const receipt = await origin.receipt(used.hash).catch(() => undefined);
  const finality = receipt ? await finalityOf(receipt, { owner: from, nonce }, origin) : 'open';
  if (finality === 'open') return undefined;
  const { txHash } = latest({ attempts, nonce });
  if (finality === 'one witness') throw new UnfinalError(step, txHash, 'was replaced');
  await journal.append({ type: 'impossible', step: step.index, txHash, by: used.hash });
  throw new ReplacedError(step, txHash, nonce, used.hash);
}

/** Returns errors that may be temporary, and throws final ones. */
function unlessFinal(error: unknown): unknown {
  if (isVoid(error)) throw error;
  return error;
}

/** Whether an error shows that the transaction can never be mined. */
export function isVoid(error: unknown): error is ReplacedError | CancelledError {
  return error instanceof ReplacedError || error instanceof CancelledError;
}

export class ReplacedError extends BaseError {
  override name = 'ReplacedError';
  readonly nonce: number;
  constructor({ plan, action }: Step, txHash: Hex, nonce: number, by: Hex) {
    super(
      'submit.replaced',
      `The transaction to ${lowerFirst(action.summary)} can never be mined: its funds did not move.`,
      {
        facts: [
          ['its nonce', String(nonce)],
          ['was used by', by],
        ],
        hint: 'Another transaction of the account took its place. If that one did not pay either, resume the run with --allow foreign-nonces.',
        requestId: plan.requestId,
        txHash,
      },
    );
    this.nonce = nonce;
  }
}

export class CancelledError extends BaseError {
  override name = 'CancelledError';
  constructor({ plan, action }: Step, nonce: number, by: string) {
    super(
      'submit.cancelled',
      `The transaction to ${lowerFirst(action.summary)} was canceled: its funds did not move.`,
      {
        facts: [
          ['its nonce', String(nonce)],
          ['was used by', by],
        ],
        hint: 'You can start the transfer again.',
        requestId: plan.requestId,
        txHash: by,
      },
    );
  }
}

function notMined({ plan, action }: Step, signed: Signed, cause: unknown): BaseError {
  const isCanceled = isCanceling(signed);
  return new BaseError(
    'track.unfinished',
    isCanceled
      ? `The empty transaction that cancels the one to ${lowerFirst(action.summary)} was sent and is not mined yet.`
      : `The transaction to ${lowerFirst(action.summary)} was sent and is not mined yet.`,
    {
      facts: [['chain', action.chain.name]],
      hint: isCanceled
        ? 'Do not start the transfer again: until one of the two is mined, it may still be paid. ferry runs cancel raises the fees of the empty one, ferry runs speed-up pays after all.'
        : 'Do not send it again: it may still be mined. ferry runs speed-up raises its fees, ferry runs cancel cancels it.',
      next: ShellCommand.line`ferry status ${plan.requestId} --watch`,
      requestId: plan.requestId,
      txHash: latest(signed).txHash,
      cause,
    },
  );
}

/** The chain was restarted or reorganized since the transaction was signed, and waits for an earlier nonce. */
function nonceGap({ plan, action }: Step, signed: Signed, missing: readonly number[]): BaseError {
  const [first, last] = [missing[0], missing.at(-1)];
  return new BaseError(
    'submit.nonce-gap',
    `The transaction to ${lowerFirst(action.summary)} waits for an earlier nonce of the account, which ${action.chain.name} does not have.`,
    {
      facts: [
        ['its nonce', String(signed.nonce)],
        ['missing', first === last ? String(first) : `${first} to ${last}`],
        ['account', action.from],
      ],
      hint: 'The chain has lost an earlier transaction, as after a restart or a reorganization. ferry runs cancel ends the run: it fills the missing nonces with empty transactions and cancels the payment. Any other transaction that uses them lets the payment be mined.',
      requestId: plan.requestId,
      txHash: latest(signed).txHash,
    },
  );
}

/** The node accepted the transaction and lost it, or contradicts itself. */
export function inconsistent({ plan, action }: Step, txHash: Hex, cause: unknown): BaseError {
  return new BaseError(
    'submit.unknown',
    `The transaction to ${lowerFirst(action.summary)} was sent, but the node's answers about it are inconsistent.`,
    {
      facts: [['chain', action.chain.name], ...(cause instanceof BaseError ? cause.facts : [])],
      hint: 'Look for the transaction with another node or in an explorer before you send anything else.',
      next: ShellCommand.line`ferry status ${plan.requestId} --watch`,
      requestId: plan.requestId,
      txHash,
      cause,
    },
  );
}

/** Nodes show that a payment reverted, or no longer show that it took effect, and the service says that it has it. */
export function contested({ plan, action }: Step, txHash: Hex, isTakenBack: boolean): BaseError {
  return new BaseError(
    'submit.unknown',
    isTakenBack
      ? `${action.chain.name} no longer shows that the transaction to ${lowerFirst(action.summary)} took effect, but the service says that it has the payment.`
      : `Two nodes show that the transaction to ${lowerFirst(action.summary)} reverted, but the service says that it has the payment.`,
    {
      facts: [['chain', action.chain.name]],
      hint: 'Do not pay again. Look for the transaction in an explorer, and resume the run later: one of them is wrong, and may correct itself.',
      next: ShellCommand.line`ferry status ${plan.requestId} --watch`,
      requestId: plan.requestId,
      txHash,
    },
  );
}

/** One node says that the transaction failed, and nothing else shows that it will not be mined otherwise. */
export class UnfinalError extends BaseError {
  override name = 'UnfinalError';
  constructor({ plan, action }: Step, txHash: Hex, end: 'reverted' | 'was canceled' | 'was replaced') {
    super(
      'submit.unknown',
      `One node says that the transaction to ${lowerFirst(action.summary)} ${end}, and no other witness shows it.`,
      {
        facts: [['chain', action.chain.name]],
        hint: `A node can hold back what it was given and send it later. Do not pay again. Name a second node (networks.<name>.chains.${action.chain.name}.rpcUrls), then resume the run.`,
        requestId: plan.requestId,
        txHash,
      },
    );
  }
}

/** The cause of an unknown outcome after a crash: the run stopped after it had signed. */
export function interrupted(requestId: string, txHash?: string): BaseError {
  return new BaseError('submit.unknown', 'The run was interrupted after signing.', { requestId, txHash });
}
