/** Journal entries of runs, in a valid order. */
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak256, stringToBytes } from 'viem/utils';
import type { Seal } from '../../src/core/base/Seal.js';
import type { Entry } from '../../src/core/tracking/Journal.js';
import * as JournalCodec from '../../src/core/tracking/JournalCodec.js';

/** A user's secret. */
export function sealOf(secret: string): Seal {
  const mac = (text: string): string => createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
  return { id: mac('id').slice(0, 8), of: mac };
}

/** The secret of tests that need only one. */
export const seal = sealOf('a secret of tests');

/** A journal in ferry's format, a millisecond a line. */
export function textOf(entries: readonly Entry[], by: Seal = seal, startedAt = 1_789_000_000_000): string {
  let end = JournalCodec.start;
  const lines = entries.map((entry, n) => {
    const line = JournalCodec.from({ at: startedAt + n, entry }, n, end, by);
    end = line.end;
    return line.text;
  });
  return lines.join('');
}

/** A journal as ferry wrote it before journals were sealed; anybody can write one. */
export function unsealedTextOf(entries: readonly Entry[], startedAt = 1_789_000_000_000): string {
  let sum = 'ferry.run/1';
  const lines = entries.map((entry, n) => {
    const body = JSON.stringify({ v: 1, n, at: startedAt + n, entry });
    sum = keccak256(stringToBytes(`${sum}\n${body}`)).slice(2, 18);
    return `${body.slice(0, -1)},"sum":"${sum}"}\n`;
  });
  return lines.join('');
}

export const intent: Extract<Entry, { type: 'intent' }> = {
  type: 'intent',
  run: '20261121-093000-1f2e3d',
  kind: 'transactions',
  network: 'sandbox',
  instance: 'one',
  baseUrl: null,
  key: '0xab',
  summary: '100 alpha/usdc → beta/usdc',
  command: 'ferry execute 100 alpha/usdc beta/usdc',
  account: 'dev0',
};

const caps = {
  maxImpactBps: 500,
  maxFeeUsd: null,
  minOut: null,
  maxIn: null,
  maxVenueFee: '10000000',
  maxAgeMs: 30_000,
};

const prepared = (steps: string[]): Entry[] => [
  { type: 'quote', requestId: '0x01', document: { note: 'ä – 船' } },
  { type: 'proof', checks: 24, allow: [], caps },
  { type: 'plan', steps },
];

const sent = (step: number, action: string, txHash: `0x${string}`): Entry[] => [
  { type: 'signed', step, action, bytes: '0x02f8', txHash, nonce: step },
  { type: 'broadcast', step, txHash },
  { type: 'receipt', step, txHash, status: 'success', blockNumber: '7', gasUsed: '21000', effectiveGasPrice: '1' },
];

const ended: Entry[] = [
  { type: 'status', status: 'pending' },
  { type: 'status', status: 'success' },
  { type: 'outcome', status: 'success', funds: 'delivered', code: null },
];

/** A run that pays its own gas, with an approval. */
export const transactions: readonly Entry[] = [
  intent,
  ...prepared(['approve', 'deposit']),
  ...sent(0, 'approve', '0xa0'),
  ...sent(1, 'deposit', '0xd1'),
  ...ended,
];

/** A run of a deposit address that was shown. */
export const address: readonly Entry[] = [
  { ...intent, kind: 'address' },
  ...prepared([]),
  { type: 'address', address: '0xad', untilMs: 1_789_000_000_000 },
];

/** A raw call. */
export const call: readonly Entry[] = [
  { ...intent, kind: 'call', summary: 'call 0xaa on alpha' },
  { type: 'call', request: { executionKind: 'rawCalls' } },
  { type: 'request', requestId: '0x02' },
  ...ended,
];

/** A gasless run. */
export const batch: readonly Entry[] = [
  { ...intent, kind: 'batch' },
  ...prepared(['approve', 'deposit']),
  {
    type: 'signed-batch',
    request: { executionKind: 'rawCalls' },
    batchExecutor: '0xee',
    executor: '0x00',
    nonce: '4',
    deadline: '1789000000',
  },
  { type: 'request', requestId: '0x01' },
  ...ended,
];

/** The only journal of a state directory. */
export function journalIn(stateDir: string) {
  const folder = join(stateDir, 'runs');
  const path = (): string => join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? '');
  const lines = (): string[] => readFileSync(path(), 'utf8').split('\n').slice(0, -1);
  return {
    path,
    lines,
    types: (): string[] => lines().map((line) => JSON.parse(line).entry.type),
    /** Keeps so many lines. */
    cut(count: number): void {
      const kept = lines().slice(0, count);
      writeFileSync(path(), kept.map((line) => `${line}\n`).join(''));
    },
  };
}
