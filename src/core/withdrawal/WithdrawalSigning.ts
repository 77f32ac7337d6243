/**
 * Signs the transfer of a proved withdrawal: with the account's API key, whose signature covers everything but the
 * memo, and with the wallet that owns the account, whose signature covers the memo. Each signature is checked before
 * anything is sent: that of an API key by the signer that makes it, those of a signing command and the wallet here.
 *
 * The specification says nothing of the expiry. The venue's limit is taken to be ten minutes: `--valid-for` takes no
 * more, and the sandbox's venue refuses it.
 */

import { bytesToHex, hexToBytes } from 'viem/utils';
import * as AuthToken from '../../venue/AuthToken.js';
import * as Schnorr from '../../venue/Schnorr.js';
import * as Transfer from '../../venue/Transfer.js';
import type { VenueSigner } from '../accounts/KeyStores.js';
import type { ApiKey, VenueAccount } from '../accounts/VenueAccount.js';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import * as Secp256k1 from '../base/Secp256k1.js';
import type * as Plan from '../execution/Plan.js';
import type { Account } from '../ports/Ports.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as SignerAnswer from './SignerAnswer.js';

/** A transfer with both signatures, in the venue's format. */
export type Signed = {
  transfer: Transfer.Transfer;
  txInfo: string;
  /** The venue's hash of the transfer: 80 hexadecimal digits. */
  txHash: string;
  publicKey: string;
  signingChainId: number;
};

declare const unsigned: unique symbol;

/** The unsigned transfer of a plan. Only `transferOf` makes one. */
export type Unsigned = Transfer.Transfer & { readonly [unsigned]: true };

/** The parameters of a transfer besides those of the plan. */
export type Numbers = {
  apiKeyIndex: number;
  nonce: bigint;
  /** Unix time in milliseconds. */
  expiredAtMs: number;
  signingChainId: number;
};

/**
 * How long a signed transfer can be submitted by default. The venue's official signers take ten minutes less a second;
 * the margin is for a clock that is ahead of the venue's.
 */
export const defaultValidForMs = 9 * 60_000;

/**
 * How much later than asked a transfer may expire if a signing command sets the expiry itself: the official signers
 * count ten minutes from when they sign, which may be two minutes after they were asked.
 */
const maxLaterMs = 3 * 60_000;

/** The transfer of a plan. @throws usage.invalid for a field that the venue does not accept */
export function transferOf({ transfer }: Plan.VenuePlan, { apiKeyIndex, nonce, expiredAtMs }: Numbers): Unsigned {
  return Transfer.from({
    fromAccountIndex: BigInt(transfer.fromAccountIndex),
    apiKeyIndex,
    toAccountIndex: BigInt(transfer.toAccountIndex),
    assetIndex: transfer.assetIndex,
    fromRouteType: transfer.fromRouteType,
    toRouteType: transfer.toRouteType,
    amount: transfer.amount,
    usdcFee: transfer.usdcFee,
    memo: transfer.memo,
    expiredAtMs,
    nonce,
  }) as Unsigned;
}

/**
 * The slot in which a key is registered.
 *
 * @throws auth.venue-key if the key is not registered, or the requested slot has a different key
 */
export function slotOf(
  account: VenueAccount,
  registered: readonly ApiKey[],
  { name, publicKey }: VenueSigner,
  wanted: number | undefined,
): ApiKey {
  const found = registered.find((key) => key.publicKey === publicKey && (wanted === undefined || key.index === wanted));
  if (!found) throw otherKey(account, registered, { name, publicKey, wanted });
  return found;
}

/**
 * The slot that a signing command signs for: the requested one, else the only one with a key.
 *
 * @throws auth.venue-key
 */
export function soleSlot(account: VenueAccount, registered: readonly ApiKey[], wanted: number | undefined): ApiKey {
  const [found, ...more] = registered.filter(({ index }) => wanted === undefined || index === wanted);
  if (!found || more.length > 0)
    throw new BaseError(
      'auth.venue-key',
      wanted === undefined
        ? `It is not clear which API key of venue account ${account.index} the command signs with.`
        : `Venue account ${account.index} has no API key in slot ${wanted}.`,
      {
        facts: [['registered', registered.map((key) => `slot ${key.index}`).join(', ') || 'no keys']],
        hint: 'Select a slot with --api-key-index.',
        next: ShellCommand.line`ferry venue account ${account.index}`,
      },
    );
  return found;
}

