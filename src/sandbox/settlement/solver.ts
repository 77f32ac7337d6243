/**
 * Takes requests from their deposit to a final status: validates the deposit, then fills the order or refunds the
 * deposit. Every request has its own task; work interrupted by a stop resumes at the next start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as ActualFees from '../ledger/ActualFees.js';
import * as Deposit from '../ledger/Deposit.js';
import { type Entry, isFinal, type Ledger, type Sent } from '../ledger/ledger.js';
import type { Transaction } from '../ledger/minedTransactions.js';
import * as RelayedCall from '../ledger/RelayedCall.js';
import type { Fees } from '../pricing/Fees.js';
import * as Order from '../quote/Order.js';
import { chainContext, type Instance } from './instance.js';
import type { Hooks } from './sendCredit.js';
import * as sendFill from './sendFill.js';
import * as sendRefund from './sendRefund.js';
import { isSuccess, ofMined, read, type Settled, sendAndWait, toFailedTx, waitFor } from './settled.js';
import { createTasks, retryMs } from './tasks.js';

export type Solver = ReturnType<typeof createSolver>;

/** What the work on all requests shares. */
type Solving = Pick<ReturnType<typeof createTasks>, 'run' | 'signal'> & {
  instance: Instance;
  ledger: Ledger;
  /** What fills in progress cost the sponsor, by request, in millionths of a US dollar. */
  committedUsd: Map<string, bigint>;
  /** Deposits that are being recorded. */
  inProgress: Map<string, Promise<void>>;
};

export function createSolver(instance: Instance) {
  const { ledger, faults } = instance;
  const tasks = createTasks(ledger, 'Could not fill request');
  const inProgress = new Map<string, Promise<void>>();
  const solving: Solving = { ...tasks, instance, ledger, committedUsd: new Map(), inProgress };

  return {
    /** Accepts a deposit found on a chain; ignores known deposits and unknown orders. */
    accept: (deposit: Deposit.Deposit): Promise<void> => accept(solving, deposit),
    /** Resumes work that was in progress when the ledger was saved. */
    resume(): void {
      for (const entry of ledger.active()) {
        if (!isFinal(entry) && entry.heldBy === undefined) resumeEntry(solving, entry);
      }
    },
    /** Resumes requests held up by faults that have been cleared. */
    release(): void {
      for (const entry of ledger.active()) {
        if (entry.heldBy === undefined || faults.isActive(entry.heldBy)) continue;
        resumeEntry(
          solving,
          ledger.update(entry.order.requestId, { status: 'pending', failReason: undefined, heldBy: undefined }),
        );
      }
    },
    /** Whether a request is being filled or refunded. */
    isBusy: () => tasks.isBusy() || inProgress.size > 0,
    stop: tasks.stop,
  };
}

/** Records a deposit; concurrent reports of the same deposit share one recording. */
async function accept(solving: Solving, deposit: Deposit.Deposit): Promise<void> {
  const { ledger, inProgress } = solving;
  const entry = ledger.byOrderId(deposit.orderId);
  const key = `${deposit.chainId}:${deposit.hash}:${deposit.logIndex}`;
  if (!entry || entry.deposits.some((known) => Deposit.isSame(known, deposit))) return;
  const recording = inProgress.get(key);
  if (recording !== undefined) return recording;
  const task = recordDeposit(solving, entry, deposit).finally(() => inProgress.delete(key));
  inProgress.set(key, task);
  await task;
}

async function recordDeposit(solving: Solving, entry: Entry, deposit: Deposit.Deposit): Promise<void> {
  const { instance, ledger, run, signal } = solving;
  if (entry.relay && entry.status === 'waiting') ledger.update(entry.order.requestId, { status: 'depositing' });
  const { tx: inTx } = await waitFor(instance, deposit, signal);
  const { order, deposits, inTxs } = ledger.get(entry.order.requestId);
  const { requestId } = order;
  const change = { deposits: [...deposits, deposit], inTxs: [...inTxs, inTx] };
  if (deposits.length > 0) {
    ledger.update(requestId, change);
    run(requestId, refundExtra(solving, entry, deposit));
  } else {
    ledger.update(requestId, { ...change, status: 'pending', details: undefined });
    run(requestId, () => startSettling(solving, entry, deposit));
  }
}

