/**
 * Follows a request to its end, whoever submitted its payment: polls the status, then looks on the chain for the
 * delivery or the refund that the service reports.
 */

import { BaseError } from '../base/Errors.js';
import type { Event } from '../event/Event.js';
import type { Chain, Clock, Receipt, Service, Turn } from '../ports/Ports.js';
import * as Currency from '../quote/Currency.js';
import * as Quote from '../quote/Quote.js';
import * as ShellCommand from '../text/ShellCommand.js';
import type { Head } from '../tracking/Journal.js';
import * as Polling from '../tracking/Polling.js';
import * as StatusPolling from '../tracking/StatusPolling.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import * as Arrival from './Arrival.js';
import type * as Plan from './Plan.js';
import * as TransactionSettlement from './TransactionSettlement.js';

/** The ports needed to finish a plan that is already signed; none of them can sign. */
export type Ports = TransactionSettlement.Ports &
  Arrival.Ports & {
    service: Service;
    /**
     * The turn for the account's nonces on the origin, held by the caller. It is released once the last transaction is
     * mined: the next run would misread allowances not yet spent and transactions not yet mined.
     */
    turn: Turn;
    /** The destination's head that an earlier process journaled; undefined if there is none. */
    head?: Head | undefined;
  };

/** The ports of a transfer that the account may not have paid from a chain. */
export type AnyOrigin = Omit<Ports, 'origin' | 'turn'> & { origin: Chain | undefined };

/** Whether and how long the transfer is followed. */
export type Patience = {
  /** Whether to follow the request; if false, the run ends once the last transaction is mined and reported. */
  wait: boolean;
  /** Time limit for each transaction to be mined, and for the request to end, in milliseconds. */
  timeoutMs: number;
  /** Whether an end that only one witness shows is unknown. */
  needsWitness?: boolean | undefined;
  /** Whether each transaction is signed only once the one before is mined. */
  oneByOne?: boolean | undefined;
};

/** The result of a transfer. */
export type Outcome = {
  requestId: string;
  /** The status word of the service; `sent` if ferry did not wait. */
  status: string;
  progress: TransferStatus.Progress | undefined;
  transactions: readonly {
    action: Plan.Action['kind'] | 'transfer';
    txHash: string;
    gasUsed: bigint;
    gasCost: bigint;
  }[];
  /** Gas paid, in wei of the origin's native asset; for a withdrawal, the venue's fee in millionths of USDC. */
  gasCost: bigint;
  /** Base units of the input that left the sender. */
  spent: bigint;
  /** Base units that arrived, read from the destination chain; undefined if they could not be read. */
  received: bigint | undefined;
  /** Where that was; undefined likewise. */
  place?: Arrival.Payee | undefined;
  /** The gas top-up that arrived, in wei; undefined if none was asked for or it could not be read. */
  topup?: bigint | undefined;
  /** Who shows how it ended; empty if ferry did not wait. One alone is the service. */
  witnesses: readonly string[];
  elapsedMs: number;
};

/** The transaction that paid, and the service's answer that was asked for with its receipt. */
export type Paid = TransactionSettlement.SignedStep & {
  receipt: Receipt | undefined;
  /** What was mined before it. What never took effect, such as an approval that the user has replaced, is not revived. */
  earlier: readonly TransactionSettlement.SignedStep[];
  status?: ReturnType<Service['status']> | undefined;
};

/** What was signed and may still act, whatever the service says of it. */
export type Open = {
  /** Whether the chain shows that it has acted. @throws submit.* once it shows that it no longer can */
  hasActed(): Promise<boolean>;
  /** The error while it may act. */
  unknown(): BaseError;
};

/** What has left before a request is followed. */
type Sent = Pick<Outcome, 'transactions' | 'gasCost'> & {
  paid?: Paid | undefined;
  /** What was signed for the service to submit. */
  open?: Open | undefined;
  /** An answer of the service that was asked for just now. */
  asked?: ReturnType<Service['status']> | undefined;
  /** False if nothing of this run has left: somebody else pays. */
  isPaid?: boolean;
  startedAt: number;
};

/** A payment whose receipt no node has shown, although the service says that it has it. */
function openOf(paid: Paid | undefined, ports: AnyOrigin): Open | undefined {
  const { origin } = ports;
  if (!paid || paid.receipt || !origin) return undefined;
  const { step, signed } = paid;
  return {
    hasActed: () => TransactionSettlement.hasActed(step, signed, { ...ports, origin }),
    unknown: () => TransactionSettlement.inconsistent(step, TransactionSettlement.latest(signed).txHash, undefined),
  };
}

