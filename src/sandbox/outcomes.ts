/** Enters in the ledger what became of the solver's transactions once they are mined. */
import * as ActualFees from './ActualFees.js';
import * as Deposit from './Deposit.js';
import type { Fees } from './Fees.js';
import { type Instance, siteOf } from './instance.js';
import type { Entry, Transaction } from './ledger.js';
import { type Mined, toTransaction } from './mined.js';
import * as sendFill from './sendFill.js';

/** A fill that brought the recipient the output; `foreseen` stands in where the chain no longer tells how much. */
export async function enterFill(instance: Instance, entry: Entry, mined: Mined, foreseen: bigint): Promise<void> {
  const { order, outTxs } = entry;
  const { node } = siteOf(instance, order.destination.chainId);
  const delivered = await sendFill.delivered(node, entry, mined, foreseen);
  const outTx = toTransaction(node, mined);
  if (order.sponsorship) instance.ledger.chargeSponsor(order.sponsorship.usd);
  instance.ledger.move(order.requestId, {
    // Calls that come after the fill are the last thing to be done.
    status: entry.relay?.afterFill?.state === 'waiting' ? 'submitted' : 'success',
    details: undefined,
    sent: undefined,
    outTxs: [...outTxs, outTx],
    delivered,
    actualFees: feesOfFill(entry, delivered, [outTx]),
  });
}

/** The calls after a fill, done or reverted: in either case the recipient has the output. */
export function enterAfterFill(instance: Instance, entry: Entry, mined: Mined): void {
  const { order, relay, outTxs, delivered } = entry;
  if (!relay?.afterFill) return;
  const { node } = siteOf(instance, relay.afterFill.chainId);
  const all = [...outTxs, toTransaction(node, mined)];
  const { hash, block, from, to, data, value, isSuccess } = mined;
  instance.ledger.move(order.requestId, {
    status: 'success',
    relay: { ...relay, afterFill: { ...relay.afterFill, state: isSuccess ? 'mined' : 'reverted' } },
    outTxs: all,
    actualFees: feesOfFill(entry, delivered ?? 0n, all),
    details: isSuccess ? undefined : 'The calls on the destination chain reverted',
    ...(!isSuccess && { failedTx: { hash, block, call: { from, to: to ?? from, data, value } } }),
  });
}

/** With all the gas that the service has paid: on the destination, and on the origin where it sent the transaction for a fee. */
function feesOfFill({ order, relay, deposits, inTxs }: Entry, delivered: bigint, outTxs: readonly Transaction[]): Fees {
  const gas = order.paysOriginGas && relay ? [...inTxs.slice(0, 1), ...outTxs] : outTxs;
  const gasUsd = gas.reduce((sum, { feeUsd }) => sum + feeUsd, 0n);
  return ActualFees.ofFill(order, { paid: deposits[0]?.amount ?? order.origin.amount, delivered, gasUsd });
}

/** A fill that reverted: the order is still to be filled or refunded. */
export function enterRevert(instance: Instance, { order }: Entry, mined: Mined): void {
  const { hash, block, from, to, data, value } = mined;
  const failedTx = { hash, block, call: { from, to: to ?? from, data, value } };
  instance.ledger.move(order.requestId, { status: 'pending', sent: undefined, failedTx });
}

/** A refund; one that reverted leaves the deposit with the service. */
export function enterRefund(
  instance: Instance,
  { order, refundTxs }: Entry,
  mined: Mined,
  refund: { deposit: Deposit.Deposit; amount: bigint; failReason: string },
): void {
  const { deposit, amount, failReason } = refund;
  const ended = { details: undefined, sent: undefined, failReason };
  if (!mined.isSuccess) {
    const refundFailReason = 'MANUAL_REFUND_REQUIRED';
    instance.ledger.move(order.requestId, { ...ended, status: 'failure', refundFailReason });
    return;
  }
  const { node } = siteOf(instance, deposit.chainId);
  const isOwnCurrency = Deposit.fault(deposit, order) !== 'INCORRECT_DEPOSIT_CURRENCY';
  instance.ledger.move(order.requestId, {
    ...ended,
    status: 'refund',
    refundTxs: [...refundTxs, toTransaction(node, mined)],
    refunded: { currency: deposit.currency, amount },
    actualFees: isOwnCurrency ? ActualFees.ofRefund(order, deposit.amount - amount) : undefined,
  });
}
