/** The binary form of a record in a log: what an index needs, and after it the record itself, compressed. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { JsonValue } from '../values/BigintJson.js';
import { DamagedLogError } from './frameLog.js';
import * as Signature from './Signature.js';

/** What an index knows of a record without reading it. */
export type Summary = {
  /** Position in the order of records. */
  sequence: number;
  /** Unix time in milliseconds. */
  createdAtMs: number;
  updatedAtMs: number;
  /** By which records can be sorted besides their times. */
  weight: number;
  /** The record may be forgotten from this time on; infinite for never. */
  expiresAtMs: number;
  /** Whether work on it is not finished. */
  isActive: boolean;
  /** Unix time of this version on the real clock, in milliseconds. */
  writtenAtMs: number;
  /** A figure of the whole store as of this version. */
  balance: bigint;
  id: readonly [number, number];
  /** Of the record's second id; zeros if it has none. */
  alias: readonly [number, number];
  signature: Uint32Array;
};

const kinds = { dictionary: 1, record: 2, patch: 3 } as const;

export type Kind = keyof typeof kinds;

const bodyAt = 108;

export function kindOf(content: Buffer): Kind | undefined {
  return (Object.keys(kinds) as Kind[]).find((kind) => kinds[kind] === content[0]);
}

export function ofRecord(summary: Summary, body: JsonValue, dictionary: Buffer | undefined): Buffer {
  const packed = deflateRawSync(JSON.stringify(body), { level: 3, memLevel: 6, ...(dictionary && { dictionary }) });
  const head = Buffer.alloc(bodyAt);
  head[0] = kinds.record;
  head[1] = (summary.isActive ? 1 : 0) | (dictionary ? 2 : 0);
  head.writeUInt32LE(summary.sequence, 4);
  head.writeDoubleLE(summary.createdAtMs, 8);
  head.writeDoubleLE(summary.updatedAtMs, 16);
  head.writeDoubleLE(summary.writtenAtMs, 24);
  head.writeDoubleLE(summary.weight, 32);
  head.writeDoubleLE(summary.expiresAtMs, 40);
  head.writeBigInt64LE(summary.balance, 48);
  for (const [at, value] of [...summary.id, ...summary.alias].entries()) head.writeUInt32LE(value, 56 + 4 * at);
  for (const [at, value] of summary.signature.entries()) head.writeUInt32LE(value, 72 + 4 * at);
  return Buffer.concat([head, packed]);
}

/** @throws DamagedLogError */
export function summaryOf(content: Buffer): Summary {
  if (content.length < bodyAt) throw new DamagedLogError('A record is too short.');
  const word = (at: number): number => content.readUInt32LE(at);
  return {
    isActive: ((content[1] ?? 0) & 1) === 1,
    sequence: word(4),
    createdAtMs: content.readDoubleLE(8),
    updatedAtMs: content.readDoubleLE(16),
    writtenAtMs: content.readDoubleLE(24),
    weight: content.readDoubleLE(32),
    expiresAtMs: content.readDoubleLE(40),
    balance: content.readBigInt64LE(48),
    id: [word(56), word(60)],
    alias: [word(64), word(68)],
    signature: Uint32Array.from({ length: Signature.words }, (_, at) => word(72 + 4 * at)),
  };
}

export function bodyOf(content: Buffer, dictionary: Buffer | undefined): JsonValue {
  const isShort = ((content[1] ?? 0) & 2) === 2;
  const text = inflateRawSync(content.subarray(bodyAt), isShort && dictionary ? { dictionary } : {});
  return JSON.parse(text.toString()) as JsonValue;
}

/** A frame with the text that later records are compressed against. */
export function ofDictionary(dictionary: Buffer): Buffer {
  return Buffer.concat([Buffer.of(kinds.dictionary), dictionary]);
}

/** A frame with a change of what is not a record. */
export function ofPatch(patch: JsonValue): Buffer {
  return Buffer.concat([Buffer.of(kinds.patch), Buffer.from(JSON.stringify(patch))]);
}

export function dictionaryOf(content: Buffer): Buffer {
  return Buffer.from(content.subarray(1));
}

export function patchOf(content: Buffer): JsonValue {
  return JSON.parse(content.toString('utf8', 1)) as JsonValue;
}