/** The error if nodes no longer show that a payment took effect whose receipt they had shown: the service cannot hold it. */
async function takenBack(paid: Paid | undefined, ports: AnyOrigin): Promise<(() => BaseError) | undefined> {
  const { origin } = ports;
  if (!paid?.receipt || !origin) return undefined;
  const { step, signed } = paid;
  const { hash } = paid.receipt;
  const isShown = await TransactionSettlement.hasActed(step, signed, { ...ports, origin }).catch((error: unknown) => {
    if (isOfChain(error)) return true;
    throw error;
  });
  return isShown ? undefined : () => TransactionSettlement.contested(step, hash, true);
}

/**
 * Follows a request until it ends, and reads the amount that arrived.
 *
 * @throws track.*
 */
export async function* followed(
  plan: Plan.Restored,
  sent: Sent,
  ports: AnyOrigin,
  patience: Patience,
): AsyncGenerator<Event, Outcome> {
  const { transactions, gasCost, startedAt } = sent;
  const { requestId, quote, deposited } = plan;
  const outcome = { requestId, transactions, gasCost, spent: deposited ?? quote.input };
  const elapsed = (): number => ports.clock.now() - startedAt;
  if (!patience.wait) {
    const unseen = { progress: undefined, received: undefined, witnesses: [] };
    return { ...outcome, ...unseen, status: 'sent', elapsedMs: elapsed() };
  }
  const { progress, received, place, witnesses } = yield* awaitEnd(plan, sent, ports, patience);
  const ended: Outcome = {
    ...outcome,
    status: progress.status,
    progress,
    received,
    place,
    witnesses,
    elapsedMs: elapsed(),
  };
  if (TransferStatus.codeOf(progress)) throw new EndedBadlyError(ended, plan);
  return { ...ended, ...(await toppedUp(plan, progress, sent.paid, ports)) };
}

/** Looks for the gas top-up of a delivery, and warns if less has arrived than was stated. */
async function toppedUp(
  plan: Plan.Restored,
  progress: TransferStatus.Progress,
  deposit: Paid | undefined,
  ports: AnyOrigin,
): Promise<Pick<Outcome, 'topup'>> {
  const { intent, quote } = plan;
  const stated = Quote.gasTopup(quote)?.amount;
  if (intent.gasTopupUsd === undefined || stated === undefined || TransferStatus.fundsOf(progress) !== 'delivered')
    return {};
  const { chain } = intent.destination;
  const topup = await Arrival.topup(plan, progress, ports, { head: ports.head, deposit });
  const inWords = (wei: bigint): string => Currency.inWords(wei, chain.native);
  if (topup === undefined)
    ports.warn(`The gas top-up of ${inWords(stated)} was not read from the chain: it is the service's word.`);
  else if (topup < stated)
    ports.warn(`A gas top-up of ${inWords(stated)} was promised, and ${chain.name} shows ${inWords(topup)}.`);
  return { topup };
}

type Ended = Pick<Outcome, 'received' | 'place' | 'witnesses'> & { progress: TransferStatus.Progress };

/** How long a node that has never answered is asked for an arrival. */
const silenceMs = 5_000;

/**
 * Polls the status until it is final, and then, for a delivery or a refund, until the chain shows it. Without a node
 * that answers, only the service's word is left. Nothing is the end while a signature can still be used: it could pay in
 * addition to the next attempt, or to what somebody else has paid.
 *
 * @throws track.* · submit.unknown · submit.expired
 */
async function* awaitEnd(
  plan: Plan.Restored,
  sent: Sent,
  ports: AnyOrigin,
  { timeoutMs, needsWitness = false }: Patience,
): AsyncGenerator<Event, Ended> {
  const { paid, open = openOf(paid, ports), asked: first = paid?.status, isPaid = true } = sent;
  const { origin, head, clock } = ports;
  const hashOf = ({ receipt, signed }: Paid): string => receipt?.hash ?? TransactionSettlement.latest(signed).txHash;
  const txHash = paid ? hashOf(paid) : sent.transactions.at(-1)?.txHash;
  const whileWaiting = paid && origin && (() => sendLost(paid, { ...ports, origin }));
  const deadline = clock.now() + timeoutMs;
  const hasNoWitness = silence(clock, deadline);
  /** The end; undefined, with the error if it stays so, while it is not shown. */
  const judge = async (progress: TransferStatus.Progress): Promise<Ended | (() => BaseError)> => {
    const isOpen = open ? mayAct(open, progress) : Promise.resolve(false);
    isOpen.catch(() => {});
    if (open && TransferStatus.codeOf(progress) && (await isOpen)) return open.unknown;
    const verdict = await Arrival.look(plan, progress, ports, { head, deposit: paid });
    if (!isWitnessed(progress)) {
      if (verdict.kind === 'contradicted') return () => Arrival.unwitnessed(plan, progress, verdict);
      return (await takenBack(paid, ports)) ?? { progress, received: undefined, witnesses: Arrival.serviceAlone };
    }
    // What has arrived is somebody else's payment as long as this one has not been made.
    if (open && (await isOpen)) return open.unknown;
    if (verdict.kind === 'shown') {
      const { amount: received, place, witnesses } = verdict;
      return { progress, received, place, witnesses };
    }
    const unshown = (): BaseError => Arrival.unwitnessed(plan, progress, verdict);
    if (!hasNoWitness(verdict)) return unshown;
    if (needsWitness) throw unshown();
    return { progress, received: undefined, witnesses: Arrival.serviceAlone };
  };
  let since: TransferStatus.Progress | undefined;
  for (let attempt = 0; ; attempt++) {
    const asked = attempt === 0 ? first : undefined;
    const limits = { timeoutMs: Math.max(0, deadline - clock.now()), isPaid, txHash, whileWaiting, asked, since };
    const progress = yield* StatusPolling.run(plan.requestId, ports, limits);
    const judged = await judge(progress);
    if (typeof judged !== 'function') return judged;
    if (clock.now() >= deadline) throw judged();
    await Polling.pause(Polling.delayMs(attempt), ports, judged);
    since = progress;
  }
}

