/** An account on the venue: a number that a wallet owns, with what it has there. */

import type * as Account from '../api/venue/Account.js';
import type * as AccountsByL1Address from '../api/venue/AccountsByL1Address.js';
import type { Address } from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Network } from '../network/Network.js';

/** An account of the venue. */
export type VenueAccount = {
  index: number;
  /** The wallet that owns it. */
  wallet: Address;
  /** A wallet's first account; further ones are its sub-accounts. */
  isMaster: boolean;
  /** False until its first deposit. Undefined where the venue does not say. */
  isActive: boolean | undefined;
  /** Undefined where they were not asked for. */
  assets: readonly Asset[] | undefined;
};

/** What an account has of an asset, as decimals in whole units: on the perps route and on the spot route. */
export type Asset = { symbol: string; assetIndex: number; perps: string; spot: string };

/** A key that may sign for an account. */
export type ApiKey = {
  /** Its slot. */
  index: number;
  /** 80 hexadecimal digits. */
  publicKey: string;
  /** Of its next transaction. */
  nonce: bigint;
};

/** USDC on the venue, spec 2.6. */
export const usdcAssetIndex = 3;

/** Its decimals there. */
export const usdcDecimals = 6;

/** The greatest index that there can be: sub-accounts count down from it. */
export const maxIndex = 2 ** 48 - 2;

const firstSubAccount = 2 ** 47;

/**
 * Reads an account, whatever its index is called.
 *
 * @returns undefined where it has none, or no wallet that owns it
 */
export function from(wire: AccountsByL1Address.Account | Account.Account): VenueAccount | undefined {
  const index = Number(wire.index ?? wire.account_index ?? wire.accountIndex ?? Number.NaN);
  if (!Number.isSafeInteger(index) || index < 0 || index > maxIndex) return undefined;
  if (!/^0x[0-9a-fA-F]{40}$/.test(wire.l1_address)) return undefined;
  return {
    index,
    wallet: wire.l1_address as Address,
    isMaster: index < firstSubAccount,
    isActive: wire.status === undefined ? undefined : wire.status === 1,
    assets:
      'assets' in wire && wire.assets
        ? wire.assets.map(({ symbol, asset_id, balance, margin_balance }) => ({
            symbol,
            assetIndex: asset_id,
            perps: margin_balance ?? '0',
            spot: balance,
          }))
        : undefined,
  };
}

/** Millionths of USDC on the perps route, from where a withdrawal is paid. */
export function usdc({ assets = [] }: VenueAccount): bigint {
  const found = assets.find(({ assetIndex }) => assetIndex === usdcAssetIndex);
  const [whole = '0', fraction = ''] = (found?.perps ?? '0').split('.');
  const digits = `${whole}${fraction.slice(0, usdcDecimals).padEnd(usdcDecimals, '0')}`;
  return BigInt(digits);
}

/** Whether a text is written as an index: digits alone. */
export function isIndex(text: string): boolean {
  return /^\d{1,15}$/.test(text) && Number(text) <= maxIndex;
}

/** A venue whose signing chain id is not known: nothing could be signed for it. */
export class UnconfiguredError extends BaseError {
  override name = 'UnconfiguredError';
  constructor(network: string) {
    super('venue.unconfigured', `ferry does not know what the signatures of the venue of ${network} are bound to.`, {
      next: `ferry config set networks.${network}.venue.signingChainId <id>`,
    });
  }
}

/** No such account, or a wallet without one. */
export class UnknownVenueAccountError extends BaseError {
  override name = 'UnknownVenueAccountError';
  constructor(who: { index: number } | { wallet: string }, network: Pick<Network, 'name' | 'venue'>) {
    const host = network.venue?.baseUrl;
    super(
      'venue.unknown-account',
      'index' in who
        ? `The venue has no account ${who.index}.`
        : `The wallet ${who.wallet} has no account at the venue.`,
      {
        facts: [['network', network.name], ...(host === undefined ? [] : ([['asked', new URL(host).origin]] as const))],
        hint: 'An account is made by the first deposit through the venue itself. Is this the right network?',
      },
    );
  }
}
