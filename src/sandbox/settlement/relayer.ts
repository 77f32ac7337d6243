/**
 * The queue of transactions signed by users. The relayer's account submits each and follows it until the solver has its
 * deposit. Work interrupted by a stop resumes at the next start.
 */
import { createKeyedMutex } from '../chain/keyedMutex.js';
import type { Node } from '../chain/readMarket.js';
import * as ActualFees from '../ledger/ActualFees.js';
import * as Deposit from '../ledger/Deposit.js';
import type { Change, Entry } from '../ledger/ledger.js';
import { type Mined, toTransaction } from '../ledger/minedTransactions.js';
import * as RelayedCall from '../ledger/RelayedCall.js';
import * as Charges from '../pricing/Charges.js';
import { chainContext, type Instance } from './instance.js';
import { recordTransfer } from './sameChainTransfers.js';
import { ofMined, sendAndWait, toFailedTx } from './settled.js';
import type { Solver } from './solver.js';
import { createTasks } from './tasks.js';

export type Relayer = ReturnType<typeof createRelayer>;

export function createRelayer(instance: Instance, solver: Solver) {
  const { ledger } = instance;
  const { run, signal, isBusy, stop } = createTasks(ledger, 'Could not submit the transaction');
  const inTurn = createKeyedMutex();

  function current(requestId: string): Relayed {
    const entry = ledger.get(requestId);
    if (!entry.relay) throw new Error(`Nothing is to be submitted for ${requestId}.`);
    return { ...entry, relay: entry.relay };
  }

  async function follow(requestId: string): Promise<void> {
    const { relay } = current(requestId);
    const mined = await sendAndWait(instance, relay, signal, (sent) => {
      ledger.update(requestId, { relay: { ...relay, sent } });
    });
    const { node } = chainContext(instance, relay.chainId);
    settleSponsor(requestId, node, mined);
    const reason = mined.isSuccess ? await recordMined(node, requestId, mined) : 'TRANSACTION_REVERTED';
    if (reason) ledger.update(requestId, failed(current(requestId), node, mined, reason));
  }

  /** Replaces the estimated charge to the sponsor with the actual cost. */
  function settleSponsor(requestId: string, node: Node, mined: Mined): void {
    const { order, relay } = current(requestId);
    if (!relay.sponsored || relay.state !== 'queued') return;
    const flatUsd = order.execution === 'call' ? Charges.flatUsd : 0n;
    const gasUsd = toTransaction(node, mined).feeUsd;
    const dueUsd = RelayedCall.dueUsd(relay.sponsored, { isSuccess: mined.isSuccess, gasUsd, flatUsd });
    ledger.chargeSponsor(dueUsd - relay.sponsored.chargedUsd);
    ledger.update(requestId, { relay: { ...relay, sponsored: { ...relay.sponsored, chargedUsd: dueUsd } } });
  }

  /** Records the effect of a mined transaction; returns the documented failure reason if it had none. */
  async function recordMined(node: Node, requestId: string, mined: Mined): Promise<string | undefined> {
    const { order, relay } = current(requestId);
    const done: Change = { relay: { ...relay, state: 'mined' }, details: undefined };
    if (order.execution === 'call') {
      const tx = toTransaction(node, mined);
      const actualFees = ActualFees.ofCall(order, tx.feeUsd);
      ledger.update(requestId, { ...done, status: 'success', inTxs: [tx], outTxs: [tx], actualFees });
      return undefined;
    }
    ledger.update(requestId, done);
    if (!order.protocol)
      return (await recordTransfer(instance, node, mined, requestId)) ? undefined : 'TOO_LITTLE_RECEIVED';
    const { orderId } = order.protocol;
    const deposits = Deposit.fromLogs(mined.logs, node).filter((deposit) => deposit.orderId === orderId);
    for (const deposit of deposits) await solver.accept(deposit);
    return deposits.length > 0 ? undefined : 'UNKNOWN';
  }

  return {
    /** Records and sends a transaction for a request, without waiting for it. */
    submit(requestId: string, relay: RelayedCall.Relay): void {
      ledger.update(requestId, { relay, status: 'waiting', failReason: undefined, details: 'Transaction queued' });
      run(requestId, () => follow(requestId));
    },
    /**
     * Runs the work exclusively for a request, so that of two identical requests the second sees the first one's result.
     */
    runExclusive: <Result>(requestId: string, work: () => Promise<Result>): Promise<Result> =>
      inTurn(requestId.toLowerCase(), work),
    /** Resumes work that was in progress when the ledger was saved. */
    resume(): void {
      for (const { order, relay } of ledger.active())
        if (relay?.state === 'queued') run(order.requestId, () => follow(order.requestId));
    },
    isBusy,
    /** Stops waiting for transactions, and resolves once nothing is being sent any more. */
    stop,
  };
}

type Relayed = Entry & { relay: RelayedCall.Relay };

/** No funds of the user were moved, so the request may be executed again. */
function failed(entry: Relayed, node: Node, mined: Mined, failReason: string): Change {
  const { order, relay, inTxs, deposits } = entry;
  // A deposit that arrived another way is settled on its own.
  const isPaid = deposits.length > 0;
  const ended = { ...relay, state: isPaid ? 'mined' : 'reverted' } as const;
  const gasUsd = RelayedCall.sponsoredGasUsd(ended);
  return {
    ...(!isPaid && { status: 'failure', failReason, details: undefined }),
    ...(!isPaid && gasUsd > 0n && { actualFees: ActualFees.ofRevert(order, gasUsd) }),
    relay: ended,
    inTxs: [...inTxs, toTransaction(node, mined)],
    failedTx: toFailedTx(ofMined(node, mined)),
  };
}
