/** Transfer fees of the venue, in millionths of USDC. */

import type { Account } from './Venue.js';
import { relayerIndex } from './venueAccounts.js';

/** Transfer fee between accounts of different owners: 3 USDC. */
const feeBetweenOwners = 3_000_000n;

/** Activation fee, charged on the first credit of an account: 1 USDC. */
const feeOfActivation = 1_000_000n;

/** Minimum transfer to another owner: 1 USDC. */
export const minAmount = 1_000_000n;

export function isSameOwner(from: Account, to: Account): boolean {
  return from.l1Address.toLowerCase() === to.l1Address.toLowerCase();
}

/**
 * Transfers between accounts of one owner are free, and the relayer is exempt.
 *
 * @param to undefined for any other owner
 */
export function transferFee(from: Account, to: Account | undefined): bigint {
  return (to && isSameOwner(from, to)) || from.index === relayerIndex ? 0n : feeBetweenOwners;
}

export function activationFee(to: Account | undefined): bigint {
  return !to || to.isActive ? 0n : feeOfActivation;
}
