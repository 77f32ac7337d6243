/**
 * Empties deposit addresses into the depository. Each new block of a chain is looked at once: what a quoted address holds
 * of its order's currency is swept. Other currencies are swept when somebody asks.
 */

import { encodeFunctionData, hexToBigInt } from 'viem';
import { type Address, isEqual, native } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import type { Node } from '../chain/readMarket.js';
import type { Entry } from '../ledger/Entry.js';
import type { Ledger } from '../ledger/ledger.js';
import { waitFor } from '../ledger/minedTransactions.js';
import * as RecordFacets from '../ledger/RecordFacets.js';
import { chainContext, type Instance } from '../settlement/instance.js';
import * as abi from '../values/abi.js';
import * as PartyAccount from '../values/PartyAccount.js';

/** Creates the address and deposits one currency. */
const sweepGas = 400_000n;

export type Sweeper = ReturnType<typeof createSweeper>;

export function createSweeper(instance: Instance, signal: AbortSignal) {
  const { ledger, clock } = instance;
  const places = createPlaces(
    ledger,
    instance.nodes.map(({ id }) => id),
  );
  const lookedAt = new Map<number, string>();

  async function send(node: Node, { orderId, depositor }: DepositPlace, currency: Address): Promise<void> {
    const { relayer } = chainContext(instance, node.id);
    const args = [orderId, depositor, [currency]] as const;
    const data = encodeFunctionData({ abi: abi.depositFactory, functionName: 'sweep', args });
    const call = { to: node.depositFactory, data, value: 0n, gas: sweepGas };
    const hash = await relayer.runExclusive((broadcast) => broadcast(call));
    await waitFor(node, hash, signal);
  }

  return {
    /** Sweeps what the addresses of a chain hold of their orders' currencies, unless its last block was looked at. */
    async catchUp(node: Node): Promise<void> {
      const nowMs = clock();
      // Those that are added meanwhile are for the next time.
      const open = places(node.id).filter(({ untilMs }) => nowMs < untilMs);
      if (open.length === 0) return;
      // A new address may hold something already.
      const height = await nodeRpc.call(node.rpcUrl, 'eth_blockNumber');
      const block = `${height}/${open.length}/${open.at(-1)?.address}`;
      if (lookedAt.get(node.id) === block) return;
      const held = await nodeRpc.callAll(
        node.rpcUrl,
        open.map((place) => balanceCall(place, place.currency)),
      );
      for (const [index, place] of open.entries())
        if (balance(held[index]) > 0n) await send(node, place, place.currency);
      lookedAt.set(node.id, block);
    },
    /** Sweeps one currency from the address of a request. Resolves to what there was, in base units. */
    async sweep(entry: Entry, currency: Address): Promise<bigint> {
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

/**
 * The deposit addresses of a chain, oldest first, in memory: each block asks for them, and a search gets slower with the
 * records. Paid ones are among them, since a second payment is sent back. They are read from the ledger once; new ones are
 * learned of as they are added.
 */
export function createPlaces(
  ledger: Pick<Ledger, 'search' | 'watch'>,
  chainIds: readonly number[],
): (chainId: number) => readonly DepositPlace[] {
  const places = new Map(chainIds.map((id): [number, DepositPlace[]] => [id, []]));
  const add = (entry: Entry): void => {
    const place = placeOf(entry);
    if (place) places.get(entry.order.origin.chainId)?.push(place);
  };
  for (const entry of ledger.search({ words: [chainIds.map((id) => RecordFacets.word('depositAddressOn', id))] }))
    add(entry);
  ledger.watch((entry, before) => {
    if (!before) add(entry);
  });
  return (chainId) => places.get(chainId) ?? [];
}

type DepositPlace = {
  address: Address;
  orderId: Hex;
  depositor: Address;
  /** What the order is paid in. */
  currency: Address;
  /** Unix time in milliseconds until which the address is looked after: what comes late is sent back. */
  untilMs: number;
};

const lateMs = 86_400_000;

/** The address of a request; undefined if it has none. */
function placeOf({ order }: Entry): DepositPlace | undefined {
  const { depositAddress: address, protocol, refundTo, user, payment, deadline } = order;
  if (!address || !protocol) return undefined;
  return {
    address,
    orderId: protocol.orderId,
    depositor: PartyAccount.address(refundTo ?? user),
    currency: PartyAccount.address(payment.token.address),
    untilMs: deadline * 1_000 + lateMs,
  };
}

/** The call of a node that reads a balance. */
function balanceCall({ address }: Pick<DepositPlace, 'address'>, currency: Address): nodeRpc.Call {
  if (isEqual(currency, native)) return ['eth_getBalance', address, 'latest'];
  const data = encodeFunctionData({ abi: abi.token, functionName: 'balanceOf', args: [address] });
  return ['eth_call', { to: currency, data }, 'latest'];
}

/** The balance in its answer. Something that is no token holds nothing. */
function balance(answer: unknown): bigint {
  return typeof answer === 'string' && /^0x[0-9a-f]+$/i.test(answer) ? hexToBigInt(answer as Hex) : 0n;
}
