/** Which account of the venue is meant, looked up at the venue itself. */

import * as VenueAccount from '../core/accounts/VenueAccount.js';
import * as Address from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import type { Context } from '../core/command/Context.js';
import type { Network } from '../core/network/Network.js';
import type * as Currency from '../core/quote/Currency.js';
import * as TransferIntent from '../core/quote/TransferIntent.js';

/** The venue's one currency. @throws venue.unconfigured where the network reaches no venue */
export function currencyOf(network: Network): Currency.Currency {
  const chain = network.chains.find(({ vm }) => vm === 'lvm');
  if (!chain) throw new NoVenueChainError(network);
  return { chain, token: chain.native };
}

/** The account that the configuration names, else the first of the wallet that signs. @throws venue.* · auth.* */
export async function ownAccount(context: Context): Promise<VenueAccount.VenueAccount> {
  const index = context.network.venue?.accountIndex;
  return index === undefined ? accountOfWallet(await context.sender(), context) : accountAt(index, context);
}

/** The account of an index as typed. @throws venue.unknown-account · request.invalid-address where it is none */
export async function accountAt(typed: string | number, context: Context): Promise<VenueAccount.VenueAccount> {
  const text = String(typed);
  if (!VenueAccount.isIndex(text))
    throw new TransferIntent.NoIndexError(text, 'account', currencyOf(context.network).chain.name);
  const index = Number(text);
  const found = await (await context.venue()).account(index);
  if (!found) throw new VenueAccount.UnknownVenueAccountError({ index }, await venueOf(context));
  return found;
}

/** The first account of a wallet, with what it has. @throws venue.unknown-account */
export async function accountOfWallet(typed: string, context: Context): Promise<VenueAccount.VenueAccount> {
  const wallet = Address.from(typed, 'wallet');
  const first = await (await context.venue()).firstAccountOf(wallet);
  // An answer for another wallet would be paid to a stranger.
  if (!first || !Address.isEqual(first.wallet, wallet))
    throw new VenueAccount.UnknownVenueAccountError({ wallet }, await venueOf(context));
  return first;
}

/** Every account of a wallet; none where it has none. */
export async function accountsOfWallet(typed: string, context: Context): Promise<readonly VenueAccount.VenueAccount[]> {
  const wallet = Address.from(typed, 'wallet');
  const found = await (await context.venue()).accountsOf(wallet);
  // An answer for another wallet would be paid to a stranger.
  return found.filter((account) => Address.isEqual(account.wallet, wallet));
}

/** The network as far as an error names it: the sandbox's venue is known once it runs. */
async function venueOf({ network, venue }: Context): Promise<Pick<Network, 'name' | 'venue'>> {
  const { baseUrl } = await venue();
  return { name: network.name, venue: network.venue && { ...network.venue, baseUrl } };
}

export class NoVenueChainError extends BaseError {
  override name = 'NoVenueChainError';
  constructor({ name }: Network) {
    super('venue.unconfigured', `The service of ${name} reaches no venue, as far as ferry knows.`, {
      hint: 'Choose another network with --network.',
      next: 'ferry chains',
    });
  }
}
