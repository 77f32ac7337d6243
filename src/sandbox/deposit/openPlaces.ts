/**
 * The deposit addresses that are looked after, in memory: each block asks for them, and a search gets slower with the
 * records. Paid ones are among them, since a second payment is sent back.
 */

import { encodeFunctionData, hexToBigInt } from 'viem';
import { type Address, isEqual, native } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import type * as nodeRpc from '../chain/nodeRpc.js';
import type { Entry } from '../ledger/Entry.js';
import type { Ledger } from '../ledger/ledger.js';
import * as RecordFacets from '../ledger/RecordFacets.js';
import * as abi from '../values/abi.js';
import * as PartyAccount from '../values/PartyAccount.js';

export type OpenPlaces = {
  /** Those of a chain, oldest first. */
  on(chainId: number): readonly DepositPlace[];
  /** Changes with every new address. */
  count(): number;
};

/** Reads the addresses on these chains from the ledger, once, and learns of new ones as they are added. */
export function createOpenPlaces(
  ledger: Pick<Ledger, 'search' | 'onAdded'>,
  clock: () => number,
  chainIds: readonly number[],
): OpenPlaces {
  const places = new Map<number, DepositPlace[]>();
  let count = 0;
  let lastMs = clock();

  function add(entry: Entry): void {
    const place = placeOf(entry);
    if (!place) return;
    const { chainId } = entry.order.origin;
    count += 1;
    const those = places.get(chainId);
    if (those) those.push(place);
    else places.set(chainId, [place]);
  }

  function fill(): void {
    places.clear();
    for (const entry of ledger.search({ words: [chainIds.map(RecordFacets.placeWord)] })) add(entry);
  }

  fill();
  ledger.onAdded(add);

  return {
    on(chainId) {
      const nowMs = clock();
      // A clock that is set back opens addresses that were dropped.
      if (nowMs < lastMs) fill();
      lastMs = nowMs;
      const those = places.get(chainId) ?? [];
      if (those.every(({ untilMs }) => nowMs < untilMs)) return those;
      const open = those.filter(({ untilMs }) => nowMs < untilMs);
      places.set(chainId, open);
      return open;
    },
    count: () => count,
  };
}

export type DepositPlace = {
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
export function placeOf({ order }: Entry): DepositPlace | undefined {
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
export function balanceCall({ address }: Pick<DepositPlace, 'address'>, currency: Address): nodeRpc.Call {
  if (isEqual(currency, native)) return ['eth_getBalance', address, 'latest'];
  const data = encodeFunctionData({ abi: abi.token, functionName: 'balanceOf', args: [address] });
  return ['eth_call', { to: currency, data }, 'latest'];
}

/** The balance in its answer. Something that is no token holds nothing. */
export function balance(answer: unknown): bigint {
  return typeof answer === 'string' && /^0x[0-9a-f]+$/i.test(answer) ? hexToBigInt(answer as Hex) : 0n;
}
