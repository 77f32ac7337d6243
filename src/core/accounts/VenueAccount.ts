/** An account on the venue: an index that a wallet owns, with its balances. */

import type * as VenueApi from '../api/VenueApi.js';
import type { Address } from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Network } from '../network/Network.js';
import * as ShellCommand from '../text/ShellCommand.js';

/** An account of the venue. */
export type VenueAccount = {
  index: number;
  /** The wallet that owns it. */
  wallet: Address;
  /** Whether it is the wallet's master account rather than a sub-account. */
  isMaster: boolean;
  /** False until the first deposit; undefined if the venue does not report it. */
  isActive: boolean | undefined;
  /** Undefined if they were not requested. */
  assets: readonly Asset[] | undefined;
};

/** An account's balances of an asset on the perps and spot routes, as decimals in whole units. */
export type Asset = { symbol: string; assetIndex: number; perps: string; spot: string };

export type ApiKey = {
  index: number;
  /** 80 hexadecimal digits. */
  publicKey: string;
  /** The nonce of the key's next transaction. */
  nonce: bigint;
};

/** The asset index of USDC on the venue: spec 2.6. */
export const usdcAssetIndex = 3;

export const usdcDecimals = 6;

/** The largest account index. Sub-accounts count down from it. */
export const maxIndex = 2 ** 48 - 2;

const firstSubAccount = 2 ** 47;

/**
 * Reads an account, under any of the index's names.
 *
 * @returns undefined if the index or the owner is missing or invalid
 */
export function from(wire: VenueApi.Account): VenueAccount | undefined {
  const index = Number(wire.index ?? wire.account_index ?? wire.accountIndex ?? Number.NaN);
  if (!Number.isSafeInteger(index) || index < 0 || index > maxIndex) return undefined;
  if (!/^0x[0-9a-fA-F]{40}$/.test(wire.l1_address)) return undefined;
  return {
    index,
    wallet: wire.l1_address as Address,
    isMaster: index < firstSubAccount,
    isActive: wire.status === undefined ? undefined : wire.status === 1,
    assets: wire.assets?.map(({ symbol, asset_id, balance, margin_balance }) => ({
      symbol,
      assetIndex: asset_id,
      perps: margin_balance ?? '0',
      spot: balance,
    })),
  };
}

/** The USDC balance on the perps route, which pays for withdrawals, in millionths. */
export function usdc({ assets = [] }: VenueAccount): bigint {
  const found = assets.find(({ assetIndex }) => assetIndex === usdcAssetIndex);
  const [whole = '0', fraction = ''] = (found?.perps ?? '0').split('.');
  const digits = `${whole}${fraction.slice(0, usdcDecimals).padEnd(usdcDecimals, '0')}`;
  return BigInt(digits);
}

/** Whether a text is an account index in decimal digits. */
export function isIndex(text: string): boolean {
  return /^\d{1,15}$/.test(text) && Number(text) <= maxIndex;
}

/** Thrown if the venue's signing chain id is unknown, so nothing can be signed for it. */
export function unconfigured(network: string): BaseError {
  return new BaseError('venue.unconfigured', `The signing chain id of the venue of ${network} is not configured.`, {
    next: ShellCommand.line`ferry config set networks.${network}.venue.signingChainId <id>`,
  });
}

/** Thrown if the venue has no such account, or no account for the wallet. */
export function unknownVenueAccount(
  who: { index: number } | { wallet: string },
  network: Pick<Network, 'name' | 'venue'>,
): BaseError {
  const host = network.venue?.baseUrl;
  return new BaseError(
    'venue.unknown-account',
    'index' in who ? `The venue has no account ${who.index}.` : `The wallet ${who.wallet} has no account on the venue.`,
    {
      facts: [['network', network.name], ...(host === undefined ? [] : ([['asked', new URL(host).origin]] as const))],
      hint: 'The first deposit through the venue itself creates an account. Is this the right network?',
    },
  );
}
