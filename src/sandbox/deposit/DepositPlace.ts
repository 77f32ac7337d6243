/** A deposit address with the order that it deposits for, and how to read what it holds. */
import { encodeFunctionData, hexToBigInt } from 'viem';
import { type Address, isEqual, native } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import type * as nodeRpc from '../chain/nodeRpc.js';
import type { Entry } from '../ledger/Entry.js';
import * as abi from '../values/abi.js';
import * as PartyAccount from '../values/PartyAccount.js';

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
export function from({ order }: Entry): DepositPlace | undefined {
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
