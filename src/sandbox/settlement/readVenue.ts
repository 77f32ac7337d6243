/** Reads the venue state that prices depend on. */
import { network } from '../../core/network/sandbox.js';
import * as Market from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import type { Venue } from '../venue/createVenue.js';
import { minAmount } from '../venue/venueAccounts.js';

/** The immutable part of the venue: its names, its currency and the service's account. */
export const venueDescription = describeVenue();

/** The current venue, with the accounts for those of the texts that are account indexes. */
export function readVenue(venue: Venue, named: readonly (string | undefined)[]): Market.VenueChain {
  const { relayerIndex } = venue;
  const indexes = new Set([...named, `${relayerIndex}`].flatMap((text) => (text && PartyAccount.toIndex(text)) || []));
  const solverBalance = venue.account(relayerIndex)?.usdc ?? 0n;
  return {
    ...venueDescription,
    tokens: venueDescription.tokens.map((token) => ({ ...token, solverBalance })),
    accounts: [...indexes].flatMap((index) => {
      const account = venue.account(Number(index));
      if (!account) return [];
      const transferFee = venue.transferFee(account.index, relayerIndex);
      return [{ index, balance: account.usdc, transferFee, activationFee: venue.activationFee(account.index) }];
    }),
  };
}

function describeVenue(): Omit<Market.VenueChain, 'accounts'> {
  const chain = network.chains.find(({ vm }) => vm === 'lvm');
  const relayer = PartyAccount.toIndex(chain?.contracts.accounts?.[0] ?? '');
  if (!chain || !relayer) throw new Error('The network has no venue.');
  const { id, slug, displayName, native } = chain;
  const { symbol, name, decimals } = native;
  const token = {
    symbol: `${symbol} (Perp)`,
    asset: symbol,
    name,
    decimals,
    address: Market.venueCurrency,
    priceUsd: 1_000_000n,
  } as const;
  return { vm: 'lvm', id, slug, displayName, relayer, tokens: [token], minTransfer: minAmount };
}
