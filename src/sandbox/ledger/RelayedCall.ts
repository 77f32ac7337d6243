/** Transactions that the service submits on behalf of users, as stored in the ledger: plain values only. */
import type { Hex } from 'viem';
import type { Call } from '../chain/simulateCall.js';

export type Relay = {
  /** The endpoint it was requested through: `/execute` or `/execute/permits`. */
  by: 'call' | 'permit';
  /** Identifies the request body, so that a repeated request is recognized. */
  digest: Hex;
  chainId: number;
  transaction: Transaction;
  /** Transaction hash, recorded before broadcasting. */
  sent?: Hex | undefined;
  state: 'queued' | 'mined' | 'reverted';
  /** The sponsor's part outside the fees of a quote; undefined without a sponsor. */
  sponsored?: Sponsored | undefined;
  /** Calls on the destination chain after the fill. */
  afterFill?: AfterFill | undefined;
};

/** In millionths of a US dollar. */
export type Sponsored = {
  /** Charged to the sponsor: the estimate, replaced by the actual cost once mined. */
  chargedUsd: bigint;
  valueUsd: bigint;
  /** Whether the sponsor pays for the gas, rather than the quote's execution fee. */
  paysGas: boolean;
};

export type AfterFill = {
  chainId: number;
  transaction: Transaction;
  sent?: Hex | undefined;
  state: 'waiting' | 'mined' | 'reverted';
};

/** A relayer transaction. `value` in wei, `gas` in units of gas. */
export type Transaction = Omit<Call, 'from'> & { gas: bigint };

/** Whether the relay prevents another one for the same request. */
export function isActive(relay: Relay | undefined): relay is Relay {
  return relay !== undefined && relay.state !== 'reverted';
}

/** The sponsor's actual cost of a mined transaction: if it reverted, only the gas. */
export function dueUsd(
  { valueUsd, paysGas }: Sponsored,
  mined: { isSuccess: boolean; gasUsd: bigint; flatUsd: bigint },
): bigint {
  const gasUsd = paysGas ? mined.gasUsd : 0n;
  return mined.isSuccess ? gasUsd + mined.flatUsd + valueUsd : gasUsd;
}

/** Gas cost that the sponsor paid for a mined transaction, in millionths of a US dollar. */
export function sponsoredGasUsd(relay: Relay | undefined): bigint {
  if (!relay?.sponsored?.paysGas) return 0n;
  const { chargedUsd, valueUsd } = relay.sponsored;
  return relay.state === 'reverted' ? chargedUsd : chargedUsd - valueUsd;
}