/** Sends again what the chain has lost: a payment, and before it what it waits for. @throws submit.replaced · submit.cancelled */
async function sendLost({ step, signed, earlier }: Paid, ports: TransactionSettlement.Ports): Promise<void> {
  if (earlier.length > 0) await TransactionSettlement.sendMissing(earlier, step.action.from, signed, ports.origin);
  await TransactionSettlement.guard(step, signed, ports);
}

/** Whether nobody but the service will say something: there is no node to ask, or it has never answered and stays silent. */
function silence(clock: Clock, deadline: number): (verdict: Arrival.Verdict) => boolean {
  let hasAnswered = false;
  let silentSince: number | undefined;
  return ({ kind }) => {
    const now = clock.now();
    hasAnswered ||= kind === 'absent' || kind === 'contradicted';
    silentSince ??= now;
    const isSilent = kind === 'silent' && (now - silentSince >= silenceMs || now >= deadline);
    return !hasAnswered && (isSilent || kind === 'nobody');
  };
}

/** A node that does not answer does not show it. @throws submit.expired */
export async function hasActed(open: Open): Promise<boolean> {
  try {
    return await open.hasActed();
  } catch (error) {
    if (isOfChain(error)) return false;
    throw error;
  }
}

/**
 * Whether what was signed has not acted. A node that does not answer shows no failure, and denies no delivery.
 *
 * @throws submit.*
 */
async function mayAct(open: Open, progress: TransferStatus.Progress): Promise<boolean> {
  try {
    return !(await open.hasActed());
  } catch (error) {
    if (isOfChain(error)) return TransferStatus.codeOf(progress) !== undefined;
    throw error;
  }
}

function isOfChain(error: unknown): boolean {
  return error instanceof BaseError && error.code.startsWith('chain.');
}

/** Whether the status claims that money has arrived somewhere. */
function isWitnessed(progress: TransferStatus.Progress): boolean {
  return ['delivered', 'returned'].includes(TransferStatus.fundsOf(progress));
}

/** The transfer was refunded or failed. Carries the whole outcome. */
export class EndedBadlyError extends BaseError {
  override name = 'EndedBadlyError';
  readonly outcome: Outcome;
  constructor(outcome: Outcome, plan: Plan.Restored) {
    const refunded = outcome.progress !== undefined && TransferStatus.codeOf(outcome.progress) === 'track.refunded';
    const { progress, received, place } = outcome;
    const { chain, to } = place ?? { chain: plan.intent.origin.chain, to: plan.intent.refundTo };
    super(
      refunded ? 'track.refunded' : 'track.failed',
      refunded
        ? `The transfer was refunded on ${chain.name}${outcome.witnesses.length > 1 ? '' : ", by the service's word"}.`
        : 'The transfer failed at the service.',
      {
        facts: [
          ...(refunded
            ? ([
                [
                  'returned',
                  received === undefined || !place ? 'not read from the chain' : Currency.inWords(received, place),
                ],
                ['to', to],
                ['shown by', outcome.witnesses.join(', ')],
              ] as const)
            : []),
          ...(progress?.failReason ? ([['reason', progress.failReason]] as const) : []),
          ...(progress?.refundFailReason ? ([['no refund because', progress.refundFailReason]] as const) : []),
          ...(progress?.outTxHashes[0] ? ([['refund transaction', progress.outTxHashes[0]]] as const) : []),
        ],
        hint: refunded ? undefined : 'A failed transfer may still be refunded: check again later.',
        next: refunded ? undefined : ShellCommand.line`ferry status ${outcome.requestId} --watch`,
        requestId: outcome.requestId,
        txHash: outcome.transactions.at(-1)?.txHash,
      },
    );
    this.outcome = outcome;
  }
}
