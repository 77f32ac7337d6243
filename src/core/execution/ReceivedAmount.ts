/** The amount that arrived, read from the chain or venue, not from the service. */

import * as VenueAccount from '../accounts/VenueAccount.js';
import * as VenueTransaction from '../accounts/VenueTransaction.js';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Chain, Clock, Receipt, Venue } from '../ports/Ports.js';
import * as Currency from '../quote/Currency.js';
import * as StatusPolling from '../tracking/StatusPolling.js';
import type * as TransferStatus from '../tracking/TransferStatus.js';
import { pollDelayMs } from '../tracking/TransferStatus.js';
import type { Restored } from './Plan.js';

/**
 * The amount of `amountOf`. On the venue, waits until a delivery that the service reports is visible there.
 *
 * @throws track.unfinished if it is not visible in time
 */
export async function awaited(
  plan: Restored,
  progress: TransferStatus.Progress,
  world: Parameters<typeof amountOf>[2] & { clock: Clock; signal: AbortSignal },
  { gasCost, timeoutMs }: { gasCost: bigint; timeoutMs: number },
): Promise<bigint | undefined> {
  const { clock, signal } = world;
  const deadline = clock.now() + timeoutMs;
  const isAwaited = plan.intent.destination.chain.vm === 'lvm' && progress.status === 'success' && world.venue;
  for (let attempt = 0; ; attempt++) {
    const amount = await amountOf(plan, progress, world, gasCost);
    if (amount !== undefined || !isAwaited) return amount;
    const notShown = (): BaseError => new NotShownError(plan, progress);
    if (clock.now() >= deadline) throw notShown();
    await StatusPolling.interruptible(clock.sleep(pollDelayMs(attempt), signal), notShown);
  }
}

/** keccak256('Transfer(address,address,uint256)') */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/**
 * Base units that reached the recipient, or the refund address after a refund. Tokens are summed from the transfer
 * events of the fill's receipts; for a native asset, it is the change of the balance over the fill's block.
 *
 * @param gasCost wei that the sender paid for gas, added back if the fill is the sender's own transaction
 * @returns undefined if there is no node or it has no receipt
 */
export async function amountOf(
  plan: Restored,
  progress: TransferStatus.Progress,
  world: { origin: Chain | undefined; destination: Chain | undefined; venue?: Venue | undefined },
  gasCost: bigint,
): Promise<bigint | undefined> {
  const refunded = progress.status === 'refund' || progress.status === 'refunded';
  const node = refunded ? world.origin : world.destination;
  if (progress.outTxHashes.length === 0) return undefined;
  const currency = refunded ? plan.intent.origin : plan.intent.destination;
  if (currency.chain.vm === 'lvm')
    return creditedOnVenue(
      progress.outTxHashes,
      Number(refunded ? plan.intent.refundTo : plan.intent.recipient),
      world.venue,
    );
  if (!node) return undefined;
  const to = (refunded ? plan.intent.refundTo : plan.intent.recipient) as Address.Address;
  try {
    const receipts = await Promise.all(progress.outTxHashes.map((hash) => node.receipt(hash as Hex)));
    const found = receipts.filter((receipt): receipt is Receipt => receipt?.status === 'success');
    if (found.length === 0) return undefined;
    if (!Currency.isNative(currency)) return received(found, currency.token.address, to);
    const isOwnFill = progress.inTxHashes.some((hash) => progress.outTxHashes.includes(hash));
    const change = await nativeChange(node, found, to);
    if (change === undefined) return undefined;
    return change + (isOwnFill && Address.isEqual(to, plan.intent.user) ? gasCost : 0n);
  } catch {
    return undefined;
  }
}

/** Millionths of USDC that executed transfers credited to an account; undefined if the venue shows none. */
async function creditedOnVenue(
  hashes: readonly string[],
  accountIndex: number,
  venue: Venue | undefined,
): Promise<bigint | undefined> {
  if (!venue) return undefined;
  // The hashes come from the service: a repeated one counts once.
  const distinct = [...new Set(hashes.map((hash) => hash.toLowerCase()))];
  const transactions = await Promise.all(distinct.map((hash) => venue.transaction(hash).catch(() => undefined)));
  const credits = transactions.flatMap((transaction) => {
    const transfer =
      transaction && VenueTransaction.isExecuted(transaction) && VenueTransaction.transferOf(transaction);
    const isCredit =
      transfer && transfer.toAccountIndex === accountIndex && transfer.assetIndex === VenueAccount.usdcAssetIndex;
    return isCredit ? [transfer.amount] : [];
  });
  return credits.length === 0 ? undefined : credits.reduce((sum, amount) => sum + amount, 0n);
}

/**
 * keccak256('Deposit(address,uint256)'), which a wrapped native token emits instead of a transfer when it is minted.
 */
export const wrapTopic = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';

/** Sums a token's ERC-20 transfers and wrapping deposits to an address, in base units. */
export function received(receipts: readonly Receipt[], token: string, to: string): bigint {
  return receipts
    .flatMap((receipt) => receipt.logs)
    .filter(({ address, topics }) => {
      const recipient = topics[0] === transferTopic ? topics[2] : topics[0] === wrapTopic ? topics[1] : undefined;
      if (recipient === undefined || !Address.isEqual(address, token)) return false;
      return Address.isEqual(`0x${recipient.slice(26)}`, to);
    })
    .reduce((sum, { data }) => sum + BigInt(data), 0n);
}

async function nativeChange(
  node: Chain,
  receipts: readonly Receipt[],
  to: Address.Address,
): Promise<bigint | undefined> {
  const blocks = [...new Set(receipts.map(({ blockNumber }) => blockNumber))];
  const changes = await Promise.all(
    blocks.map(async (block) => {
      const [before, after] = await Promise.all([
        node.balance(to, Address.native, block - 1n),
        node.balance(to, Address.native, block),
      ]);
      return after - before;
    }),
  );
  return changes.reduce((sum, change) => sum + change, 0n);
}

export class NotShownError extends BaseError {
  override name = 'NotShownError';
  constructor({ requestId, intent }: Restored, { outTxHashes }: TransferStatus.Progress) {
    super('track.unfinished', 'The service reports the delivery, but the venue does not show it yet.', {
      facts: [['account', intent.recipient], ...outTxHashes.slice(0, 1).map((hash) => ['fill', hash] as const)],
      hint: 'Do not send it again. Check the account later; if nothing arrives, contact the service with the request id.',
      next: `ferry venue account ${intent.recipient}`,
      requestId,
    });
  }
}
