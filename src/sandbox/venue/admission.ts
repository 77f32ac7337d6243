/** Admission checks for transfers: everything the venue can verify before execution. */
import { type Hex, recoverMessageAddress } from 'viem';
import type { Books, Entry } from './books.js';
import * as Schnorr from './crypto/Schnorr.js';
import * as TxInfo from './crypto/TxInfo.js';
import { VenueRefusalError } from './crypto/VenueRefusal.js';
import * as Tariff from './Tariff.js';
import type { Account } from './Venue.js';
import { relayerIndex } from './venueAccounts.js';

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
export async function recoverOwner(tx: TxInfo.TxInfo): Promise<Hex | undefined> {
  if (tx.L1Sig === '') return undefined;
  try {
    return await recoverMessageAddress({ message: TxInfo.l1Message(tx, tx.Memo), signature: tx.L1Sig });
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
  { tx, text, owner }: { tx: TxInfo.TxInfo; text: string; owner: Hex | undefined },
  books: Books,
  nowMs: number,
): Omit<Entry, 'sequence'> {
  const from = books.account(Number(tx.FromAccountIndex));
  if (!from) throw new VenueRefusalError(21100);
  const key = books.apiKey(from.index, Number(tx.ApiKeyIndex));
  if (!key) throw new VenueRefusalError(21108);
  if (!Schnorr.isSignedBy(Buffer.from(key.publicKey, 'hex'), TxInfo.hash(tx), tx.Sig))
    throw new VenueRefusalError(21120);
  // A transaction that failed without consuming its nonce could be replayed, so its hash is rejected.
  const hash = TxInfo.formatHash(tx);
  if (tx.Nonce !== BigInt(books.nextNonce(key)) || books.entry(hash)) throw new VenueRefusalError(21104);
  const validForMs = tx.ExpiredAt - BigInt(nowMs);
  if (validForMs <= 0n || validForMs > BigInt(longestValidityMs)) throw new VenueRefusalError(21501);
  const to = books.account(Number(tx.ToAccountIndex));
  if (!to || to.index === from.index) throw new VenueRefusalError(21106);
  assertCurrency(tx);
  if (!Tariff.isSameOwner(from, to)) {
    if (tx.Amount < Tariff.minAmount) throw new VenueRefusalError(21118);
    if (owner?.toLowerCase() !== from.l1Address.toLowerCase()) throw new VenueRefusalError(21504);
  }
  const usdcFee = Tariff.transferFee(from, to);
  const activationFee = Tariff.activationFee(to);
  if (tx.USDCFee !== usdcFee + activationFee) throw new VenueRefusalError(21134);
  assertBalance(from, tx.Amount, tx.USDCFee);
  const waiting = books.pending().filter((entry) => entry.from === from.index);
  if (waiting.length >= maxPending && from.index !== relayerIndex) throw new VenueRefusalError(21506);
  return {
    hash,
    status: 'pending',
    failReason: undefined,
    from: from.index,
    to: to.index,
    assetIndex: Number(tx.AssetIndex),
    fromRouteType: Number(tx.FromRouteType),
    toRouteType: Number(tx.ToRouteType),
    amount: tx.Amount,
    usdcFee,
    activationFee,
    memo: `0x${Buffer.from(tx.Memo).toString('hex')}`,
    queuedAtMs: nowMs,
    executedAtMs: undefined,
    text,
    apiKeyIndex: key.apiKeyIndex,
    nonce: Number(tx.Nonce),
    expiredAtMs: Number(tx.ExpiredAt),
  };
}

/** The sandbox supports only USDC on the perps route. */
function assertCurrency({ AssetIndex, FromRouteType, ToRouteType }: TxInfo.TxInfo): void {
  if (AssetIndex !== BigInt(usdcIndex)) throw new VenueRefusalError(FromRouteType === 0n ? 21805 : 21801);
  if (FromRouteType !== 0n) throw new VenueRefusalError(21304);
  if (ToRouteType !== 0n) throw new VenueRefusalError(21124);
}

function assertBalance({ usdc }: Account, amount: bigint, fee: bigint): void {
  if (usdc < amount) throw new VenueRefusalError(21301);
  if (usdc < amount + fee) throw new VenueRefusalError(21305);
}
