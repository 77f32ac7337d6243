/**
 * Handles swaps, wraps and transfers on a single chain: the user's own transaction does everything, and the service
 * only detects it. It counts once the chain shows that the recipient received the promised amount.
 */

import * as Step from '../../core/api/schema/Step.js';
import { isEqual } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import type { Node } from '../chain/readMarket.js';
import * as ActualFees from '../ledger/ActualFees.js';
import type { Entry, Ledger } from '../ledger/ledger.js';
import { decode, type Log, type Mined, toTransaction } from '../ledger/minedTransactions.js';
import { stepWord, word } from '../ledger/RecordFacets.js';
import * as RelayedCall from '../ledger/RelayedCall.js';
import * as Calldata from '../pricing/Calldata.js';
import * as abi from '../values/abi.js';
import type { Instance } from './instance.js';
import { ofMined } from './settled.js';

/**
 * Records a mined transaction with its request. Returns whether there is such a request; a transaction already recorded
 * changes nothing.
 */
export async function recordTransfer(
  instance: Instance,
  node: Node,
  mined: Mined,
  requestId?: string,
): Promise<boolean> {
  const { ledger } = instance;
  const entry = requestOf(ledger, node, mined, requestId);
  if (!entry) return false;
  if (isKnown(entry, mined)) return true;

  const { order } = entry;
  const inTxs = [...entry.inTxs, toTransaction(node, mined)];
  if (!mined.isSuccess) {
    if (!isStepOf(entry, mined)) return false;
    ledger.update(order.requestId, { status: 'failure', inTxs, failReason: 'TRANSACTION_REVERTED' });
    return true;
  }
  const delivered = await ofMined(node, mined).delivered(order, order.destination.minimumAmount);
  if (delivered === 0n || delivered < order.destination.minimumAmount) return false;
  const now = ledger.byRequestId(order.requestId);
  if (now && isKnown(now, mined)) return true;
  const sponsoredGasUsd = RelayedCall.sponsoredGasUsd(entry.relay);
  const gasUsd = order.paysOriginGas && entry.relay ? toTransaction(node, mined).feeUsd : 0n;
  const paid = order.origin.amount;
  const actualFees = ActualFees.ofSameChain(order, { paid, delivered, gasUsd, sponsoredGasUsd });
  ledger.chargeSponsor(actualFees.sponsored.usd - sponsoredGasUsd);
  ledger.update(order.requestId, {
    status: 'success',
    inTxs,
    outTxs: [toTransaction(node, mined)],
    failReason: undefined,
    delivered,
    actualFees,
  });
  return true;
}

/** The request id in an event of the router or of the approval proxy, if any. */
export function requestIdOf(log: Log): Hex | undefined {
  const event = decode(abi.router, log);
  return event?.eventName === 'FundsMovement' ? Calldata.requestIdOf(event.args.metadata) : undefined;
}

/** The unfinished request on this chain, identified by the client, a router event or the transaction itself. */
function requestOf(ledger: Ledger, node: Node, mined: Mined, requestId: string | undefined): Entry | undefined {
  const named = [requestId, ...mined.logs.map(requestIdOf)].flatMap((id) => (id ? [ledger.byRequestId(id)] : []));
  const found =
    named.find((entry) => entry && isOwn(entry, node)) ??
    [...ledger.search({ words: [[word('status', 'waiting')], [stepWord(mined)]] })].find(
      (entry) => isOwn(entry, node) && entry.status === 'waiting' && isStepOf(entry, mined),
    );
  return found && (found.status !== 'success' || isKnown(found, mined)) ? found : undefined;
}

function isOwn({ order }: Entry, node: Node): boolean {
  return order.execution !== 'solver' && order.execution !== 'call' && order.origin.chainId === node.id;
}

function isKnown(entry: Entry, mined: Mined): boolean {
  return entry.inTxs.some((known) => isEqual(known.hash, mined.hash));
}

/** Whether the transaction exactly matches a step of the quote. An approval does not count. */
function isStepOf(entry: Entry, mined: Mined): boolean {
  const steps = entry.quote.steps.filter((step) => step.id !== 'approve');
  return steps.some((step) =>
    step.items.some((item) => {
      const { success, data } = Step.evmTransaction.safeParse(item.data);
      return (
        success &&
        mined.to !== undefined &&
        isEqual(data.from, mined.from) &&
        isEqual(data.to, mined.to) &&
        isEqual(data.data, mined.data) &&
        BigInt(data.value) === mined.value
      );
    }),
  );
}
