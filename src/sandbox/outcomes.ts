/** Enters in the ledger what became of the solver's transactions once they are mined. */
import * as ActualFees from './ActualFees.js';
import * as Deposit from './Deposit.js';
import { type Instance, siteOf } from './instance.js';
import type { Entry } from './ledger.js';
import { type Mined, toTransaction } from './mined.js';
import * as sendFill from './sendFill.js';

/** A fill that brought the recipient the output; `foreseen` stands in where the chain no longer tells how much. */
export async function enterFill(instance: Instance, entry: Entry, mined: Mined, foreseen: bigint): Promise<void> {
  const { order, deposits, outTxs } = entry;
  const { node } = siteOf(instance, order.destination.chainId);
  const delivered = await sendFill.delivered(node, entry, mined, foreseen);
  const outTx = toTransaction(node, mined);
  const paid = deposits[0]?.amount ?? order.origin.amount;
  if (order.sponsorship) instance.ledger.chargeSponsor(order.sponsorship.usd);
  instance.ledger.move(order.requestId, {
    status: 'success',
    details: undefined,
    sent: undefined,
    outTxs: [...outTxs, outTx],
    delivered,
    actualFees: ActualFees.ofFill(order, { paid, delivered, gasUsd: outTx.feeUsd }),
  });
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
