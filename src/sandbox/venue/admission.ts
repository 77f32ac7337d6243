/** Admission checks for transfers: everything the venue can verify before execution. */
import { type Hex, recoverMessageAddress } from 'viem';
import * as Schnorr from '../../venue/Schnorr.js';
import * as Transfer from '../../venue/Transfer.js';
import type { Books, Entry } from './books.js';
import * as Tariff from './Tariff.js';
import type { Account } from './Venue.js';
import { VenueRefusalError } from './VenueRefusal.js';
import { relayerIndex, signingChainId } from './venueAccounts.js';

/** Asset index of USDC. */
export const usdcIndex = 3;

/**
 * How far ahead a transfer may expire. The official signers' default is a second less, as a margin for differences of
 * milliseconds.
 */
export const longestValidityMs = 10 * 60_000;

/** Limit of pending transactions per account. The relayer is exempt, since it pays everyone. */
const maxPending = 16;

/** The wallet that signed the transfer's L1 message; undefined if none did. */
export async function recoverOwner({ transfer, l1Signature }: Transfer.Signed): Promise<Hex | undefined> {
  if (l1Signature === undefined) return undefined;
  try {
    const message = Transfer.l1Message(transfer, signingChainId);
    return await recoverMessageAddress({ message, signature: l1Signature });
  } catch {
    return undefined;
  }
}

/**
 * Validates a transfer and returns it in the form the books store. `owner` is the recovered signer of its L1 message.
 *
 * @throws VenueRefusalError, without side effects
 */
export function validate(
  { tx, text, owner }: { tx: Transfer.Signed; text: string; owner: Hex | undefined },
  books: Books,
  nowMs: number,
): Omit<Entry, 'sequence'> {
  const { transfer, signature } = tx;
  const from = books.account(Number(transfer.fromAccountIndex));
  if (!from) throw new VenueRefusalError(21100);
  const key = books.apiKey(from.index, transfer.apiKeyIndex);
  if (!key) throw new VenueRefusalError(21108);
  const message = Transfer.hash(transfer, signingChainId);
  if (!Schnorr.verify({ publicKey: Buffer.from(key.publicKey, 'hex'), message, signature }))
    throw new VenueRefusalError(21120);
  // A transaction that failed without consuming its nonce could be replayed, so its hash is rejected.
  const hash = Transfer.txHash(transfer, signingChainId);
  if (transfer.nonce !== BigInt(books.nextNonce(key)) || books.entry(hash)) throw new VenueRefusalError(21104);
  const validForMs = transfer.expiredAtMs - nowMs;
  if (validForMs <= 0 || validForMs > longestValidityMs) throw new VenueRefusalError(21501);
  const to = books.account(Number(transfer.toAccountIndex));
  if (!to || to.index === from.index) throw new VenueRefusalError(21106);
  assertCurrency(transfer);
  if (!Tariff.isSameOwner(from, to)) {
    if (transfer.amount < Tariff.minAmount) throw new VenueRefusalError(21118);
    if (owner?.toLowerCase() !== from.l1Address.toLowerCase()) throw new VenueRefusalError(21504);
  }
  const usdcFee = Tariff.transferFee(from, to);
  const activationFee = Tariff.activationFee(to);
  if (transfer.usdcFee !== usdcFee + activationFee) throw new VenueRefusalError(21134);
  assertBalance(from, transfer.amount, transfer.usdcFee);
  const waiting = books.pending().filter((entry) => entry.from === from.index);
  if (waiting.length >= maxPending && from.index !== relayerIndex) throw new VenueRefusalError(21506);
  return {
    hash,
    status: 'pending',
    failReason: undefined,
    from: from.index,
    to: to.index,
    assetIndex: transfer.assetIndex,
    fromRouteType: transfer.fromRouteType,
    toRouteType: transfer.toRouteType,
    amount: transfer.amount,
    usdcFee,
    activationFee,
    memo: transfer.memo,
    queuedAtMs: nowMs,
    executedAtMs: undefined,
    text,
    apiKeyIndex: key.apiKeyIndex,
    nonce: Number(transfer.nonce),
    expiredAtMs: transfer.expiredAtMs,
  };
}

/** The sandbox supports only USDC on the perps route. */
function assertCurrency({ assetIndex, fromRouteType, toRouteType }: Transfer.Transfer): void {
  if (assetIndex !== usdcIndex) throw new VenueRefusalError(fromRouteType === 0 ? 21805 : 21801);
  if (fromRouteType !== 0) throw new VenueRefusalError(21304);
  if (toRouteType !== 0) throw new VenueRefusalError(21124);
}

function assertBalance({ usdc }: Account, amount: bigint, fee: bigint): void {
  if (usdc < amount) throw new VenueRefusalError(21301);
  if (usdc < amount + fee) throw new VenueRefusalError(21305);
}
