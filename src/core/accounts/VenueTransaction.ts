/** A transaction as the venue reports it. Its transfer is read as far as possible; nothing is signed based on it. */
import { statuses } from '../api/VenueTxStatus.js';

/** A transaction as the venue reports it. */
export type VenueTransaction = {
  hash: string;
  /** An open set: keep polling on an unknown number. */
  status: number;
  /** The venue's reason why the sequencer failed it. */
  failure: string | undefined;
  /** The transaction as JSON. */
  info: string;
};

/** A transfer as the venue reports it. Amounts are in the asset's smallest unit. */
export type Shown = {
  fromAccountIndex: unknown;
  toAccountIndex: number;
  assetIndex: unknown;
  amount: bigint;
  memo: string | undefined;
};

/** Whether it has been executed (2) or is final (3). */
export function isExecuted({ status }: Pick<VenueTransaction, 'status'>): boolean {
  return status === statuses.executed || status === statuses.final;
}

export function isFailed({ status }: Pick<VenueTransaction, 'status'>): boolean {
  return status === statuses.failed;
}

/** Reads the transfer in a transaction; undefined if it cannot be read. */
export function transferOf({ info }: Pick<VenueTransaction, 'info'>): Shown | undefined {
  try {
    const { FromAccountIndex, ToAccountIndex, AssetIndex, Amount, Memo } = JSON.parse(info) as Record<string, unknown>;
    if (!Number.isSafeInteger(ToAccountIndex) || !Number.isSafeInteger(Amount)) return undefined;
    return {
      fromAccountIndex: FromAccountIndex,
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
