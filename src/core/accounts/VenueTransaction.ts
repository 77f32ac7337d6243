/** What the venue shows of a transaction. Its own account of a transfer is read as far as it goes: nothing is signed by it. */
import * as Tx from '../api/venue/Tx.js';

/** A transaction as the venue tells of it. */
export type VenueTransaction = {
  hash: string;
  /** An open list: whoever does not know a number keeps asking. */
  status: number;
  /** Why the sequencer failed it, in the venue's word. */
  failure: string | undefined;
  /** The transaction as JSON. */
  info: string;
};

/** A transfer as the venue shows it. */
export type Shown = { toAccountIndex: number; assetIndex: unknown; amount: bigint; memo: string | undefined };

/** Whether it has been executed: of the venue's numbers 2, and 3 for good. */
export function isExecuted({ status }: Pick<VenueTransaction, 'status'>): boolean {
  return status === Tx.statuses.executed || status === Tx.statuses.final;
}

/** Whether the sequencer has failed it. */
export function isFailed({ status }: Pick<VenueTransaction, 'status'>): boolean {
  return status === Tx.statuses.failed;
}

/** The transfer that it is; undefined where its account cannot be read. */
export function transferOf({ info }: Pick<VenueTransaction, 'info'>): Shown | undefined {
  try {
    const { ToAccountIndex, AssetIndex, Amount, Memo } = JSON.parse(info) as Record<string, unknown>;
    if (!Number.isSafeInteger(ToAccountIndex) || !Number.isSafeInteger(Amount)) return undefined;
    return {
      toAccountIndex: Number(ToAccountIndex),
      assetIndex: AssetIndex,
      amount: BigInt(Amount as number),
      memo: memoOf(Memo),
    };
  } catch {
    return undefined;
  }
}

function memoOf(bytes: unknown): string | undefined {
  if (!Array.isArray(bytes) || bytes.length !== 32) return undefined;
  return `0x${bytes.map((byte) => Number(byte).toString(16).padStart(2, '0')).join('')}`;
}
