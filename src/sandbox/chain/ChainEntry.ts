/** What is written of a chain between two of its snapshots. */
import type { Hex } from '../../core/base/Hex.js';

export type ChainEntry =
  /** The snapshot that it follows was taken at this Unix time in milliseconds. */
  | { since: number }
  /** A signed transaction, written before the chain has it. */
  | { raw: Hex; hash: Hex; atMs: number }
  /** The chain refused a transaction or dropped it from its pool. */
  | { refused: Hex }
  | { block: Block }
  /** A change that only a snapshot can hold: what precedes the next snapshot cannot be repeated. */
  | { change: string };

export type Block = {
  number: number;
  /** Unix time in seconds. */
  timestamp: number;
  hashes: readonly Hex[];
  /** State, receipts and gas: equal ones are the work of the same transactions on the same state. */
  roots: readonly [state: Hex, receipts: Hex, gasUsed: Hex];
};

/** A block as a node answers it. */
export type RpcBlock = {
  number: Hex;
  hash: Hex;
  timestamp: Hex;
  transactions: readonly Hex[];
  stateRoot: Hex;
  receiptsRoot: Hex;
  gasUsed: Hex;
};

export function blockOf({ number, timestamp, transactions, stateRoot, receiptsRoot, gasUsed }: RpcBlock): Block {
  const roots = [stateRoot, receiptsRoot, gasUsed] as const;
  return { number: Number(number), timestamp: Number(timestamp), hashes: transactions, roots };
}

export function toBuffer(entry: ChainEntry): Buffer {
  return Buffer.from(JSON.stringify(entry));
}

export function from(content: Buffer): ChainEntry {
  return JSON.parse(content.toString()) as ChainEntry;
}
