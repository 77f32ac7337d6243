/**
 * Waits until the signed transactions of a plan are mined. They have consecutive nonces.
 *
 * Where an approval and its payment leave together, no failure of the approval ends the run: it ends once it is known what
 * the payment did.
 */

import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Event, Of } from '../event/Event.js';
import * as Network from '../network/Network.js';
import type { Receipt } from '../ports/Ports.js';
import * as Currency from '../quote/Currency.js';
import { lowerFirst } from '../text/TerminalText.js';
import type * as Following from './Following.js';
import type * as Plan from './Plan.js';
import * as TransactionSettlement from './TransactionSettlement.js';

type Step = TransactionSettlement.Step;

/** A signed transaction on its way. */
export type Sending = TransactionSettlement.SignedStep & {
  /** Resolves to what went wrong; undefined if nothing did. */
  refusal: Promise<unknown>;
  /** The receipt that one of an earlier process may have. */
  found?: Promise<Receipt | undefined>;
};

/** What is mined so far. */
export type Settled = { transactions: Following.Outcome['transactions'][number][]; paid: Following.Paid | undefined };

/** A transaction, those before it, the one with the next nonce, and what was begun for it. */
type Tracked = Sending & {
  earlier: readonly TransactionSettlement.SignedStep[];
  later: TransactionSettlement.SignedStep | undefined;
  /** Whether its event is out. */
  isTold: boolean;
  /** The reports of it to the service. */
  reports: Promise<void>[];
  /** What waits for its receipt. */
  mined?: Promise<Receipt | undefined> | undefined;
};

/** All of them, what is mined, and who shows it. */
type Mining = {
  all: readonly Tracked[];
  settled: Settled;
  status: ReturnType<typeof statusMeanwhile> | undefined;
  ports: Following.Ports;
  patience: Following.Patience;
};

/**
 * Waits until all are mined. A later one that the node did not take is sent again once those before it are mined. After
 * one that failed the later ones are waited for as well: whether they paid is known only then.
 *
 * @throws submit.* · track.unfinished · chain.*
 */
export async function* settle(
  sent: readonly Sending[],
  before: Settled,
  ports: Following.Ports,
  patience: Following.Patience,
): AsyncGenerator<Event, Settled> {
  const all = sent.map((each, index): Tracked => {
    const earlier = [...minedOf(before), ...sent.slice(0, index)];
    return { ...each, earlier, later: sent[index + 1], isTold: false, reports: [] };
  });
  const settled = { ...before, transactions: [...before.transactions] };
  const status = patience.wait ? statusMeanwhile(ports) : undefined;
  const mining = { all, settled, status, ports, patience };
  // The service is told of transactions that an earlier process sent, and asked for the status, while their receipts
  // are looked up.
  for (const each of all) {
    if (!each.found || !each.signed.broadcast) continue;
    report(each, ports);
    askStatus(each, mining)?.();
  }
  let failed: BaseError | undefined;
  try {
    for (const each of all) {
      try {
        const receipt = yield* follow(each, mining);
        if (receipt && failed && !each.later)
          ports.warn(`${failed.message} What came after it took effect all the same.`);
      } catch (error) {
        if (each.later && isOwnEnd(error)) failed ??= error;
        else if (failed instanceof RevertedError && error instanceof RevertedError)
          throw new RevertedError([...failed.steps, each.step], failed.receipt, settled.transactions);
        else throw error;
      }
    }
  } finally {
    await Promise.all(all.flatMap(({ refusal, reports }) => [refusal, ...reports]));
  }
  return settled;
}

/** Waits until one is mined, for good if it reverted, and says so. Resolves to undefined if no node has its receipt. */
async function* follow(each: Tracked, mining: Mining): AsyncGenerator<Event, Receipt | undefined> {
  const { all, settled, status, ports, patience } = mining;
  const { step, signed, later } = each;
  await assertLeft(each, mining);
  if (!each.isTold) yield tell(each, ports);
  const mined = receiptOf(each, mining);
  // The receipts of all that the node took are awaited together.
  for (const other of all.slice(all.indexOf(each) + 1)) {
    if (other.isTold || (await other.refusal) !== undefined) continue;
    yield tell(other, ports);
    void receiptOf(other, mining);
  }
  let receipt = await mined;
  if (receipt?.status === 'reverted')
    receipt = await TransactionSettlement.final(step, receipt, signed, ports, patience);
  settled.paid = { step, signed, receipt, status: status?.last(), earlier: minedOf(settled) };
  if (receipt) yield* record(each, receipt, mining);
  else {
    const what = `The transaction to ${lowerFirst(step.action.summary)}`;
    ports.warn(
      later
        ? `${what} has no receipt at the node, but it or a later one took effect.`
        : `${what} took effect, but the node has no receipt.`,
    );
  }
  return receipt;
}

