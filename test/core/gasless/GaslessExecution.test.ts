import { describe, expect, test } from 'vitest';
import * as GaslessExecution from '../../../src/core/gasless/GaslessExecution.js';
import type * as Invalidation from '../../../src/core/gasless/Invalidation.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';

const startMs = 1_800_000_000_000;
const owner = `0x${'0a'.repeat(20)}`;
const sent: Invalidation.Sent = { type: 'invalidation', bytes: '0x02', txHash: '0xcc', nonce: 3 };

type Chain = {
  /** The receipt of the transaction that makes void; undefined while it is pending. */
  receipt?: { status: 'success' | 'reverted'; witnesses: readonly string[] } | undefined;
  sequence: bigint;
};

/** How a run whose signed batch is being made void ends, at a service that cannot submit it, and how often it was posted. */
async function finished(at: (second: number) => Chain, isBeingMadeVoid = true) {
  const chain = Network.chain(network, 'alpha');
  const usdc = Network.token(chain, 'usdc');
  let now = startMs;
  let posts = 0;
  const shown = (): Chain => at((now - startMs) / 1000);
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const origin = {
    batchSequence: async () => shown().sequence,
    finalizedSequence: async () => ({
      sequence: shown().sequence,
      timestamp: BigInt(now) / 1000n,
      witnesses: ['a', 'b'],
    }),
    receipt: async () => shown().receipt && { ...shown().receipt, blockNumber: 7n },
    knows: async () => true,
    blockTime: async () => 0n,
    minedNonce: async () => 4,
  };
  const service = {
    execute: async () => {
      posts += 1;
      return { requestId: '0x0a' };
    },
    status: async () => ({ status: posts > 0 || shown().sequence > 5n ? 'failure' : 'waiting' }),
  };
  const place = { chain, token: usdc };
  const intent = { origin: place, destination: place, user: owner, recipient: owner, refundTo: owner, calls: [] };
  const plan = { requestId: '0x0a', permits: [], quote: { input: 100n, minimum: 100n, response: {}, intent }, intent };
  const batch = { type: 'signed-batch', request: {}, batchExecutor: '0xee', executor: '0x00', nonce: '5' };
  const handed = { ...batch, deadline: String(startMs / 1000 + 360) };
  const ports = {
    ...{ service, origin, clock, destination: undefined, turn: { release: () => {} }, replay: false, warn: () => {} },
    ...{ signal: new AbortController().signal, journal: { append: async () => {} } },
  };
  const patience = { wait: true, timeoutMs: 120_000 };
  const invalidation = isBeingMadeVoid ? sent : undefined;
  try {
    for await (const _ of GaslessExecution.finish(
      plan as never,
      handed as never,
      ports as never,
      patience,
      invalidation,
    ));
  } catch (error) {
    return { error, posts };
  }
  throw new Error('Nothing was delivered.');
}

describe('finish, of what is being made void', () => {
  test('default: nothing is posted again, and it is canceled once that is final', async () => {
    const two = { status: 'success', witnesses: ['a', 'b'] } as const;
    const found = await finished((second) => (second < 20 ? { sequence: 5n } : { sequence: 6n, receipt: two }));
    expect(found).toMatchObject({ posts: 0, error: { code: 'submit.cancelled', funds: 'untouched', txHash: '0xcc' } });
  });

  test('behavior: as long as one node alone shows it, or none, it is unknown', async () => {
    const one = { status: 'success', witnesses: ['a'] } as const;
    for (const at of [{ sequence: 6n, receipt: one }, { sequence: 6n }, { sequence: 5n }])
      expect(await finished(() => at)).toMatchObject({ posts: 0, error: { code: 'submit.unknown', funds: 'unknown' } });
  });

  test('behavior: where it failed, the batch was used before it, and the service holds what was paid', async () => {
    const late = { status: 'reverted', witnesses: ['a', 'b'] } as const;
    const found = await finished(() => ({ sequence: 6n, receipt: late }));
    expect(found).toMatchObject({ posts: 0, error: { code: 'track.failed', funds: 'held' } });
  });

  test('behavior: without one, the same bytes are posted again', async () => {
    expect(await finished(() => ({ sequence: 5n }), false)).toMatchObject({ posts: 1 });
  });
});
