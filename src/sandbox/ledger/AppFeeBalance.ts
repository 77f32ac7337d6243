/** What app fees have earned: a share of every delivered transfer, in a dollar currency, less what was claimed. */
import { type Address, isEqual } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import type { Order } from '../quote/Order.js';
import type { Token } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';

export type Claim = {
  /** What the wallet signs. */
  id: Hex;
  wallet: Address;
  recipient: Address;
  chainId: number;
  /** Base units of the token that fees are paid in, network gas included. */
  amount: bigint;
  createdAtMs: number;
  /** The transaction that pays it; undefined until the wallet has signed. */
  hash: Hex | undefined;
};

/** The app fees of a request, by its order and what was delivered. */
type Transfer = { order: Pick<Order, 'appFees' | 'payment'>; delivered: bigint | undefined };

/** Base units of `token` that the wallet can claim. */
export function of(
  wallet: string,
  { entries, claims, token }: { entries: readonly Transfer[]; claims: readonly Claim[]; token: Token },
): bigint {
  const earned = entries.filter(({ delivered }) => delivered !== undefined).flatMap((entry) => earnings(entry, wallet));
  const paid = claims.filter((claim) => claim.hash !== undefined && isEqual(claim.wallet, wallet));
  const usd = earned.reduce((sum, part) => sum + part, 0n);
  return paid.reduce((left, { amount }) => left - amount, Valuation.fromUsd(usd, token));
}

/** The wallet's fees of a transfer, in millionths of a US dollar. */
function earnings({ order }: Transfer, wallet: string): bigint[] {
  return order.appFees
    .filter(({ recipient }) => isEqual(recipient, wallet))
    .map(({ amount }) => Valuation.toUsd(amount, order.payment.token));
}