/** Applies the fault that strikes the request, if any, then settles the order. */
async function startSettling(solving: Solving, entry: Entry, deposit: Deposit.Deposit): Promise<void> {
  const { instance, ledger, signal } = solving;
  const { requestId, user, referrer } = entry.order;
  const fault = instance.faults.strikeSolver({ requestId, user, referrer });
  switch (fault?.does) {
    case 'stuck':
      ledger.update(requestId, { heldBy: fault.id });
      return;
    case 'fail':
      ledger.update(requestId, { status: 'failure', failReason: fault.failReason ?? 'UNKNOWN', heldBy: fault.id });
      return;
    case 'refund':
      return refund(solving, entry, deposit, fault.failReason ?? 'MANUAL_ADMIN_REFUND');
    case 'revert':
      await fillReverting(solving, entry);
      return refund(solving, entry, deposit, fault.failReason ?? 'TRANSACTION_REVERTED');
    case 'delay':
      ledger.update(requestId, { status: 'delayed' });
      await sleep(fault.delayMs ?? retryMs, undefined, { signal });
      ledger.update(requestId, { status: 'pending' });
  }
  await settle(solving, entry, deposit);
}

async function settle(solving: Solving, entry: Entry, deposit: Deposit.Deposit): Promise<void> {
  const { ledger, committedUsd } = solving;
  const { sent, delivered } = ledger.get(entry.order.requestId);
  if (delivered !== undefined) return runAfterFill(solving, entry);
  if (sent) {
    const isSettled = await resumeSent(solving, entry, sent);
    if (isSettled) return;
  }
  const failReason = refusalReason(solving, entry, deposit);
  if (failReason) return refund(solving, entry, deposit, failReason);
  const { requestId, sponsorship } = entry.order;
  committedUsd.set(requestId, sponsorship?.usd ?? 0n);
  await fill(solving, entry, deposit).finally(() => committedUsd.delete(requestId));
}

/** The documented reason why the order must not be filled. */
function refusalReason({ instance, ledger, committedUsd }: Solving, { order }: Entry, deposit: Deposit.Deposit) {
  const seconds = Math.floor(instance.clock() / 1000);
  const fault = Deposit.failReason(deposit, order);
  if (fault) return fault;
  if (order.forceRefund) return 'MANUAL_ADMIN_REFUND';
  if (seconds > order.deadline) return 'PROTOCOL_DEADLINE_EXPIRED';
  if (order.fillBefore !== undefined && seconds > order.fillBefore) return 'TTL_EXPIRED';
  // Fills in progress have their part of the balance.
  const availableUsd = [...committedUsd.values()].reduce((left, usd) => left - usd, ledger.sponsorBalanceUsd());
  if (order.sponsorship && order.sponsorship.usd > availableUsd) return 'SPONSOR_BALANCE_TOO_LOW';
  return undefined;
}

async function fill(solving: Solving, entry: Entry, deposit: Deposit.Deposit): Promise<void> {
  const { instance, ledger, signal, committedUsd } = solving;
  const { requestId, destination } = entry.order;
  // The pools may change before the fill is mined, so a fill that reverts is priced again once.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const hooks = { onSent: onFillSent(solving, entry), signal };
    const result = await sendFill.send(instance, ledger.get(requestId), hooks);
    if ('failReason' in result) {
      // The transaction was signed but rejected, so it was never broadcast.
      ledger.update(requestId, { sent: undefined });
      return refund(solving, entry, deposit, result.failReason);
    }
    const done = await waitFor(instance, { chainId: destination.chainId, hash: result.hash }, signal);
    if (isSuccess(done)) {
      await recordFill(ledger, requestId, done, result.amount);
      committedUsd.delete(requestId);
      return runAfterFill(solving, entry);
    }
    recordRevert(solving, entry, done);
  }
  await refund(solving, entry, deposit, 'TRANSACTION_REVERTED');
}

