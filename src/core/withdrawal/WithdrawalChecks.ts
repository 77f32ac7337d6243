/** Checks of a withdrawal from the venue before it is signed, and its fee in words. */

import { usdcDecimals, type VenueAccount } from '../accounts/VenueAccount.js';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import * as SettingFormat from '../config/SettingFormat.js';
import type * as Plan from '../execution/Plan.js';
import type * as VenueBalanceDocument from './VenueBalanceDocument.js';
import type * as WithdrawalSigning from './WithdrawalSigning.js';

/** A fee above a twentieth of the amount deserves a warning. */
const largeFrom = 20n;

/**
 * How long a transfer may be valid. Beyond it the venue refuses the transfer; its official signers stay a second below.
 */
const longestValidForMs = 10 * 60_000;

/** @throws usage.invalid if the venue would refuse a transfer that is valid for so long */
export function assertValidity(validForMs: number | undefined): void {
  if (validForMs !== undefined && validForMs > longestValidForMs)
    throw new BaseError('usage.invalid', '--valid-for is longer than the venue allows: it would refuse the transfer.', {
      facts: [
        ['given', SettingFormat.duration.show(validForMs) ?? ''],
        ['at most', SettingFormat.duration.show(longestValidForMs) ?? ''],
      ],
    });
}

/** @throws quote.unsupported-step for a plan that does not pay by one venue transfer */
export function planOf(plan: Plan.Plan): Plan.VenuePlan {
  if (!plan.transfer)
    throw new BaseError('quote.unsupported-step', 'The quote does not consist of exactly one venue transfer.');
  return { ...plan, transfer: plan.transfer };
}

/** @throws auth.venue-owner */
export function assertOwner({ index, wallet: owner }: VenueAccount, wallet: Address.Address): void {
  if (!Address.isEqual(owner, wallet))
    throw new BaseError(
      'auth.venue-owner',
      `Venue account ${index} belongs to a different wallet from the one that signs.`,
      {
        facts: [
          ['owner', owner],
          ['signing', wallet],
        ],
        hint: 'A withdrawal needs the signature of the wallet that owns the account. Select it with --account.',
      },
    );
}

/** Whether the venue's fee is large relative to the amount. */
export function isFeeLarge({ usdcFee, amount }: Plan.VenueTransfer): boolean {
  return usdcFee * largeFrom > amount;
}

/** `The venue charges 3 USDC on top, 3% of the amount.` */
export function feeInWords({ usdcFee, amount }: Plan.VenueTransfer): string {
  const part = amount === 0n ? '' : `, ${Amount.format((usdcFee * 10_000n) / amount, 2)}% of the amount`;
  return `The venue charges ${usdc(usdcFee)} USDC on top${part}.`;
}

/**
 * Checks that the venue's current fee is the quoted one, since it refuses any other.
 *
 * @throws verify.mismatch
 */
export function assertFeeAsked(
  { usdcFee }: Plan.VenueTransfer,
  asked: bigint | undefined,
  warn: (text: string) => void,
): void {
  if (asked === undefined) warn('The venue did not return its current transfer fee; ferry uses the quoted one.');
  else if (asked !== usdcFee)
    throw new BaseError(
      'verify.mismatch',
      'The venue’s fee differs from the quoted one: it would refuse the transfer.',
      {
        facts: [
          ['quoted', `${usdc(usdcFee)} USDC`],
          ['asked', `${usdc(asked)} USDC`],
        ],
        hint: 'Request a new quote.',
      },
    );
}

/** A signed transfer as JSON output. */
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

/** `max` of an account that has nothing, or no more than the venue's fee. */
export function nothingToWithdraw(index: number, { balance, fee }: { balance: bigint; fee: bigint }): BaseError {
  return new BaseError('submit.insufficient-balance', `Venue account ${index} has nothing to withdraw.`, {
    facts: [['balance', `${usdc(balance)} USDC`], ...(fee > 0n ? ([['venue fee', `${usdc(fee)} USDC`]] as const) : [])],
    hint: 'The venue takes its fee from the balance too, on top of what is withdrawn.',
  });
}

function usdc(base: bigint): string {
  return Amount.format(base, usdcDecimals);
}
