/**
 * Empties deposit addresses into the depository. Each new block of a chain is looked at once: what a quoted address holds
 * of its order's currency is swept. Other currencies are swept when somebody asks.
 */

import { encodeFunctionData } from 'viem';
import type { Address } from '../../core/base/Address.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import { type Node, readMarketOf } from '../chain/readMarket.js';
import type { Entry } from '../ledger/Entry.js';
import { waitFor } from '../ledger/minedTransactions.js';
import { chainContext, type Instance } from '../settlement/instance.js';
import * as abi from '../values/abi.js';
import { balance, balanceCall, createOpenPlaces, type DepositPlace, placeOf } from './openPlaces.js';

/** Creates the address and deposits one currency. */
const sweepGas = 400_000n;

export type Sweeper = {
  /** Sweeps what the addresses of a chain hold of their orders' currencies, unless its last block was looked at. */
  catchUp(node: Node): Promise<void>;
  /** Sweeps one currency from the address of a request. Resolves to what there was, in base units. */
  sweep(entry: Entry, currency: Address): Promise<bigint>;
};

export function createSweeper(instance: Instance, signal: AbortSignal): Sweeper {
  const { ledger, clock } = instance;
  const places = createOpenPlaces(
    ledger,
    clock,
    instance.nodes.map(({ id }) => id),
  );
  const lookedAt = new Map<number, string>();

  async function send(node: Node, { orderId, depositor }: DepositPlace, currency: Address): Promise<void> {
    const { relayer } = chainContext(instance, node.id);
    const args = [orderId, depositor, [currency]] as const;
    const data = encodeFunctionData({ abi: abi.depositFactory, functionName: 'sweep', args });
    const hash = await relayer.runExclusive(async (broadcast) => {
      const fees = await readMarketOf(instance.nodes, node, clock());
      return await broadcast({ to: node.depositFactory, data, value: 0n, gas: sweepGas }, fees);
    });
    await waitFor(node, hash, signal);
  }

  return {
    async catchUp(node) {
      if (places.on(node.id).length === 0) return;
      // A new address may hold something already.
      const block = `${await nodeRpc.call(node.rpcUrl, 'eth_blockNumber')}/${places.count()}`;
      if (lookedAt.get(node.id) === block) return;
      // Those that are added meanwhile are for the next time.
      const open = [...places.on(node.id)];
      const held = await nodeRpc.callAll(
        node.rpcUrl,
        open.map((place) => balanceCall(place, place.currency)),
      );
      for (const [index, place] of open.entries())
        if (balance(held[index]) > 0n) await send(node, place, place.currency);
      lookedAt.set(node.id, block);
    },
    async sweep(entry, currency) {
      const place = placeOf(entry);
      const { node } = chainContext(instance, entry.order.origin.chainId);
      if (!place) return 0n;
      const [held] = await nodeRpc.callAll(node.rpcUrl, [balanceCall(place, currency)]);
      const amount = balance(held);
      if (amount > 0n) await send(node, place, currency);
      return amount;
    },
  };
}