async function runAfterFill(solving: Solving, entry: Entry): Promise<void> {
  const { instance, ledger, signal } = solving;
  const afterFill = ledger.get(entry.order.requestId).relay?.afterFill;
  if (afterFill?.state !== 'waiting') return;
  const mined = await sendAndWait(instance, afterFill, signal, (sent) => {
    const { order, relay } = ledger.get(entry.order.requestId);
    if (relay) ledger.update(order.requestId, { relay: { ...relay, afterFill: { ...afterFill, sent } } });
  });
  const { node } = chainContext(instance, afterFill.chainId);
  recordAfterFill(ledger, entry.order.requestId, ofMined(node, mined));
}

async function fillReverting(solving: Solving, entry: Entry): Promise<void> {
  const { instance, signal } = solving;
  const { chainId } = entry.order.destination;
  const hash = await sendFill.sendReverting(instance, entry, { onSent: onFillSent(solving, entry), signal });
  recordRevert(solving, entry, await waitFor(instance, { chainId, hash }, signal));
}

function onFillSent({ ledger }: Solving, { order: { requestId, destination } }: Entry): Hooks['onSent'] {
  return ({ hash, amount }) => {
    const sent = { hash, chainId: destination.chainId, purpose: 'fill', amount } as const;
    ledger.update(requestId, { status: 'submitted', details: undefined, sent });
  };
}

async function refund(solving: Solving, entry: Entry, deposit: Deposit.Deposit, failReason: string): Promise<void> {
  const { instance, ledger, signal } = solving;
  const { requestId } = entry.order;
  ledger.update(requestId, { status: 'pending', details: 'Could not fill request (will refund)' });
  const { chainId } = deposit;
  const onSent: Hooks['onSent'] = ({ hash, amount }) => {
    ledger.update(requestId, { sent: { hash, chainId, purpose: 'refund', amount, failReason, deposit } });
  };
  const result = await sendRefund.send(instance, deposit, Order.refundee(entry.order), { onSent, signal });
  if ('failReason' in result) {
    const ended = { status: 'failure', details: undefined, sent: undefined } as const;
    ledger.update(requestId, { ...ended, failReason, refundFailReason: result.failReason });
    return;
  }
  const done = await waitFor(instance, { chainId, hash: result.hash }, signal);
  recordRefund(ledger, requestId, done, { deposit, amount: result.amount, failReason });
}

/** A second deposit for an order is refunded, whatever the outcome of the first. The request keeps its status. */
function refundExtra(solving: Solving, entry: Entry, deposit: Deposit.Deposit): () => Promise<void> {
  const { instance, ledger, signal } = solving;
  const { requestId } = entry.order;
  const { chainId } = deposit;
  let sent: { hash: string } | undefined;
  return async () => {
    if (!sent) {
      const onSent: Hooks['onSent'] = (one) => {
        sent = one;
      };
      const result = await sendRefund.send(instance, deposit, Order.refundee(entry.order), { onSent, signal });
      if ('failReason' in result) {
        ledger.update(requestId, { details: `A further deposit could not be sent back (${result.failReason})` });
        return;
      }
      sent = result;
    }
    const done = await waitFor(instance, { chainId, hash: sent.hash }, signal);
    const refundTxs = [...ledger.get(requestId).refundTxs, done.tx];
    ledger.update(requestId, { refundTxs, details: 'A further deposit was sent back (DOUBLE_SPEND)' });
  };
}

/** Completes a transaction sent before a stop. False if it never reached the chain or reverted. */
async function resumeSent(solving: Solving, entry: Entry, sent: Sent): Promise<boolean> {
  const { instance, ledger, signal } = solving;
  const { requestId } = entry.order;
  const found = await read(instance, sent);
  const done = found === 'pending' ? await waitFor(instance, sent, signal) : found;
  if (!done) {
    ledger.update(requestId, { status: 'pending', sent: undefined });
    return false;
  }
  if (sent.purpose === 'refund') {
    recordRefund(ledger, requestId, done, sent);
    return true;
  }
  if (!isSuccess(done)) {
    recordRevert(solving, entry, done);
    return false;
  }
  await recordFill(ledger, requestId, done, sent.amount);
  await runAfterFill(solving, entry);
  return true;
}