/** An auth token for the venue's private endpoints, valid for ten minutes. */
export function tokenOf(
  { accountIndex, apiKeyIndex, nowMs }: { accountIndex: number; apiKeyIndex: number; nowMs: number },
  apiKey: VenueSigner,
): string {
  return AuthToken.sign({ deadline: Math.floor(nowMs / 1000) + 600, accountIndex, apiKeyIndex }, apiKey.sign);
}

/**
 * Signs with the API key and the wallet.
 *
 * @throws sign.failed
 */
export async function sign(
  transfer: Unsigned,
  { signingChainId }: Pick<Numbers, 'signingChainId'>,
  { apiKey, wallet }: { apiKey: VenueSigner; wallet: Account },
): Promise<Signed> {
  const signature = apiKey.sign(Transfer.hash(transfer, signingChainId));
  const l1Signature = await wallet.signMessage(Transfer.l1Message(transfer, signingChainId), signingChainId);
  // The signer has verified the API key's signature.
  return checked(Transfer.toTxInfo({ transfer, signature, l1Signature }), transfer, {
    signingChainId,
    publicKey: apiKey.publicKey,
    owner: wallet.address,
  });
}

/**
 * The input of a signing command: the action, and everything that a signature covers. `strings` has the 64-bit integers
 * once more as decimal strings, for languages whose numbers have 53 bits.
 */
export function toAction(transfer: Transfer.Transfer, { signingChainId }: Pick<Numbers, 'signingChainId'>): string {
  const { toAccountIndex, assetIndex, fromRouteType, toRouteType, amount, usdcFee, memo } = transfer;
  return `${JSON.stringify({
    action: {
      type: 'transfer',
      parameters: {
        toAccountIndex: Number(toAccountIndex),
        assetIndex,
        fromRouteType,
        toRouteType,
        amount: Number(amount),
        usdcFee: Number(usdcFee),
        memo,
      },
    },
    accountIndex: Number(transfer.fromAccountIndex),
    apiKeyIndex: transfer.apiKeyIndex,
    nonce: Number(transfer.nonce),
    expiredAt: transfer.expiredAtMs,
    strings: {
      toAccountIndex: String(toAccountIndex),
      amount: String(amount),
      usdcFee: String(usdcFee),
      accountIndex: String(transfer.fromAccountIndex),
      nonce: String(transfer.nonce),
      expiredAt: String(transfer.expiredAtMs),
    },
    signingChainId,
    l1Message: Transfer.l1Message(transfer, signingChainId),
    txHash: Transfer.txHash(transfer, signingChainId),
  })}\n`;
}

/** What the output of a signing command is held against. */
export type RequestedTransfer = {
  transfer: Unsigned;
  signingChainId: number;
  /** The registered API key that has to sign. */
  publicKey: string;
  /** The wallet that owns the account. */
  owner: Address.Address;
  nowMs: number;
};

/**
 * Reads the output of a signing command, adds the wallet's signature if it is missing, and checks it all. Everything is
 * as asked but the expiry, which is later than now and at most three minutes later than asked. The wallet is opened only
 * if its signature is missing, and signs only after the API key's signature has been verified.
 *
 * @throws auth.signer if it signed a different transfer, with a different key, or not at all; what `openWallet` throws
 */
