/** What reached an address, read from a chain or the venue: single payments, so that none is counted twice. */

import * as VenueAccount from '../accounts/VenueAccount.js';
import * as VenueTransaction from '../accounts/VenueTransaction.js';
import * as Address from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import type { Chain, Receipt, SentTransaction, Venue } from '../ports/Ports.js';
import type { Frame } from '../trace/Frame.js';

/** A payment that reached an address. */
export type Payment = {
  /** Identifies it: equal ids are the same payment. */
  id: string;
  /** Identifies what else shows it, if that must be shared: the block whose change of balance it is part of. */
  within?: string | undefined;
  /** Whether it is all that the block shows, so that nothing else in it can be counted. */
  isWhole?: boolean | undefined;
  /** The ids of what the router has paid out of it by calls: no payments besides. */
  paidOut?: readonly string[] | undefined;
  amount: bigint;
};

/** keccak256('Transfer(address,address,uint256)') */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/**
 * keccak256('Deposit(address,uint256)'), which a wrapped native token emits instead of a transfer when it is minted.
 */
export const wrapTopic = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';

/** Sums a token's ERC-20 transfers and wrapping deposits to an address, in base units. */
export function received(receipts: readonly Receipt[], token: string, to: string): bigint {
  return receipts.flatMap((receipt) => inTokens(receipt, token, { to })).reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * A token's ERC-20 transfers and wrapping deposits to an address. What an address sends to itself does not reach it.
 *
 * @param notFrom somebody whose own transfers do not count either; if it is given, only what others have paid counts
 */
export function inTokens(
  { hash, logs }: Pick<Receipt, 'hash' | 'logs'>,
  token: string,
  { to, notFrom }: { to: string; notFrom?: string | undefined },
): Payment[] {
  return logs.flatMap(({ address, topics, data }, index) => {
    const isTransfer = topics[0] === transferTopic;
    // Only whoever wraps is credited, so that is no payment by anybody else.
    const isWrap = topics[0] === wrapTopic && notFrom === undefined;
    const recipient = isTransfer ? topics[2] : isWrap ? topics[1] : undefined;
    if (recipient === undefined || !Address.isEqual(address, token) || !Address.isEqual(addressIn(recipient), to))
      return [];
    // Whatever is not one word states no amount.
    if (!/^0x[0-9a-fA-F]{64}$/.test(data)) return [];
    const from = isTransfer && topics[1] !== undefined ? addressIn(topics[1]) : undefined;
    if (from !== undefined && [to, notFrom].some((each) => each !== undefined && Address.isEqual(from, each)))
      return [];
    return [{ id: `${hash.toLowerCase()}.${index}`, amount: BigInt(data) }];
  });
}

/** The address in a topic. */
export function addressIn(topic: string): string {
  return `0x${topic.slice(26)}`;
}

/**
 * What a transaction paid an address in the native asset, in wei: the value of a transaction to it, else what its trace
 * shows. A node that traces nothing has only the change of the balance over the whole block, which then is one payment.
 *
 * @param notFrom somebody who did not send the transaction, and whose calls in it do not count
 * @param asked the transaction, if the node was asked for it already
 */
export async function inNative(
  receipt: Receipt,
  { to, notFrom }: { to: Address.Address; notFrom?: string | undefined },
  node: Chain,
  asked: Promise<SentTransaction | undefined> = node.transaction(receipt.hash),
): Promise<Payment[]> {
  const id = `${receipt.hash.toLowerCase()}.native`;
  const within = `${receipt.blockNumber}.${to.toLowerCase()}.native`;
  const sent = await asked;
  if (sent?.to !== undefined && Address.isEqual(sent.to, to) && !Address.isEqual(receipt.from, to))
    return [{ id, within, amount: sent.value }];
  const frames = await node.trace(receipt.hash).catch(() => undefined);
  if (frames) {
    const amount = netOf(frames, to, notFrom);
    return amount > 0n ? [{ id, within, amount }] : [];
  }
  const [before, after] = await Promise.all([
    node.balance(to, Address.native, receipt.blockNumber - 1n),
    node.balance(to, Address.native, receipt.blockNumber),
  ]);
  const amount = after - before + (Address.isEqual(receipt.from, to) ? receipt.fee : 0n);
  return amount > 0n ? [{ id, within, isWhole: true, amount }] : [];
}

/** Wei that the calls of a transaction moved to an address, less what they moved from it. */
function netOf(frames: readonly Frame[], to: Address.Address, notFrom: string | undefined): bigint {
  let failedAt = Number.POSITIVE_INFINITY;
  let net = 0n;
  for (const { depth, type, from, to: target, value, error } of frames) {
    // What a failed call has done, and the calls below it, did not happen.
    if (depth <= failedAt) failedAt = error === undefined ? Number.POSITIVE_INFINITY : depth;
    if (depth >= failedAt || value === undefined || ['DELEGATECALL', 'STATICCALL', 'CALLCODE'].includes(type)) continue;
    const isOther = from === undefined || notFrom === undefined || !Address.isEqual(from, notFrom);
    if (target !== undefined && Address.isEqual(target, to) && isOther) net += BigInt(value);
    if (from !== undefined && Address.isEqual(from, to)) net -= BigInt(value);
  }
  return net;
}

/** What executed transfers of USDC credited to an account at the venue, in millionths. @throws venue.* */
export async function onVenue(hashes: readonly string[], accountIndex: number, venue: Venue): Promise<Payment[]> {
  const transactions = await Promise.all(hashes.map((hash) => venue.transaction(hash)));
  return transactions.flatMap((transaction, index) => {
    const transfer =
      transaction && VenueTransaction.isExecuted(transaction) && VenueTransaction.transferOf(transaction);
    const isCredit =
      transfer &&
      transfer.toAccountIndex === accountIndex &&
      transfer.fromAccountIndex !== accountIndex &&
      transfer.assetIndex === VenueAccount.usdcAssetIndex;
    return isCredit ? [{ id: `${hashes[index]}.venue`, amount: transfer.amount }] : [];
  });
}

/** The hashes that have the form of one, each once: they come from the service. Case matters where the form has capitals. */
export function distinct(hashes: readonly string[], form: RegExp): Hex[] {
  const all = hashes.map((hash) => (form.test(hash) ? hash : hash.toLowerCase())).filter((hash) => form.test(hash));
  return [...new Set(all)].slice(0, mostHashes) as Hex[];
}

/** A fill is one or two transactions. More than this is not looked up. */
const mostHashes = 8;
