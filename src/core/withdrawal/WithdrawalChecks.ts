/** What must hold of a withdrawal from the venue before it is signed, and what a person is told of its fee. */

import { usdcDecimals, type VenueAccount } from '../accounts/VenueAccount.js';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type * as Plan from '../execution/Plan.js';
import type * as VenueBalanceDocument from './VenueBalanceDocument.js';
import type * as WithdrawalSigning from './WithdrawalSigning.js';

/** From that part of the amount on, the fee is worth a warning: a twentieth. */
const largeFrom = 20n;

/** @throws quote.unsupported-step for a quote that asks for anything else */
export function planOf(plan: Plan.Plan): Plan.VenuePlan {
  if (!plan.transfer) throw new NoTransferError();
  return { ...plan, transfer: plan.transfer };
}

/** @throws auth.venue-owner */
export function assertOwner({ index, wallet: owner }: VenueAccount, wallet: Address.Address): void {
  if (!Address.isEqual(owner, wallet)) throw new OtherOwnerError(index, owner, wallet);
}

/** Whether the venue's fee is large against the amount. */
export function isFeeLarge({ usdcFee, amount }: Plan.VenueTransfer): boolean {
  return usdcFee * largeFrom > amount;
}

/** `The venue takes 3 USDC on top, 3% of the amount.` */
export function feeInWords({ usdcFee, amount }: Plan.VenueTransfer): string {
  const part = amount === 0n ? '' : `, ${Amount.format((usdcFee * 10_000n) / amount, 2)}% of the amount`;
  return `The venue takes ${usdc(usdcFee)} USDC on top${part}.`;
}

/**
 * What the venue asks now is what the quote says: it refuses any other fee.
 *
 * @throws verify.mismatch
 */
export function assertFeeAsked(
  { usdcFee }: Plan.VenueTransfer,
  asked: bigint | undefined,
  warn: (text: string) => void,
): void {
  if (asked === undefined) warn('The venue did not say what it asks for the transfer now; the quote’s fee stands.');
  else if (asked !== usdcFee) throw new OtherFeeError(usdcFee, asked);
}

/** A signed transfer as commands show it. */
export function toSigned({
  transfer,
  txInfo,
  txHash,
  publicKey,
  signingChainId,
}: WithdrawalSigning.Signed): VenueBalanceDocument.Signed {
  return {
    txInfo,
    txHash,
    publicKey,
    signingChainId,
    accountIndex: Number(transfer.fromAccountIndex),
    apiKeyIndex: transfer.apiKeyIndex,
    nonce: String(transfer.nonce),
    expiresAt: transfer.expiredAtMs,
  };
}

function usdc(base: bigint): string {
  return Amount.format(base, usdcDecimals);
}

export class NoTransferError extends BaseError {
  override name = 'NoTransferError';
  constructor() {
    super('quote.unsupported-step', 'The quote asks for something else than one transfer on the venue.');
  }
}

export class OtherOwnerError extends BaseError {
  override name = 'OtherOwnerError';
  constructor(index: number, owner: string, wallet: string) {
    super('auth.venue-owner', `The venue account ${index} belongs to another wallet than the one that signs.`, {
      facts: [
        ['owner', owner],
        ['signing', wallet],
      ],
      hint: 'A withdrawal needs the signature of the wallet that owns the account. Name it with --account.',
    });
  }
}

export class OtherFeeError extends BaseError {
  override name = 'OtherFeeError';
  constructor(quoted: bigint, asked: bigint) {
    super('verify.mismatch', 'The venue asks for another fee than the quote says: it would refuse the transfer.', {
      facts: [
        ['quoted', `${usdc(quoted)} USDC`],
        ['asked', `${usdc(asked)} USDC`],
      ],
      hint: 'Ask for a new quote.',
    });
  }
}
