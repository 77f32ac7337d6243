import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src/sandbox/venue/books.js';
import * as TxAnswer from '../../../src/sandbox/venue/TxAnswer.js';

const entry: Entry = {
  hash: 'ab'.repeat(40),
  sequence: 5,
  status: 'pending',
  failReason: undefined,
  from: 100,
  to: 7,
  assetIndex: 3,
  fromRouteType: 0,
  toRouteType: 0,
  amount: 1n,
  usdcFee: 0n,
  activationFee: 0n,
  memo: '0x00',
  queuedAtMs: 1_000,
  executedAtMs: undefined,
  text: '{}',
  apiKeyIndex: 4,
  nonce: 0,
  expiredAtMs: 9_000,
};

describe('from', () => {
  test.each([
    ['pending', undefined, 1],
    ['failed', 2_000, 0],
    ['executed', 2_000, 2],
    ['executed', 2_000 - TxAnswer.finalAfterMs, 3],
  ] as const)('behavior: %s at %s is %i', (status, executedAtMs, expected) => {
    expect(TxAnswer.from({ ...entry, status, executedAtMs }, '0xab', 2_000).status).toBe(expected);
  });

  test('default', () => {
    expect(TxAnswer.from(entry, '0xab', 2_000)).toMatchObject({
      block_height: 0,
      queued_at: 1_000,
      executed_at: 0,
      expire_at: 9_000,
      event_info: '{}',
      account_index: 100,
    });
  });
});
