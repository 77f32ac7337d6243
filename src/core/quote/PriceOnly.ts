/**
 * Quotes that only tell a price: they are asked for an address that nobody owns, and can never be paid.
 *
 * They are refused in three places that do not depend on each other: what the user types (`TransferIntent.from`), what
 * becomes a plan (`Preparation.run`, and `readQuoteFile` before a key is asked for), and an answer that names nobody
 * for an intent that does not (`QuoteDetails.check`). The flag `priceOnly` of a document is for readers and is never
 * read back.
 */
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Finding } from './Finding.js';

/**
 * The address that prices are asked for without an account: the last 20 bytes of keccak256("nobody owns this address:
 * ferry prices transfers with it"). An address is such a hash of a public key or of a contract's origin, so whoever
 * wanted it would have to find another text with the same 160 bits. Unlike a burn address it looks like any other, so a
 * service that refuses those has no reason to refuse it.
 */
export const nobody: Address.Address = '0x03119fFdeDFcaE79708a8d0038f38432E685D685';

/** The parties of an intent: addresses, or account indices of the venue. */
export type Parties = {
  user: string;
  recipient: string;
  refundTo: string;
  appFees: readonly { recipient: string }[];
};

export function isNobody(party: string | undefined): boolean {
  return party !== undefined && Address.isEqual(party, nobody);
}

/** Whether a transfer only has a price, since nobody owns one of its parties. Decided by the addresses alone. */
export function isPriceOnly({ user, recipient, refundTo, appFees }: Parties): boolean {
  return [user, recipient, refundTo, ...appFees.map((each) => each.recipient)].some(isNobody);
}

/** @throws request.unsupported if nobody owns one of the parties */
export function assertPayable(parties: Parties): void {
  if (isPriceOnly(parties))
    throw new BaseError('request.unsupported', 'The quote only tells a price: it is for an address that nobody owns.', {
      facts: [['address', nobody]],
      hint: 'Request a quote of your own: add --account with your address or the name of your key.',
      next: 'ferry key list',
    });
}

/** The finding about an answer that names nobody where the money is or may end. */
export const finding: Finding = {
  check: 'payable',
  subject: undefined,
  verdict: 'mismatch',
  expected: 'parties that somebody owns',
  found: `nobody owns ${nobody}`,
};

/** What the user is told beside such a price. */
export const warning = `This is only a price, for an address that nobody owns (${nobody}): it cannot be executed. For a quote of your own, add --account with your address or the name of your key.`;

/** A party that the user typed is the address that nobody owns. */
export function ownedByNobody(what: string): BaseError {
  return new BaseError('request.unsupported', `Nobody owns ${nobody}: as ${what} it would lose the funds.`, {
    hint: 'ferry uses this address only to ask for prices. Name an address of your own.',
  });
}
