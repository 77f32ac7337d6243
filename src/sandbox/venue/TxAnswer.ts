/** Builds the venue's responses about transactions. */
import * as VenueApi from '../../core/api/VenueApi.js';
import * as AccountAnswer from './AccountAnswer.js';
import type { Entry } from './books.js';
import type { Hash } from './Venue.js';

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
export function from(entry: Entry, l1Address: string, nowMs: number): VenueApi.Answer<typeof VenueApi.tx> {
  const isFinal = statusOf(entry, nowMs) === VenueApi.tx.statuses.final;
  const finalAtMs = isFinal ? (entry.executedAtMs ?? 0) + finalAfterMs : 0;
  return { code: 200, ...listed(entry, l1Address, nowMs), committed_at: finalAtMs, verified_at: finalAtMs };
}

/** Transactions of one account, as they are to be listed. */
export function list(
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
    amount: AccountAnswer.toUsdc(entry.amount),
    fee: AccountAnswer.toUsdc(entry.usdcFee + entry.activationFee),
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
  if (status !== 'executed') return VenueApi.tx.statuses[status];
  return nowMs - executedAtMs >= finalAfterMs ? VenueApi.tx.statuses.final : VenueApi.tx.statuses.executed;
}
