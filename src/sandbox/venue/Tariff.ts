/** What the venue charges for a transfer, in millionths of USDC. */

import type { Account } from './Venue.js';
import { relayerIndex } from './venueAccounts.js';

/** Between two owners: 3 USDC. */
const feeBetweenOwners = 3_000_000n;

/** For the first credit of an account: 1 USDC. */
const feeOfActivation = 1_000_000n;

/** The least that may go to another owner: 1 USDC. */
export const leastAmount = 1_000_000n;

export function isSameOwner(from: Account, to: Account): boolean {
  return from.l1Address.toLowerCase() === to.l1Address.toLowerCase();
}

/** Within one owner nothing; the relayer pays nothing by agreement. */
export function transferFee(from: Account, to: Account): bigint {
  return isSameOwner(from, to) || from.index === relayerIndex ? 0n : feeBetweenOwners;
}

export function activationFee(to: Account): bigint {
  return to.isActive ? 0n : feeOfActivation;
}
