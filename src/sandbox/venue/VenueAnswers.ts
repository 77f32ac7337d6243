/** Builds the venue's responses about accounts, API keys, assets and transactions. */
import * as VenueApi from '../../core/api/VenueApi.js';
import { statuses } from '../../core/api/VenueTxStatus.js';
import { native } from '../../core/base/Address.js';
import * as Usd from '../../core/base/Usd.js';
import { deployments } from '../values/deployment.js';
import type { ApiKey, Entry, Hash } from './books.js';
import type { Account } from './venueAccounts.js';
import { minAmount } from './venueAccounts.js';

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
    min_transfer_amount: Usd.formatWire(minAmount),
    min_withdrawal_amount: Usd.formatWire(minAmount),
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
    available_balance: Usd.formatWire(usdc),
    status: isActive ? 1 : 0,
    collateral: Usd.formatWire(usdc),
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
    total_asset_value: Usd.formatWire(usdc),
    cross_asset_value: Usd.formatWire(usdc),
    assets: [
      {
        symbol: 'USDC',
        asset_id: 3,
        balance: Usd.formatWire(0n),
        locked_balance: Usd.formatWire(0n),
        margin_mode: 'enabled',
        margin_balance: Usd.formatWire(usdc),
      },
    ],
  };
}

/** Time from execution to finality. */
export const finalAfterMs = 500;

/** Transfers of one page of a history. */
export const pageSize = 100;

export function accepted(hash: Hash, executedAtMs: number): VenueApi.Answer<typeof VenueApi.sendTx> {
  return {
    code: 200,
    message: '{"ratelimit": "did not use volume quota"}',
    tx_hash: hash,
    predicted_execution_time_ms: executedAtMs,
    volume_quota_remaining: 10_000,
  };
}

/** Timestamps are 0 until the event has happened. */
export function transaction(entry: Entry, l1Address: string, nowMs: number): VenueApi.Answer<typeof VenueApi.tx> {
  const isFinal = statusOf(entry, nowMs) === statuses.final;
  const finalAtMs = isFinal ? (entry.executedAtMs ?? 0) + finalAfterMs : 0;
  return { code: 200, ...listed(entry, l1Address, nowMs), committed_at: finalAtMs, verified_at: finalAtMs };
}

/** Transactions of one account, as they are to be listed. */
export function transactions(
  entries: readonly Entry[],
  l1Address: string,
  nowMs: number,
): VenueApi.Answer<typeof VenueApi.accountTxs> {
  return { code: 200, txs: entries.map((entry) => listed(entry, l1Address, nowMs)) };
}

/**
 * A page of an account's executed transfers, latest first.
 *
 * @param ownerOf the wallet of an account
 * @param skip how many came on the pages before
 */
export function history(
  index: number,
  entries: readonly Entry[],
  { ownerOf, skip }: { ownerOf: (index: number) => string; skip: number },
): VenueApi.Answer<typeof VenueApi.transferHistory> {
  const own = entries.filter(({ status, from, to }) => status === 'executed' && (from === index || to === index));
  const latestFirst = own.sort((a, b) => b.sequence - a.sequence);
  const next = skip + pageSize;
  return {
    code: 200,
    transfers: latestFirst.slice(skip, next).map((entry) => transfer(entry, index, ownerOf)),
    cursor: next < own.length ? String(next) : '',
  };
}

function transfer(
  entry: Entry,
  index: number,
  ownerOf: (index: number) => string,
): VenueApi.Answer<typeof VenueApi.transferHistory>['transfers'][number] {
  return {
    id: String(entry.sequence),
    asset_id: entry.assetIndex,
    amount: Usd.formatWire(entry.amount),
    fee: Usd.formatWire(entry.usdcFee + entry.activationFee),
    timestamp: entry.executedAtMs ?? 0,
    type: entry.from === index ? 'L2TransferOutflow' : 'L2TransferInflow',
    from_l1_address: ownerOf(entry.from),
    to_l1_address: ownerOf(entry.to),
    from_account_index: entry.from,
    to_account_index: entry.to,
    from_route: routeOf(entry.fromRouteType),
    to_route: routeOf(entry.toRouteType),
    tx_hash: entry.hash,
  };
}

function routeOf(type: number): 'perps' | 'spot' {
  return type === 0 ? 'perps' : 'spot';
}

function listed(entry: Entry, l1Address: string, nowMs: number): VenueApi.ListedTx {
  const { hash, sequence, text, failReason, executedAtMs = 0 } = entry;
  return {
    hash,
    type: VenueApi.sendTx.transferType,
    info: text,
    event_info: JSON.stringify(failReason === undefined ? {} : { ae: failReason }),
    status: statusOf(entry, nowMs),
    transaction_index: sequence,
    l1_address: l1Address,
    account_index: entry.from,
    nonce: entry.nonce,
    expire_at: entry.expiredAtMs,
    block_height: executedAtMs === 0 ? 0 : sequence,
    queued_at: entry.queuedAtMs,
    executed_at: executedAtMs,
    sequence_index: sequence,
    // Only a transaction that follows from another one has a parent.
    parent_hash: '',
    api_key_index: entry.apiKeyIndex,
    transaction_time: executedAtMs * 1000,
  };
}

function statusOf({ status, executedAtMs = 0 }: Entry, nowMs: number): number {
  if (status !== 'executed') return statuses[status];
  return nowMs - executedAtMs >= finalAfterMs ? statuses.final : statuses.executed;
}
