/** Submits a relayer transaction on behalf of a user. */

import type { Hex } from '../../core/base/Hex.js';
import { type Node, readMarketOf } from '../chain/readMarket.js';
import type { TransactionQueue } from '../chain/transactionQueue.js';
import { type Mined, read, waitFor } from '../ledger/minedTransactions.js';
import type * as RelayedCall from '../ledger/RelayedCall.js';
import { chainContext, type Instance } from './instance.js';

export type Submission = Pick<RelayedCall.Relay, 'chainId' | 'transaction' | 'sent'>;

/**
 * Sends a transaction, unless it was sent before and the chain knows it, and waits until it is mined. `onSent` is
 * called before broadcasting. Rejects with the signal's reason on abort.
 */
export async function sendAndWait(
  instance: Instance,
  { chainId, transaction, sent }: Submission,
  signal: AbortSignal,
  onSent: (hash: Hex) => void,
): Promise<Mined> {
  const { node, relayer } = chainContext(instance, chainId);
  const found = sent && (await read(node, sent));
  if (found && found !== 'pending') return found;
  const hash = sent && found === 'pending' ? sent : await send(instance, node, relayer, transaction, onSent);
  return await waitFor(node, hash, signal);
}

async function send(
  instance: Instance,
  node: Node,
  relayer: TransactionQueue,
  transaction: RelayedCall.Transaction,
  onSent: (hash: Hex) => void,
): Promise<Hex> {
  return await relayer.runExclusive(async (broadcast) => {
    const fees = await readMarketOf(instance.nodes, node, instance.clock());
    return await broadcast(transaction, fees, onSent);
  });
}