/** What is mined of the plan, in its order. */
function minedOf({ paid }: Settled): Following.Paid['earlier'] {
  return paid ? [...paid.earlier, ...(paid.receipt?.status === 'success' ? [paid] : [])] : [];
}

/** Journals a receipt and says it, unless it is of one that did nothing. @throws submit.reverted */
async function* record(
  each: Tracked,
  receipt: Receipt,
  { settled: { transactions }, ports }: Mining,
): AsyncGenerator<Event, void> {
  const { step, signed } = each;
  const { hash: txHash, blockNumber, gasUsed, effectiveGasPrice, fee } = receipt;
  if (txHash !== TransactionSettlement.latest(signed).txHash) {
    ports.warn(`A different transaction with the same nonce was mined and did the same: ${txHash}.`);
    each.reports.push(announce(step, txHash, ports));
  }
  const isDone = receipt.status === 'success' || (await TransactionSettlement.hasWorked(step, receipt, ports));
  await ports.journal.append({
    type: 'receipt',
    step: step.index,
    txHash,
    status: isDone ? 'success' : 'reverted',
    blockNumber: String(blockNumber),
    gasUsed: String(gasUsed),
    effectiveGasPrice: String(effectiveGasPrice),
  });
  transactions.push({ action: step.action.kind, txHash, gasUsed, gasCost: fee });
  if (!isDone) throw new RevertedError([step], receipt, transactions);
  yield { type: 'mined', ...transactionOf(step, txHash), blockNumber, gasUsed };
  if (receipt.status !== 'success')
    ports.warn(`The node reports that ${txHash} reverted, but the transaction took effect.`);
}

/** Sends one again that the node did not take. @throws why the first did not leave, or can never be mined */
async function assertLeft({ step, signed, later, refusal }: Tracked, { all, ports }: Mining): Promise<void> {
  const refused = await refusal;
  if (refused === undefined) return;
  // Once a later one is mined, the nonce of this one is used, whatever the node says of it.
  const isPast = later !== undefined && (await TransactionSettlement.isMined(later, ports));
  // A transaction that can never be mined is not waited for. Its end is in the journal already.
  if (TransactionSettlement.isVoid(refused) || (!isPast && step === all[0]?.step))
    throw await refusedOf(refused, all, ports);
  if (isPast) return;
  await TransactionSettlement.resend(step, signed, ports).catch((error: unknown) => {
    // That a node cannot be asked says nothing about what it was given before.
    throw error instanceof BaseError && error.code.startsWith('chain.') ? refused : error;
  });
}

/** What waits for the receipt of one. Begun once. */
function receiptOf(each: Tracked, mining: Mining): Promise<Receipt | undefined> {
  const { step, signed, earlier, later, found } = each;
  const look = async (): Promise<Receipt | undefined> =>
    TransactionSettlement.mined(step, signed, mining.ports, mining.patience.timeoutMs, {
      later,
      earlier,
      onLook: askStatus(each, mining),
      found: await found?.catch(() => undefined),
    });
  each.mined ??= look();
  each.mined.catch(() => {});
  return each.mined;
}

/** The event that one is sent. The service is told while its receipt is awaited. */
function tell(each: Tracked, ports: Following.Ports): Of<'sent'> {
  each.isTold = true;
  report(each, ports);
  return { type: 'sent', ...latestOf(each) };
}

function report({ step, signed, reports }: Tracked, ports: Following.Ports): void {
  if (reports.length === 0 && !TransactionSettlement.isCanceling(signed))
    reports.push(announce(step, TransactionSettlement.latest(signed).txHash, ports));
}

/** Asks the service for the status with each look for the payment. */
function askStatus({ step }: Tracked, { status }: Mining): (() => void) | undefined {
  const isPayment = step.index === step.plan.actions.length - 1;
  return isPayment && status ? () => status.look(step.plan.requestId) : undefined;
}

/** Whether an error is about one transaction alone. What the later ones did is known once they have been looked up. */
function isOwnEnd(error: unknown): error is BaseError {
  return (
    error instanceof RevertedError ||
    error instanceof TransactionSettlement.UnfinalError ||
    TransactionSettlement.isVoid(error)
  );
}

/**
 * Why the first of several transactions did not leave. If a later one that pays may have left, the funds are not
 * untouched, whatever the node says of the first.
 */