function resumeEntry(solving: Solving, entry: Entry): void {
  const [deposit] = entry.deposits;
  if (deposit) solving.run(entry.order.requestId, () => settle(solving, entry, deposit));
}

/** Records a successful fill; `expected` is the fallback if the chain no longer has a trace of the delivered amount. */
export async function recordFill(ledger: Ledger, requestId: string, done: Settled, expected: bigint): Promise<void> {
  const entry = ledger.get(requestId);
  const { order, outTxs } = entry;
  const delivered = await done.delivered(order, expected);
  const actualFees = feesOfFill(entry, delivered, [done.tx]);
  ledger.chargeSponsor(actualFees.sponsored.usd - RelayedCall.sponsoredGasUsd(entry.relay));
  ledger.update(requestId, {
    // Calls after the fill still have to run.
    status: entry.relay?.afterFill?.state === 'waiting' ? 'submitted' : 'success',
    details: undefined,
    sent: undefined,
    outTxs: [...outTxs, done.tx],
    delivered,
    actualFees,
  });
}

/** Records the calls after a fill, successful or reverted: in either case the recipient has the output. */
export function recordAfterFill(ledger: Ledger, requestId: string, done: Settled): void {
  const entry = ledger.get(requestId);
  const { relay, outTxs, delivered } = entry;
  if (!relay?.afterFill) return;
  const all = [...outTxs, done.tx];
  const hasSucceeded = isSuccess(done);
  const actualFees = feesOfFill(entry, delivered ?? 0n, all);
  ledger.chargeSponsor(actualFees.sponsored.usd - (entry.actualFees?.sponsored.usd ?? 0n));
  ledger.update(requestId, {
    status: 'success',
    relay: { ...relay, afterFill: { ...relay.afterFill, state: hasSucceeded ? 'mined' : 'reverted' } },
    outTxs: all,
    actualFees,
    details: hasSucceeded ? undefined : 'The calls on the destination chain reverted',
    ...(!hasSucceeded && { failedTx: toFailedTx(done) }),
  });
}

/**
 * Includes all gas that the service paid: on the destination, and on the origin if the relayer sent the transaction for
 * a fee.
 */
function feesOfFill({ order, relay, deposits, inTxs }: Entry, delivered: bigint, outTxs: readonly Transaction[]): Fees {
  const gas = order.paysOriginGas && relay ? [...inTxs.slice(0, 1), ...outTxs] : outTxs;
  const gasUsd = gas.reduce((sum, { feeUsd }) => sum + feeUsd, order.gasTopup?.usd ?? 0n);
  // What the router made of the input is not what the user paid.
  const paid = order.hasOriginSwap ? order.origin.amount : (deposits[0]?.amount ?? order.origin.amount);
  return ActualFees.ofFill(order, { paid, delivered, gasUsd, sponsoredGasUsd: RelayedCall.sponsoredGasUsd(relay) });
}

/** Records a reverted fill: the order remains to be filled or refunded. */
function recordRevert({ ledger }: Solving, { order }: Entry, done: Settled): void {
  ledger.update(order.requestId, { status: 'pending', sent: undefined, failedTx: toFailedTx(done) });
}

/** Records a refund; if it reverted, the deposit remains with the service. */
export function recordRefund(
  ledger: Ledger,
  requestId: string,
  done: Settled,
  { deposit, amount, failReason }: { deposit: Deposit.Deposit; amount: bigint; failReason: string },
): void {
  const { order, refundTxs } = ledger.get(requestId);
  const ended = { details: undefined, sent: undefined, failReason };
  if (!isSuccess(done)) {
    const refundFailReason = 'MANUAL_REFUND_REQUIRED';
    ledger.update(requestId, { ...ended, status: 'failure', refundFailReason });
    return;
  }
  const isOwnCurrency = Deposit.failReason(deposit, order) !== 'INCORRECT_DEPOSIT_CURRENCY';
  ledger.update(requestId, {
    ...ended,
    status: 'refund',
    refundTxs: [...refundTxs, done.tx],
    refunded: { currency: deposit.currency, amount },
    actualFees: isOwnCurrency ? ActualFees.ofRefund(order, deposit.amount - amount) : undefined,
  });
}
