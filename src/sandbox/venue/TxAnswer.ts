/** Builds the venue's responses about transactions. */
import * as SendTx from '../../core/api/venue/SendTx.js';
import * as Tx from '../../core/api/venue/Tx.js';
import type { Entry } from './books.js';
import type { Hash } from './Venue.js';

/** Time from execution to finality. */
export const finalAfterMs = 500;

export function accepted(hash: Hash, executedAtMs: number): SendTx.Response {
  return {
    code: 200,
    message: '{"ratelimit": "did not use volume quota"}',
    tx_hash: hash,
    predicted_execution_time_ms: executedAtMs,
    volume_quota_remaining: 10_000,
  };
}

/** Timestamps are 0 until the event has happened. */
export function from(entry: Entry, l1Address: string, nowMs: number): Tx.Response {
  const { hash, sequence, text, failReason, executedAtMs = 0 } = entry;
  return {
    code: 200,
    hash,
    type: SendTx.transferType,
    info: text,
    event_info: JSON.stringify(failReason === undefined ? {} : { ae: failReason }),
    status: statusOf(entry, nowMs),
    ...{
      transaction_index: sequence,
      sequence_index: sequence,
      l1_address: l1Address,
      api_key_index: entry.apiKeyIndex,
    },
    account_index: entry.from,
    nonce: entry.nonce,
    expire_at: entry.expiredAtMs,
    block_height: executedAtMs === 0 ? 0 : sequence,
    queued_at: entry.queuedAtMs,
    executed_at: executedAtMs,
  };
}

function statusOf({ status, executedAtMs = 0 }: Entry, nowMs: number): number {
  if (status !== 'executed') return Tx.statuses[status];
  return nowMs - executedAtMs >= finalAfterMs ? Tx.statuses.final : Tx.statuses.executed;
}
