/** Resolves the parties of a quote request: payer, recipient and refund account, each on its chain. */

import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import type { Address } from '../../core/base/Address.js';
import { accountAt, type Chain, tokenAt, type VenueChain } from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import { type Code, RefusalError } from './QuoteRefusal.js';

export type Parties = {
  user: PartyAccount.Account;
  recipient: PartyAccount.Account;
  /** Undefined if the request names none; then the user is refunded. */
  refundTo: PartyAccount.Account | undefined;
};

/**
 * The parties of a request: user and refund account on the origin, recipient on the destination.
 *
 * @throws RefusalError
 */
export function from(
  request: QuoteV2.Request,
  { origin, destination }: { origin: Chain; destination: Chain },
): Parties {
  const { refundTo } = request;
  if (origin.vm === 'svm')
    throw new RefusalError('UNSUPPORTED_ROUTE', `Deposits on ${origin.displayName} are not supported`);
  const user = accountOf(request.user, origin, 'user');
  if (request.recipient === undefined && origin.vm !== destination.vm)
    throw new RefusalError('INVALID_RECIPIENT', 'A recipient is required: the user has no account on the destination');
  return {
    user,
    recipient: recipientOf(request.recipient ?? user, destination),
    refundTo: refundTo === undefined ? undefined : accountOf(refundTo, origin, 'refundTo'),
  };
}

/** @throws RefusalError */
export function address(text: string, what: string): Address {
  const found = PartyAccount.toAddress(text);
  if (!found) throw new RefusalError('INVALID_ADDRESS', `Invalid address ${text} for ${what}`);
  return found;
}

function recipientOf(text: string, chain: Chain): PartyAccount.Account {
  if (chain.vm === 'lvm') return venueAccount(text, chain, 'recipient', 'INVALID_RECIPIENT');
  if (chain.vm === 'svm') return key(text, chain);
  const recipient = address(text, 'recipient');
  if (tokenAt(chain, recipient))
    throw new RefusalError('INVALID_RECIPIENT', `The recipient ${recipient} is a currency, not an account`);
  return recipient;
}

function accountOf(text: string, chain: Chain, what: string): PartyAccount.Account {
  return chain.vm === 'lvm' ? venueAccount(text, chain, what, 'INVALID_ADDRESS') : address(text, what);
}

/** A key that is not a currency. */
function key(text: string, chain: Chain): PartyAccount.Key {
  const found = PartyAccount.toKey(text);
  if (!found) throw new RefusalError('INVALID_ADDRESS', `Invalid address ${text} for recipient`);
  if (tokenAt(chain, found))
    throw new RefusalError('INVALID_RECIPIENT', `The recipient ${found} is a currency, not an account`);
  return found;
}

/** An existing account other than the service's own. */
function venueAccount(text: string, chain: VenueChain, what: string, missing: Code): PartyAccount.Index {
  const index = PartyAccount.toIndex(text);
  if (index === undefined)
    throw new RefusalError(
      'INVALID_ADDRESS',
      `Invalid address ${text} for ${what}: ${chain.displayName} has account indexes`,
    );
  if (!accountAt(chain, index))
    throw new RefusalError(missing, `${chain.displayName} has no account ${index} (${what})`);
  if (index === chain.relayer) throw new RefusalError(missing, `The account ${index} is the service's own (${what})`);
  return index;
}
