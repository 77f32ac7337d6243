/** Deposits, at the depository of a chain or to the relayer on the venue, and their validation against an order. */

import { type Address, isEqual, native } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import type * as Order from '../quote/Order.js';
import * as abi from '../values/abi.js';
import type { Deployment } from '../values/deployment.js';
import { venueCurrency } from '../values/Market.js';
import type * as PartyAccount from '../values/PartyAccount.js';
import type { Hash, Transfer } from '../venue/books.js';
import { decode, type Log } from './minedTransactions.js';

export type Deposit = OnChain | OnVenue;

type Common = { orderId: Hex; chainId: number; amount: bigint };

export type OnChain = Common & {
  /** Transaction hash and log index together identify a deposit. */
  hash: Hex;
  logIndex: number;
  depositor: Address;
  currency: Address;
};

/** A transfer to the relayer's account whose memo is an order id. */
export type OnVenue = Common & {
  hash: Hash;
  logIndex: number;
  depositor: PartyAccount.Index;
  /** The venue's USDC, or `asset/route` for anything else. */
  currency: string;
};

/** Reads a venue transfer as a deposit, without checking its recipient. */
export function fromTransfer(transfer: Transfer, chainId: number): OnVenue {
  const { hash, memo, from, amount, assetIndex, toRouteType } = transfer;
  const isUsdc = assetIndex === usdcAssetIndex && toRouteType === perpsRoute;
  return {
    orderId: memo,
    chainId,
    hash,
    logIndex: 0,
    depositor: `${BigInt(from)}`,
    currency: isUsdc ? venueCurrency : `${assetIndex}/${toRouteType}`,
    amount,
  };
}

const usdcAssetIndex = 3;
const perpsRoute = 0;

/** The deposits in the events of a depository. */
export function fromLogs(
  logs: readonly Log[],
  { id: chainId, depository }: Pick<Deployment, 'id' | 'depository'>,
): OnChain[] {
  return logs.flatMap((log) => {
    const event = isEqual(log.address, depository) ? decode(abi.depository, log) : undefined;
    if (event?.eventName !== 'RelayNativeDeposit' && event?.eventName !== 'RelayErc20Deposit') return [];
    const { from: depositor, amount, id: orderId } = event.args;
    const currency = 'token' in event.args ? event.args.token : native;
    return [{ chainId, hash: log.hash, logIndex: log.logIndex, orderId, depositor, currency, amount }];
  });
}

export function isOnVenue(deposit: Deposit): deposit is OnVenue {
  return !deposit.hash.startsWith('0x');
}

export function isSame(a: Deposit, b: Deposit): boolean {
  return a.chainId === b.chainId && isEqual(a.hash, b.hash) && a.logIndex === b.logIndex;
}

/**
 * The documented reason why an order cannot be filled from this deposit; undefined if it can. A swap on the origin chain
 * may have yielded more or less than expected, down to its minimum.
 */
export function failReason(deposit: Deposit, order: Order.Order): string | undefined {
  const { origin, payment, user, depositAddress, refundTo = user } = order;
  if (deposit.chainId !== origin.chainId) return 'DEPOSIT_CHAIN_MISMATCH';
  if (!isEqual(deposit.currency, payment.token.address)) return 'INCORRECT_DEPOSIT_CURRENCY';
  if (deposit.amount < payment.minimumAmount) return 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL';
  return isEqual(deposit.depositor, depositAddress ? refundTo : user) ? undefined : 'INVALID_SENDER';
}
