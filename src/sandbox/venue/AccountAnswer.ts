/** Builds the venue's responses about accounts, API keys and assets. */
import type * as VenueApi from '../../core/api/VenueApi.js';
import { native } from '../../core/base/Address.js';
import { deployments } from '../values/deployment.js';
import type { ApiKey } from './books.js';
import * as Tariff from './Tariff.js';
import type { Account } from './Venue.js';

/** Master account indexes count up from 0, sub-account indexes down from 2^48 - 2. */
const firstSubAccount = 2 ** 47;

/** The master account first, then the sub-accounts. */
export function byL1Address(
  l1Address: string,
  accounts: readonly Account[],
): VenueApi.Answer<typeof VenueApi.accountsByL1Address> {
  const sorted = [...accounts].sort((a, b) => a.index - b.index);
  return { code: 200, l1_address: l1Address, sub_accounts: sorted.map(summary) };
}

export function detailed(accounts: readonly Account[]): VenueApi.Answer<typeof VenueApi.account> {
  const sorted = [...accounts].sort((a, b) => a.index - b.index);
  return { code: 200, total: sorted.length, accounts: sorted.map(detail) };
}

export function apiKeys(keys: readonly ApiKey[]): VenueApi.Answer<typeof VenueApi.apiKeys> {
  return {
    code: 200,
    api_keys: keys.map(({ accountIndex, apiKeyIndex, publicKey, nonce }) => ({
      account_index: accountIndex,
      api_key_index: apiKeyIndex,
      nonce,
      public_key: publicKey,
      transaction_time: 0,
    })),
  };
}

/** The venue's assets. Only USDC has balances in the sandbox. */
export const assets: VenueApi.Answer<typeof VenueApi.assetDetails>['asset_details'] = [
  {
    asset_id: 1,
    symbol: 'ETH',
    decimals: 8,
    l1_decimals: 18,
    min_transfer_amount: '0.00100000',
    min_withdrawal_amount: '0.00100000',
    margin_mode: 'disabled',
    index_price: '2500.000000',
    l1_address: native,
  },
  {
    asset_id: 3,
    symbol: 'USDC',
    decimals: 6,
    l1_decimals: 6,
    min_transfer_amount: toUsdc(Tariff.minAmount),
    min_withdrawal_amount: toUsdc(Tariff.minAmount),
    margin_mode: 'enabled',
    index_price: '1.000000',
    l1_address: deployments.alpha.tokens.USDC.address,
  },
];

function summary({ index, l1Address, usdc, isActive }: Account) {
  return {
    // Nested codes are always 0 and carry no meaning.
    code: 0,
    account_type: index >= firstSubAccount ? 1 : 0,
    index,
    l1_address: l1Address,
    cancel_all_time: 0,
    total_order_count: 0,
    total_isolated_order_count: 0,
    pending_order_count: 0,
    available_balance: toUsdc(usdc),
    status: isActive ? 1 : 0,
    collateral: toUsdc(usdc),
    transaction_time: 0,
    account_trading_mode: 0,
  };
}

/** What an account that is no public pool has in the place of one. */
const noPool = {
  status: 0,
  operator_fee: '0',
  min_operator_share_rate: '0',
  total_shares: 0,
  operator_shares: 0,
  annual_percentage_yield: 0,
  sharpe_ratio: 0,
  daily_returns: [],
  share_prices: [],
  strategies: [],
};

function detail(account: Account) {
  const { index, usdc } = account;
  return {
    ...summary(account),
    account_index: index,
    name: '',
    description: '',
    can_invite: false,
    referral_points_percentage: '',
    created_at: 0,
    positions: [],
    pool_info: noPool,
    shares: [],
    pending_unlocks: [],
    approved_integrators: [],
    total_asset_value: toUsdc(usdc),
    cross_asset_value: toUsdc(usdc),
    assets: [
      {
        symbol: 'USDC',
        asset_id: 3,
        balance: toUsdc(0n),
        locked_balance: toUsdc(0n),
        margin_mode: 'enabled',
        margin_balance: toUsdc(usdc),
      },
    ],
  };
}

/** Formats USDC base units as a decimal: `10000.000000`. */
export function toUsdc(millionths: bigint): string {
  const digits = millionths.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
