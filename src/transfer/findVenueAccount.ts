/** Looks up venue accounts, at the venue itself. */

import * as VenueAccount from '../core/accounts/VenueAccount.js';
import * as Address from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import type { Context } from '../core/command/Context.js';
import type { Network } from '../core/network/Network.js';
import type * as Currency from '../core/quote/Currency.js';
import * as PriceOnly from '../core/quote/PriceOnly.js';
import * as TransferIntent from '../core/quote/TransferIntent.js';

/** The venue's one currency. @throws venue.unconfigured if the network has no venue */
export function currencyOf(network: Network): Currency.Currency {
  const chain = network.chains.find(({ vm }) => vm === 'lvm');
  if (!chain)
    throw new BaseError('venue.unconfigured', `There is no venue on the network ${network.name}.`, {
      hint: 'The sandbox and mainnet have one. Choose another network with --network.',
      next: 'ferry venue account --network sandbox',
    });
  return { chain, token: chain.native };
}

/** Checks before anything else is asked of the user that there is a venue. @throws venue.unconfigured */
export function assertVenue(network: Network): void {
  currencyOf(network);
}

/**
 * The configured venue account, else the first of a wallet: by default the one that signs. An address on the command
 * line says whose account it is, and so overrides the configured one.
 *
 * @throws venue.* · auth.* · request.unsupported if nobody owns the wallet
 */
export async function ownAccount(
  context: Context,
  wallet: () => Promise<Address.Address> = context.sender,
): Promise<VenueAccount.VenueAccount> {
  const index = configuredIndex(context);
  if (index !== undefined) return accountOfIndex(index, context);
  const owner = await wallet();
  if (PriceOnly.isNobody(owner))
    throw new BaseError(
      'usage.missing',
      `A price from or to ${currencyOf(context.network).chain.name} needs an account of the venue, and none is selected.`,
      {
        hint: 'Add --account with the address of its wallet. To pay to an account of the venue, --recipient with its index is enough.',
      },
    );
  return accountOfWallet(owner, context);
}

/** An account, as far as it is known before the venue is asked. */
export type Expected = Pick<VenueAccount.VenueAccount, 'index' | 'wallet'>;

/**
 * The account of the wallet, if the user, the settings or a pin name it: what depends on it can be asked while the venue
 * confirms it. Undefined if none of them does, or the wallet is not known.
 *
 * @param named its index on the command line
 */
export async function expectedAccount(
  named: string | undefined,
  context: Context,
  wallet: () => Promise<Address.Address> = context.sender,
): Promise<Expected | undefined> {
  const owner = await wallet().catch(() => undefined);
  if (!owner) return undefined;
  const index = String(named ?? configuredIndex(context) ?? context.pins.account(owner)?.index);
  return VenueAccount.isIndex(index) ? { index: Number(index), wallet: owner } : undefined;
}

function configuredIndex({ config, network }: Context): number | undefined {
  const { value = '', source } = config.account;
  const isTyped = source.kind === 'flag' && (value.startsWith('0x') || config.aliases.has(value));
  return isTyped ? undefined : network.venue?.accountIndex;
}

/** The account with an index. @throws venue.unknown-account · request.invalid-address if it is not an index */
export async function accountOfIndex(typed: string | number, context: Context): Promise<VenueAccount.VenueAccount> {
  const text = String(typed);
  if (!VenueAccount.isIndex(text))
    throw TransferIntent.noIndex(text, 'account', currencyOf(context.network).chain.name);
  const index = Number(text);
  const found = await (await context.venue()).account(index);
  if (!found) throw VenueAccount.unknownVenueAccount({ index }, await venueOf(context));
  return found;
}

/** The first account of a wallet, with its balances. @throws venue.unknown-account */
export async function accountOfWallet(typed: string, context: Context): Promise<VenueAccount.VenueAccount> {
  const wallet = Address.from(typed, 'wallet');
  const first = await (await context.venue()).firstAccountOf(wallet);
  // Using an account of another wallet would pay a stranger.
  if (!first || !Address.isEqual(first.wallet, wallet))
    throw VenueAccount.unknownVenueAccount({ wallet }, await venueOf(context));
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
