/** Builds the responses of `GET /intents/status/v3` and of its predecessor v2. */
import type * as ForeignApi from '../../core/api/ForeignApi.js';
import type * as StatusV3 from '../../core/api/StatusV3.js';
import type { Entry } from './ledger.js';

/** The response for an unknown request id: a status, not an error. */
export const unknown: StatusV3.Response = {
  status: 'unknown',
  inTxHashes: [],
  txHashes: [],
  failReason: 'N/A',
  refundFailReason: 'N/A',
};

/** For a quote that was not paid only the time is known. */
export function from(entry: Entry): StatusV3.Response & { quoteCreatedAt: number } {
  const { status, createdAtMs, updatedAtMs, failReason, refundFailReason } = entry;
  if (isFresh(entry)) return { status, quoteCreatedAt: createdAtMs };
  return {
    status,
    ...progress(entry),
    updatedAt: updatedAtMs,
    failReason: failReason ?? (status === 'failure' ? 'UNKNOWN' : 'N/A'),
    refundFailReason: refundFailReason ?? 'N/A',
  };
}

/** The response of v2 for an unknown request id. */
export const unknownV2: ForeignApi.StatusV2 = { status: 'unknown' };

/** The response of v2: it has no word for a fill that was sent, no reasons, and another name for the time. */
export function v2(entry: Entry): ForeignApi.StatusV2 {
  const { status, createdAtMs, updatedAtMs } = entry;
  if (isFresh(entry)) return { status, quoteCreatedAt: createdAtMs };
  return { status: status === 'submitted' ? 'pending' : status, ...progress(entry), time: updatedAtMs };
}

function isFresh({ status, relay, inTxs, deposits }: Entry): boolean {
  return status === 'waiting' && !relay && inTxs.length === 0 && deposits.length === 0;
}

function progress(entry: Entry) {
  const { order, details, createdAtMs } = entry;
  return {
    ...(details !== undefined && { details }),
    inTxHashes: hashesIn(entry),
    txHashes: hashesOut(entry),
    originChainId: order.origin.chainId,
    destinationChainId: order.destination.chainId,
    quoteCreatedAt: createdAtMs,
  };
}

/** Includes the relayer's transaction before it is mined. */
function hashesIn({ inTxs, relay }: Entry): string[] {
  const mined = inTxs.map((tx) => tx.hash);
  return relay?.sent && !mined.includes(relay.sent) ? [...mined, relay.sent] : mined;
}

/** Fills and refunds, including a pending one. */
function hashesOut(entry: Entry): string[] {
  const mined = [...entry.outTxs, ...entry.refundTxs].map((tx) => tx.hash);
  return entry.sent && !mined.includes(entry.sent.hash) ? [...mined, entry.sent.hash] : mined;
}
