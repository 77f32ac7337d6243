/** What the service submits on a user's behalf, as the ledger keeps it. Plain values only. */
import type { Hex } from 'viem';
import type { Address } from '../../core/base/Address.js';
import type { Authorization } from '../chain/authorizations.js';

export type Relay = {
  /** How it was asked for: by `/execute` or by `/execute/permits`. */
  by: 'call' | 'permit';
  /** Tells one post from another: the same post again changes nothing. */
  digest: Hex;
  chainId: number;
  transaction: Transaction;
  /** The transaction's hash, from before it goes out. */
  sent: Hex | undefined;
  state: 'queued' | 'mined' | 'reverted';
  /** What a sponsor pays beside the fees of a quote; undefined where nobody does. */
  sponsored?: Sponsored | undefined;
  /** What runs on the destination chain once the order is filled. */
  afterFill: AfterFill | undefined;
};

/** In millionths of a dollar. */
export type Sponsored = {
  /** What the sponsor has been charged: what was foreseen, and once it is mined what it came to. */
  chargedUsd: bigint;
  /** The value that is sent along. */
  valueUsd: bigint;
  /** Whether the gas is the sponsor's, and not in the quote's execution fee. */
  paysGas: boolean;
};

export type AfterFill = {
  chainId: number;
  transaction: Transaction;
  sent: Hex | undefined;
  state: 'waiting' | 'mined' | 'reverted';
};

/** A transaction of the relayer. `value` in wei, `gas` in units. */
export type Transaction = {
  to: Address;
  data: Hex;
  value: bigint;
  gas: bigint;
  authorizations: readonly Authorization[];
};

/** Whether a relay stands in the way of another one for the same request. */
export function isUnderWay(relay: Relay | undefined): relay is Relay {
  return relay !== undefined && relay.state !== 'reverted';
}

/** What the sponsor owes for a transaction that used so much gas: of one that reverted, the gas alone. */
export function dueUsd(
  { valueUsd, paysGas }: Sponsored,
  mined: { isSuccess: boolean; gasUsd: bigint; flatUsd: bigint },
): bigint {
  const gasUsd = paysGas ? mined.gasUsd : 0n;
  return mined.isSuccess ? gasUsd + mined.flatUsd + valueUsd : gasUsd;
}

/** The gas that the sponsor has paid for a transaction that is at its end. */
export function sponsoredGasUsd(relay: Relay | undefined): bigint {
  if (!relay?.sponsored?.paysGas) return 0n;
  const { chargedUsd, valueUsd } = relay.sponsored;
  return relay.state === 'reverted' ? chargedUsd : chargedUsd - valueUsd;
}
