/** What the service submits on a user's behalf, as the ledger keeps it. Plain values only. */
import type { Hex } from 'viem';
import type { Address } from '../core/Address.js';
import type { Authorization } from './authorizations.js';

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
  /** What runs on the destination chain once the order is filled. */
  afterFill: AfterFill | undefined;
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