export async function fromSigner(
  answer: string,
  { transfer: wanted, signingChainId, publicKey, owner, nowMs }: RequestedTransfer,
  openWallet: () => Promise<Account>,
): Promise<Signed> {
  const { transfer: found, signature, l1Signature: supplied } = SignerAnswer.from(answer);
  const transfer = { ...wanted, expiredAtMs: found.expiredAtMs };
  const differing = differences(found, transfer);
  if (differing.length > 0) throw signedElse(differing);
  const [foundMs, latestMs] = [found.expiredAtMs, wanted.expiredAtMs + maxLaterMs];
  if (foundMs <= nowMs || foundMs > latestMs) throw signerExpiry({ foundMs, latestMs, nowMs });
  const hash = Transfer.hash(transfer, signingChainId);
  if (!Schnorr.verify({ publicKey: hexToBytes(`0x${publicKey}`), message: hash, signature }))
    throw signedElse([['signature', `not by the key ${publicKey}`]]);
  const message = Transfer.l1Message(transfer, signingChainId);
  const l1Signature = supplied ?? (await (await openWallet()).signMessage(message, signingChainId));
  const txInfo = Transfer.toTxInfo({ transfer, signature, l1Signature });
  return checked(txInfo, transfer, { signingChainId, publicKey, owner });
}

function differences(found: Transfer.Transfer, wanted: Transfer.Transfer): [string, string][] {
  return (Object.keys(wanted) as (string & keyof Transfer.Transfer)[])
    .filter((field) => found[field] !== wanted[field])
    .map((field): [string, string] => [field, `${found[field]} instead of ${wanted[field]}`]);
}

/** Reads the bytes back, and checks that they are the transfer and that its owner signed it. */
async function checked(
  txInfo: string,
  wanted: Transfer.Transfer,
  { signingChainId, publicKey, owner }: { signingChainId: number; publicKey: string; owner: Address.Address },
): Promise<Signed> {
  const { transfer, l1Signature } = Transfer.fromTxInfo(txInfo);
  const message = Transfer.hash(wanted, signingChainId);
  const differing = differences(transfer, wanted);
  if (differing.length > 0) throw signedElse(differing);
  const signer = await Secp256k1.recoverMessage({
    message: Transfer.l1Message(wanted, signingChainId),
    signature: l1Signature ?? '0x',
  }).catch(() => undefined);
  if (!signer || !Address.isEqual(signer, owner))
    throw signedElse([['wallet', signer ? `signed by ${signer} instead of ${owner}` : `not signed by ${owner}`]]);
  const txHash = bytesToHex(message).slice(2);
  return { transfer, txInfo, txHash, publicKey, signingChainId };
}

/** The venue does not have the key registered for the account. */
function otherKey(
  account: VenueAccount,
  registered: readonly ApiKey[],
  { name, publicKey, wanted }: { name: string; publicKey: string; wanted: number | undefined },
): BaseError {
  const inSlot = registered.find(({ index }) => index === wanted);
  return new BaseError('auth.venue-key', `The API key ${name} is not registered for venue account ${account.index}.`, {
    facts: [
      ['public key', publicKey],
      ...(wanted === undefined ? [] : ([[`slot ${wanted}`, inSlot?.publicKey ?? 'empty']] as const)),
      ['registered', registered.map(({ index }) => `slot ${index}`).join(', ') || 'no keys'],
    ],
    hint: 'Another program may have replaced it. Nothing was signed, and ferry never registers a key.',
    next: ShellCommand.line`ferry venue account ${account.index}`,
  });
}

/** The signer signed a different transfer. */
export function signedElse(facts: readonly (readonly [string, string])[]): BaseError {
  return new BaseError('auth.signer', 'The signer signed a different transfer. It is not sent.', { facts });
}

/** The signer let the transfer expire before now, or too late. */
function signerExpiry({ foundMs, latestMs, nowMs }: { foundMs: number; latestMs: number; nowMs: number }): BaseError {
  const isLate = foundMs > latestMs;
  const shown = (ms: number): string => new Date(ms).toISOString();
  return new BaseError(
    'auth.signer',
    `The signer’s transfer ${isLate ? 'expires too late' : 'has expired'}. It is not sent.`,
    {
      facts: [
        ['expires', shown(foundMs)],
        ['accepted', `later than ${shown(nowMs)}, at the latest ${shown(latestMs)}`],
      ],
      hint: isLate
        ? 'Ask for a longer validity with --valid-for, or have the signer take the expiry that it is given.'
        : 'Check the clock of the signer.',
    },
  );
}
