/** Admission checks for transfers: everything the venue can verify before execution. */
import { type Hex, recoverMessageAddress } from 'viem';
import * as FlatJson from '../../venue/FlatJson.js';
import * as Schnorr from '../../venue/Schnorr.js';
import * as Transfer from '../../venue/Transfer.js';
import type { Books, Entry } from './books.js';
import { type Code, VenueRefusalError } from './VenueRefusal.js';
import type { Account } from './venueAccounts.js';
import * as venueAccounts from './venueAccounts.js';
import { relayerIndex, signingChainId } from './venueAccounts.js';

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
  if (!venueAccounts.isSameOwner(from, to)) {
    if (transfer.amount < venueAccounts.minAmount) throw new VenueRefusalError(21118);
    if (owner?.toLowerCase() !== from.l1Address.toLowerCase()) throw new VenueRefusalError(21504);
  }
  const usdcFee = venueAccounts.transferFee(from, to);
  const activationFee = venueAccounts.activationFee(to);
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

/** Limits of each integer, and the error codes below and above them. */
export const limits = {
  FromAccountIndex: [-1n, 2n ** 48n - 2n, 21102, 21102],
  ApiKeyIndex: [0n, 254n, 21110, 21110],
  ToAccountIndex: [-1n, 2n ** 48n - 2n, 21106, 21106],
  AssetIndex: [1n, 62n, 21801, 21801],
  FromRouteType: [0n, 1n, 21124, 21124],
  ToRouteType: [0n, 1n, 21124, 21124],
  Amount: [1n, 2n ** 60n - 1n, 21118, 21119],
  USDCFee: [0n, 2n ** 60n - 1n, 21134, 21134],
  ExpiredAt: [0n, 2n ** 48n - 1n, 21501, 21501],
  Nonce: [0n, 2n ** 63n - 1n, 21104, 21104],
} as const satisfies Record<string, readonly [least: bigint, greatest: bigint, below: Code, above: Code]>;

const known: readonly string[] = [...Object.keys(limits), 'Memo', 'Sig', 'L1Sig', 'L2TxAttributes'];

/**
 * Parses a transfer as the venue receives it: integers without loss of precision, each within its limits.
 *
 * @throws VenueRefusalError: 21501 if the text is not a transfer, otherwise the code of the invalid field
 */
export function readTransfer(text: string): Transfer.Signed {
  const members = parse(text);
  // Attributes would change what is signed; the sandbox supports none.
  if ([...members.keys()].some((name) => !known.includes(name)) || (members.get('L2TxAttributes') ?? null) !== null)
    throw new VenueRefusalError(21501);
  const integer = (name: keyof typeof limits): bigint => within(name, members.get(name));
  const transfer = {
    fromAccountIndex: integer('FromAccountIndex'),
    apiKeyIndex: Number(integer('ApiKeyIndex')),
    toAccountIndex: integer('ToAccountIndex'),
    assetIndex: Number(integer('AssetIndex')),
    fromRouteType: Number(integer('FromRouteType')),
    toRouteType: Number(integer('ToRouteType')),
    amount: integer('Amount'),
    usdcFee: integer('USDCFee'),
    expiredAtMs: Number(integer('ExpiredAt')),
    nonce: integer('Nonce'),
    memo: memoOf(members.get('Memo')),
  };
  return {
    transfer,
    signature: signatureOf(members.get('Sig')),
    l1Signature: l1SignatureOf(members.get('L1Sig')),
  };
}

function parse(text: string): ReadonlyMap<string, FlatJson.Value> {
  try {
    return FlatJson.from(text);
  } catch {
    throw new VenueRefusalError(21501);
  }
}

function within(name: keyof typeof limits, value: FlatJson.Value | undefined): bigint {
  if (typeof value !== 'bigint') throw new VenueRefusalError(21501);
  const [least, greatest, below, above] = limits[name];
  if (value < least) throw new VenueRefusalError(below);
  if (value > greatest) throw new VenueRefusalError(above);
  return value;
}

function memoOf(value: FlatJson.Value | undefined): Transfer.Transfer['memo'] {
  if (!Array.isArray(value) || value.length !== 32 || value.some((byte) => byte < 0n || byte > 255n))
    throw new VenueRefusalError(21501);
  return `0x${Buffer.from(value.map(Number)).toString('hex')}`;
}

function signatureOf(value: FlatJson.Value | undefined): Uint8Array {
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64');
  if (bytes.length !== 80 || bytes.toString('base64') !== value) throw new VenueRefusalError(21120);
  return Uint8Array.from(bytes);
}

function l1SignatureOf(value: FlatJson.Value | undefined): Transfer.Signed['l1Signature'] {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{130}$/.test(value)) throw new VenueRefusalError(21504);
  return value as `0x${string}`;
}
