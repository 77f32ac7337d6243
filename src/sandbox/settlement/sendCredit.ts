/**
 * Payments outside EVM chains: from the relayer's account on the venue, fills and refunds of withdrawals; on the chain of
 * Solana's kind, fills.
 */

import { readMarket } from '../chain/readMarket.js';
import type * as Deposit from '../ledger/Deposit.js';
import type { Entry } from '../ledger/ledger.js';
import * as PoolRoute from '../pricing/PoolRoute.js';
import * as Order from '../quote/Order.js';
import { type EvmChain, type Market, venueCurrency } from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import * as Valuation from '../values/Valuation.js';
import type { Payment } from '../venue/createVenue.js';
import type { Instance } from './instance.js';
import { venueDescription } from './readVenue.js';
import { waitFor } from './settled.js';

/** The transaction sent and the base units that it pays, or the documented failure reason. */
export type Payout = { hash: string; amount: bigint } | { failReason: string };

/** `onSent` is called before broadcasting. */
export type Hooks = { onSent: (sent: { hash: string; amount: bigint }) => void; signal: AbortSignal };

/**
 * Prices the order again and credits the recipient. Payments to one account are serialized, so that only one of them is
 * charged for its first credit.
 */
export async function fill(instance: Instance, entry: Entry, hooks: Hooks): Promise<Payout> {
  const { order } = entry;
  const { venue } = instance;
  const to = PartyAccount.index(order.recipient);
  return await instance.runExclusive(order.recipient, async () => {
    const credit = await creditNow(instance, entry, () => venue.activationFee(to));
    if ('failReason' in credit) return credit;
    const { amount } = credit;
    if (amount + venue.activationFee(to) > (venue.account(venue.relayerIndex)?.usdc ?? 0n))
      return { failReason: 'SOLVER_BALANCE_TOO_LOW' };
    const hash = await pay(instance, { to, amount, memo: memoOf(order) }, hooks);
    if (hash === undefined) return { failReason: 'TRANSACTION_SUBMISSION_FAILED' };
    await waitFor(instance, { chainId: venueDescription.id, hash }, hooks.signal);
    return { hash, amount };
  });
}

/** Prices the order again and pays the recipient tokens on the chain of Solana's kind, naming the order. */
export async function fillTokens(instance: Instance, entry: Entry, { onSent }: Hooks): Promise<Payout> {
  const { order } = entry;
  if (!instance.svm) return { failReason: 'TRANSACTION_SUBMISSION_FAILED' };
  const credit = await creditNow(instance, entry, () => 0n);
  if ('failReason' in credit) return credit;
  const { amount } = credit;
  const payment = { to: PartyAccount.key(order.recipient), amount, memo: memoOf(order) };
  const { signature } = await instance.svm.pay(payment, (hash) => onSent({ hash, amount }));
  return { hash: signature, amount };
}

/** Sends a transfer in place of the fill that is taken in, and fails. Resolves to its hash. */
export async function sendFailing(instance: Instance, { order }: Entry, { onSent, signal }: Hooks): Promise<string> {
  const { recipient, destination } = order;
  const hooks: Hooks = { onSent: ({ hash }) => onSent({ hash, amount: 0n }), signal };
  const payment = { amount: destination.minimumAmount, memo: memoOf(order), shouldFail: true };
  if (destination.chainId === venueDescription.id) {
    const hash = await pay(instance, { ...payment, to: PartyAccount.index(recipient) }, hooks);
    if (hash === undefined) throw new Error('The venue did not take the transfer in.');
    return hash;
  }
  if (!instance.svm) throw new Error('The chain is not there.');
  const onSigned = (hash: string): void => onSent({ hash, amount: 0n });
  return (await instance.svm.pay({ ...payment, to: PartyAccount.key(recipient) }, onSigned)).signature;
}

/**
 * Refunds a withdrawal in full, as the relayer pays no transfer fee, less the venue's activation fee if the account was
 * never credited.
 */
export async function refund(
  instance: Instance,
  deposit: Deposit.OnVenue,
  refundTo: PartyAccount.Account,
  hooks: Hooks,
): Promise<Payout> {
  // An order from a chain has an address as its refund account, and only USDC can be paid out.
  const index = PartyAccount.toIndex(refundTo);
  if (index === undefined || deposit.currency !== venueCurrency) return { failReason: 'MANUAL_REFUND_REQUIRED' };
  const to = PartyAccount.index(index);
  return await instance.runExclusive(index, async () => {
    const amount = deposit.amount - instance.venue.activationFee(to);
    if (amount < venueDescription.minTransfer) return { failReason: 'AMOUNT_TOO_LOW_TO_REFUND' };
    const hash = await pay(instance, { to, amount, memo: deposit.orderId }, hooks);
    return hash === undefined ? { failReason: 'MANUAL_REFUND_REQUIRED' } : { hash, amount };
  });
}

/** The base units that were deposited for the order. */
export function depositedFor({ deposits, order }: Entry): bigint {
  return deposits[0]?.amount ?? order.payment.amount;
}

function memoOf({ protocol }: Entry['order']): `0x${string}` {
  if (!protocol) throw new Error('Nothing is paid on the venue without an order.');
  return protocol.orderId;
}

/** Hash of the payment; undefined if the sequencer rejected it, so that it was never submitted. */
async function pay({ venue }: Instance, payment: Payment, { onSent, signal }: Hooks): Promise<string | undefined> {
  let signed: string | undefined;
  try {
    return await venue.pay(payment, (hash) => {
      signed = hash;
      onSent({ hash, amount: payment.amount });
    });
  } catch {
    // Whatever failed, the venue's record decides: the payment must not be made twice.
    if (signed !== undefined && venue.transfer(signed)) return signed;
    signal.throwIfAborted();
    return undefined;
  }
}

/** The credit for an order at the current state of the chains. */
async function creditNow(instance: Instance, entry: Entry, activationFee: () => bigint) {
  const market = await readMarket(instance.nodes, instance.clock());
  return creditOf(entry.order, depositedFor(entry), { market, activationFee: activationFee() });
}

/**
 * The credit for an order whose deposit has arrived. The solver keeps the input, values it at the price of the origin
 * chain's pools, and pays from its own account on the venue. The activation fee is the current one: if the account was
 * activated since the quote, the recipient gets the difference.
 *
 * @param deposited base units of the payment
 * @returns base units of what is paid, or the documented failure reason
 */
export function creditOf(
  order: Order.Order,
  deposited: bigint,
  { market, activationFee }: { market: Market<EvmChain>; activationFee: bigint },
): { amount: bigint } | { failReason: string } {
  const { origin, destination, payment } = order;
  const chain = market.chains.find(({ id }) => id === origin.chainId);
  const path = chain && PoolRoute.pathThrough(chain, payment.token, destination.token);
  if (!path) return { failReason: 'INSUFFICIENT_POOL_LIQUIDITY' };
  const reached = PoolRoute.outputOf(path.route, Order.solverAmount(order, deposited, path.from));
  const now = Valuation.rescale(reached, path.to.decimals, destination.token.decimals) - activationFee;
  if (now < destination.minimumAmount) return { failReason: 'TOO_LITTLE_RECEIVED' };
  if (!Order.isExact(order)) return { amount: now };
  return { amount: destination.amount + order.activationFee - activationFee };
}
