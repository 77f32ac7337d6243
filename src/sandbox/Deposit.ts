/** A deposit at the depository, and whether it is the one that an order asks for. */
import { type Address, isEqual, native } from '../core/Address.js';
import * as abi from './abi.js';
import { decode, type Hex, type Log } from './mined.js';
import type * as Order from './Order.js';

export type Deposit = {
  orderId: Hex;
  chainId: number;
  /** The transaction and the place of its event in the block: together they name the deposit. */
  hash: Hex;
  logIndex: number;
  depositor: Address;
  currency: Address;
  amount: bigint;
};

/** The deposit that a depository's event tells of, if it is such an event. */
export function fromLog(log: Log, chainId: number): Deposit | undefined {
  const event = decode(abi.depository, log);
  const where = { chainId, hash: log.hash, logIndex: log.logIndex };
  if (event?.eventName === 'RelayNativeDeposit') {
    const { from, amount, id } = event.args;
    return { ...where, orderId: id, depositor: from, currency: native, amount };
  }
  if (event?.eventName === 'RelayErc20Deposit') {
    const { from, token, amount, id } = event.args;
    return { ...where, orderId: id, depositor: from, currency: token, amount };
  }
  return undefined;
}

export function isSame(a: Deposit, b: Deposit): boolean {
  return a.chainId === b.chainId && isEqual(a.hash, b.hash) && a.logIndex === b.logIndex;
}

/** Why an order cannot be filled for this deposit, in the documented word; undefined where it can. */
export function fault(deposit: Deposit, order: Order.Order): string | undefined {
  const { origin, user } = order;
  if (deposit.chainId !== origin.chainId) return 'DEPOSIT_CHAIN_MISMATCH';
  if (!isEqual(deposit.currency, origin.token.address)) return 'INCORRECT_DEPOSIT_CURRENCY';
  if (deposit.amount < origin.amount) return 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL';
  return isEqual(deposit.depositor, user) ? undefined : 'INVALID_SENDER';
}
