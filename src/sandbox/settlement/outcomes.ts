/** Records the outcomes of the solver's transactions in the ledger. */

import * as ActualFees from '../ledger/ActualFees.js';
import * as Deposit from '../ledger/Deposit.js';
import type { Entry } from '../ledger/ledger.js';
import type { Transaction } from '../ledger/minedTransactions.js';
import * as RelayedCall from '../ledger/RelayedCall.js';
import type { Fees } from '../pricing/Fees.js';
import type { Instance } from './instance.js';
import * as settled from './settled.js';

/** Records a successful fill; `expected` is the fallback if the chain no longer has a trace of the delivered amount. */
export async function recordFill(
  instance: Instance,
  entry: Entry,
  done: settled.Settled,
  expected: bigint,
): Promise<void> {
  const { order, outTxs } = entry;
  const delivered = await settled.delivered(done, order, expected);
  const outTx = settled.toTransaction(done);
  const actualFees = feesOfFill(entry, delivered, [outTx]);
  instance.ledger.chargeSponsor(actualFees.sponsored.usd - RelayedCall.sponsoredGasUsd(entry.relay));
  instance.ledger.update(order.requestId, {
    // Calls after the fill still have to run.
    status: entry.relay?.afterFill?.state === 'waiting' ? 'submitted' : 'success',
    details: undefined,
    sent: undefined,
    outTxs: [...outTxs, outTx],
    delivered,
    actualFees,
  });
}

/** Records the calls after a fill, successful or reverted: in either case the recipient has the output. */
export function recordAfterFill(instance: Instance, entry: Entry, done: settled.Settled): void {
  const { order, relay, outTxs, delivered } = entry;
  if (!relay?.afterFill) return;
  const all = [...outTxs, settled.toTransaction(done)];
  const isSuccess = settled.isSuccess(done);
  const actualFees = feesOfFill(entry, delivered ?? 0n, all);
  instance.ledger.chargeSponsor(actualFees.sponsored.usd - (entry.actualFees?.sponsored.usd ?? 0n));
  instance.ledger.update(order.requestId, {
    status: 'success',
    relay: { ...relay, afterFill: { ...relay.afterFill, state: isSuccess ? 'mined' : 'reverted' } },
    outTxs: all,
    actualFees,
    details: isSuccess ? undefined : 'The calls on the destination chain reverted',
    ...(!isSuccess && { failedTx: settled.toFailedTx(done) }),
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
export function recordRevert(instance: Instance, { order }: Entry, done: settled.Settled): void {
  const failedTx = settled.toFailedTx(done);
  instance.ledger.update(order.requestId, { status: 'pending', sent: undefined, failedTx });
}

/** Records a refund; if it reverted, the deposit remains with the service. */
export function recordRefund(
  instance: Instance,
  { order, refundTxs }: Entry,
  done: settled.Settled,
  refund: { deposit: Deposit.Deposit; amount: bigint; failReason: string },
): void {
  const { deposit, amount, failReason } = refund;
  const ended = { details: undefined, sent: undefined, failReason };
  if (!settled.isSuccess(done)) {
    const refundFailReason = 'MANUAL_REFUND_REQUIRED';
    instance.ledger.update(order.requestId, { ...ended, status: 'failure', refundFailReason });
    return;
  }
  const isOwnCurrency = Deposit.failReason(deposit, order) !== 'INCORRECT_DEPOSIT_CURRENCY';
  instance.ledger.update(order.requestId, {
    ...ended,
    status: 'refund',
    refundTxs: [...refundTxs, settled.toTransaction(done)],
    refunded: { currency: deposit.currency, amount },
    actualFees: isOwnCurrency ? ActualFees.ofRefund(order, deposit.amount - amount) : undefined,
  });
}