async function refusedOf(refusal: unknown, sent: readonly Sending[], { signal }: Following.Ports): Promise<unknown> {
  const [first, ...more] = sent;
  const payment = more.findLast(({ step }) => step.index === step.plan.actions.length - 1);
  if (!first || !payment || TransactionSettlement.isVoid(refusal)) return refusal;
  const answers = await Promise.all(more.map((each) => each.refusal));
  const hasStayed = (error: unknown): boolean =>
    (signal.aborted && error === signal.reason) || (error instanceof BaseError && error.code === 'chain.unreachable');
  const isUnsure = refusal instanceof BaseError && refusal.funds === 'untouched' && !answers.every(hasStayed);
  return isUnsure
    ? new BaseError(
        'submit.unknown',
        `The transaction to ${lowerFirst(first.step.action.summary)} could not be sent, and the payment that was signed with it may have been.`,
        {
          facts: [['stopped by', refusal.message], ...refusal.facts],
          hint: 'Do not pay again. ferry resume sends the same bytes again, which cannot pay twice; ferry runs cancel makes them void.',
          requestId: first.step.plan.requestId,
          txHash: TransactionSettlement.latest(payment.signed).txHash,
          cause: refusal,
        },
      )
    : refusal;
}

/** A transaction of a step in the events about it. */
export function transactionOf({ action: { kind, summary, chain } }: Step, txHash: Hex): Omit<Of<'sent'>, 'type'> {
  return { action: kind, summary, txHash, url: Network.transactionUrl(chain, txHash) };
}

/** What is to be mined for a step, in the events about it: its transaction, or the one that cancels it. */
export function latestOf({ step, signed }: TransactionSettlement.SignedStep): Omit<Of<'sent'>, 'type'> {
  const transaction = transactionOf(step, TransactionSettlement.latest(signed).txHash);
  return TransactionSettlement.isCanceling(signed) ? { ...transaction, ...canceling(step.action) } : transaction;
}

/** An empty transaction in place of the one of an action, in the events about it. */
export function canceling({ summary }: Plan.Action): Pick<Of<'sent'>, 'action' | 'summary'> {
  return { action: 'cancel', summary: `Cancel: ${lowerFirst(summary)}` };
}

/** How often the service is asked while a receipt is awaited. */
const statusIntervalMs = 1_000;

/** Asks the service for the status together with the receipt, from time to time. `last` is what the last look asked. */
function statusMeanwhile({ service, clock }: Pick<Following.Ports, 'service' | 'clock'>) {
  let askedAt = Number.NEGATIVE_INFINITY;
  let asked: Following.Paid['status'];
  return {
    look(requestId: string): void {
      const isDue = clock.now() - askedAt >= statusIntervalMs;
      if (isDue) askedAt = clock.now();
      asked = isDue ? service.status(requestId) : undefined;
      asked?.catch(() => {});
    },
    last: () => asked,
  };
}

/**
 * Reports a payment to the service, for a faster fill. The service also finds it itself, so a failure only warns.
 */
async function announce({ plan, action }: Step, txHash: Hex, { service, warn }: Following.Ports): Promise<void> {
  if (action.kind === 'approve') return;
  const known = { requestId: plan.requestId, chainId: String(action.chain.id) };
  try {
    if (action.kind === 'deposit' || action.kind === 'swap') await service.indexTransaction({ ...known, txHash });
    else {
      const { from, to, data, value } = action;
      const tx = JSON.stringify({ from, to, data, value: value.toString(), chainId: action.chain.id, txHash });
      await service.indexSingle({ ...known, tx });
    }
  } catch (error) {
    warn(
      `The transaction could not be reported to the service (${error instanceof Error ? error.message : String(error)}), which will find it on the chain.`,
    );
  }
}

/** Transactions of the plan were mined and reverted: the first one, and what needed it. */
export class RevertedError extends BaseError {
  override name = 'RevertedError';
  readonly steps: readonly Step[];
  readonly receipt: Receipt;
  constructor(steps: readonly Step[], receipt: Receipt, transactions: Settled['transactions']) {
    const [first, ...more] = steps as [Step, ...Step[]];
    const { plan } = first;
    const named = ({ action }: Step): string => lowerFirst(action.summary);
    const along = more.map((each) => `, and so the one to ${named(each)} did too`).join('');
    const { hash: txHash, witnesses } = receipt;
    const doubt = witnesses.length > 1 ? '' : ", by one node's word";
    const { native } = plan.intent.origin.chain;
    const lost = transactions.reduce((sum, { gasCost }) => sum + gasCost, 0n);
    super('submit.reverted', `The transaction to ${named(first)} reverted${along}${doubt}: only gas was spent.`, {
      facts: [
        ['shown by', witnesses.join(', ')],
        ['gas lost', Currency.inWords(lost, native)],
      ],
      hint: 'ferry trace shows why. You can start the transfer again, with a new quote.',
      requestId: plan.requestId,
      txHash,
    });
    this.steps = steps;
    this.receipt = receipt;
  }
}
