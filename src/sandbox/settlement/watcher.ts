/**
 * Watches the chains: polls for events in new blocks, and checks transactions that clients report at once. The venue
 * pushes its transfers. Deposits go to the solver; the users' own transactions are recorded in the ledger.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { isEqual } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import type { Node } from '../chain/readMarket.js';
import * as Deposit from '../ledger/Deposit.js';
import { type Log, type Mined, read, readLogs } from '../ledger/minedTransactions.js';
import type { Transfer } from '../venue/books.js';
import type { Instance } from './instance.js';
import { venueDescription } from './readVenue.js';
import { recordTransfer, requestIdOf } from './sameChainTransfers.js';

export type Watcher = ReturnType<typeof createWatcher>;

type Finding = 'recorded' | 'irrelevant' | 'pending' | 'unknown';

/** Polling interval while a deposit is expected; otherwise only every tenth poll runs. */
const pollMs = 100;
const idleRounds = 10;

/** How long after a quote deposits are expected. */
const depositWindowMs = 600_000;

export function createWatcher(
  instance: Instance,
  onDeposit: (deposit: Deposit.Deposit) => Promise<void>,
  sweep?: ((node: Node) => Promise<void>) | undefined,
) {
  const { ledger, clock } = instance;
  const end = new AbortController();
  const { signal } = end;
  /** Transactions reported by clients that are not mined yet, with their requests. */
  const pending = new Map<Hex, { node: Node; requestId: string | undefined }>();

  async function recordMined(node: Node, mined: Mined, requestId: string | undefined): Promise<boolean> {
    const deposits = mined.isSuccess ? Deposit.fromLogs(mined.logs, node) : [];
    for (const deposit of deposits) await onDeposit(deposit);
    const isOwn = await recordTransfer(instance, node, mined, requestId);
    return isOwn || deposits.some((deposit) => ledger.byOrderId(deposit.orderId) !== undefined);
  }

  /** Looks up a transaction, and once it is mined records everything in it that concerns a request. */
  async function inspect(node: Node, hash: Hex, requestId?: string): Promise<Finding> {
    const mined = await read(node, hash);
    if (!mined) return 'unknown';
    if (mined === 'pending') {
      pending.set(hash, { node, requestId });
      return 'pending';
    }
    pending.delete(hash);
    return (await recordMined(node, mined, requestId)) ? 'recorded' : 'irrelevant';
  }

  async function catchUp(node: Node): Promise<void> {
    const latest = BigInt((await nodeRpc.call(node.rpcUrl, 'eth_blockNumber')) as Hex);
    const seen = ledger.seenBlock(node.id);
    // After a reorg to a lower height, continue from the new head.
    const from = seen === undefined || seen > latest ? latest : seen + 1n;
    if (from > latest) return;
    const addresses = [node.depository, node.router, node.approvalProxy];
    const logs = await readLogs(node, { addresses, from, to: latest });
    for (const deposit of Deposit.fromLogs(logs, node)) await onDeposit(deposit);
    for (const { hash, requestId } of namedIn(logs, node))
      if (ledger.byRequestId(requestId)) await inspect(node, hash, requestId);
    ledger.markSeen(node.id, latest);
  }

  async function watch(node: Node): Promise<void> {
    for (let round = 0; !signal.aborted; round++) {
      await sleep(round > 0 ? pollMs : 0, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || (round % idleRounds > 0 && !expectsDeposits())) continue;
      // A node that is unavailable now may respond next time.
      await sweep?.(node).catch(() => undefined);
      await catchUp(node).catch(() => undefined);
      for (const [hash, { node: at, requestId }] of pending) {
        if (at === node) await inspect(node, hash, requestId).catch(() => undefined);
      }
    }
  }

  const expectsDeposits = (): boolean => pending.size > 0 || ledger.lastAddedMs() >= clock() - depositWindowMs;

  const watching = instance.nodes.map(watch);
  const ofVenue = watchVenue(instance, onDeposit);

  return {
    inspect,
    inspectVenue: ofVenue.inspect,
    async stop(): Promise<void> {
      end.abort();
      ofVenue.stop();
      await Promise.all(watching);
    },
  };
}

/** The transactions whose logs name requests. */
function namedIn(logs: readonly Log[], node: Node): Iterable<{ hash: Hex; requestId: string }> {
  const isNaming = ({ address }: Log): boolean => isEqual(address, node.router) || isEqual(address, node.approvalProxy);
  const named = new Map(
    logs.filter(isNaming).flatMap((log) => {
      const requestId = requestIdOf(log);
      return requestId ? [[`${log.hash}/${requestId}`, { hash: log.hash, requestId }]] : [];
    }),
  );
  return named.values();
}

/** Watches the transfers of the venue: those executed before this start, then new ones. Known deposits change nothing. */
function watchVenue({ ledger, venue }: Instance, onDeposit: (deposit: Deposit.Deposit) => Promise<void>) {
  /** Records a transfer to the relayer for an order. Transfers without an order are ignored. */
  async function recordVenueTransfer(transfer: Transfer): Promise<boolean> {
    if (transfer.status !== 'executed' || transfer.to !== venue.relayerIndex) return false;
    // The specification says that the memo is the request id, quotes say the order id: both name the order.
    const memo = ledger.byRequestId(transfer.memo)?.order.protocol?.orderId ?? transfer.memo;
    const deposit = Deposit.fromTransfer({ ...transfer, memo }, venueDescription.id);
    await onDeposit(deposit);
    return ledger.byOrderId(deposit.orderId) !== undefined;
  }

  /** Looks up a transfer, and once it is executed records it. */
  async function inspect(hash: string): Promise<Finding> {
    const transfer = venue.transfer(hash);
    if (!transfer) return 'unknown';
    if (transfer.status === 'pending') return 'pending';
    return (await recordVenueTransfer(transfer)) ? 'recorded' : 'irrelevant';
  }

  const recordSoon = (transfer: Transfer): void => {
    recordVenueTransfer(transfer).catch(() => undefined);
  };
  for (const transfer of venue.transfersTo(venue.relayerIndex)) recordSoon(transfer);
  return { inspect, stop: venue.onSettled(recordSoon) };
}
