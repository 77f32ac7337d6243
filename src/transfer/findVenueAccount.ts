/** Looks up venue accounts, at the venue itself. */

import * as VenueAccount from '../core/accounts/VenueAccount.js';
import * as Address from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import type { Context } from '../core/command/Context.js';
import type { Network } from '../core/network/Network.js';
import type * as Currency from '../core/quote/Currency.js';
import * as TransferIntent from '../core/quote/TransferIntent.js';

/** The venue's one currency. @throws venue.unconfigured if the network has no venue */
export function currencyOf(network: Network): Currency.Currency {
  const chain = network.chains.find(({ vm }) => vm === 'lvm');
  if (!chain) throw new NoVenueChainError(network);
  return { chain, token: chain.native };
}

/** Checks before anything else is asked of the user that there is a venue. @throws venue.unconfigured */
export function assertVenue(network: Network): void {
  currencyOf(network);
}

/** The configured venue account, else the first of the wallet that signs. @throws venue.* · auth.* */
export async function ownAccount(context: Context): Promise<VenueAccount.VenueAccount> {
  const index = context.network.venue?.accountIndex;
  return index === undefined ? accountOfWallet(await context.sender(), context) : accountOfIndex(index, context);
}

/** The account with an index. @throws venue.unknown-account · request.invalid-address if it is not an index */
export async function accountOfIndex(typed: string | number, context: Context): Promise<VenueAccount.VenueAccount> {
  const text = String(typed);
  if (!VenueAccount.isIndex(text))
    throw new TransferIntent.NoIndexError(text, 'account', currencyOf(context.network).chain.name);
  const index = Number(text);
  const found = await (await context.venue()).account(index);
  if (!found) throw new VenueAccount.UnknownVenueAccountError({ index }, await venueOf(context));
  return found;
}

/** The first account of a wallet, with its balances. @throws venue.unknown-account */
export async function accountOfWallet(typed: string, context: Context): Promise<VenueAccount.VenueAccount> {
  const wallet = Address.from(typed, 'wallet');
  const first = await (await context.venue()).firstAccountOf(wallet);
  // Using an account of another wallet would pay a stranger.
  if (!first || !Address.isEqual(first.wallet, wallet))
    throw new VenueAccount.UnknownVenueAccountError({ wallet }, await venueOf(context));
  return first;
}

/** All accounts of a wallet; possibly empty. */
export async function accountsOfWallet(typed: string, context: Context): Promise<readonly VenueAccount.VenueAccount[]> {
  const wallet = Address.from(typed, 'wallet');
  const found = await (await context.venue()).accountsOf(wallet);
  // Using an account of another wallet would pay a stranger.
  return found.filter((account) => Address.isEqual(account.wallet, wallet));
}

/** The network as an error names it, with the venue's URL, which for the sandbox is known only once it runs. */
async function venueOf({ network, venue }: Context): Promise<Pick<Network, 'name' | 'venue'>> {
  const { baseUrl } = await venue();
  return { name: network.name, venue: network.venue && { ...network.venue, baseUrl } };
}

export class NoVenueChainError extends BaseError {
  override name = 'NoVenueChainError';
  constructor({ name }: Network) {
    super('venue.unconfigured', `There is no venue on the network ${name}.`, {
      hint: 'The sandbox and mainnet have one. Choose another network with --network.',
      next: 'ferry venue account --network sandbox',
    });
  }
}
