import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../../src/core/base/Errors.js';
import * as Network from '../../../../src/core/network/Network.js';
import { network } from '../../../../src/core/network/sandbox.js';
import type { Chain } from '../../../../src/core/ports/Ports.js';
import * as Prices from '../../../../src/core/proof/price/Prices.js';

const [alpha, beta] = [Network.chain(network, 'alpha'), Network.chain(network, 'beta')];
const nowMs = 1_790_000_000_000;
const now = BigInt(nowMs / 1000);

type Round = Awaited<ReturnType<Chain['round']>>;

const round = (changes: Partial<Round> = {}): Round => ({
  answer: 250_000_000_000n,
  startedAt: now,
  updatedAt: now,
  ...changes,
});

/** Reads ether's price where each chain's feed gives the round, or the error. */
async function read(
  rounds: Readonly<Record<string, Round | BaseError>>,
  chains: readonly Network.Chain[] = [alpha, beta],
): Promise<Prices.Reading | undefined> {
  const node = (chain: Network.Chain) => ({
    round: async () => {
      const found = rounds[chain.name];
      if (!found || found instanceof BaseError) throw found ?? new Error('not expected');
      return found;
    },
  });
  return (await Prices.read(['ETH'], { chains, node, nowMs })).get('ETH');
}

describe('read', () => {
  test('default: the price of the first chain that has one', async () => {
    expect(await read({ alpha: round() })).toEqual({
      answer: 250_000_000_000n,
      decimals: 8,
      source: 'the ETH/USD feed on alpha',
    });
  });

  test.each([
    ['is older than its heartbeat and a tenth', round({ updatedAt: now - 3961n })],
    ['has a price of the future', round({ updatedAt: now + 3961n })],
    ['answers zero', round({ answer: 0n })],
    ['answers a negative number', round({ answer: -1n })],
    ['cannot be reached', new BaseError('chain.unreachable', 'The node does not answer.', {})],
  ])('behavior: a feed that %s is no witness, and another chain is asked', async (_, bad) => {
    expect(await read({ alpha: bad, beta: round() })).toMatchObject({ source: 'the ETH/USD feed on beta' });
    expect(await read({ alpha: bad, beta: bad })).toMatchObject({ why: expect.stringContaining('alpha') });
  });

  test('behavior: at the edge of its heartbeat and a tenth a feed is still a witness', async () => {
    expect(Prices.isPrice(await read({ alpha: round({ updatedAt: now - 3960n }) }))).toBe(true);
  });

  test.each([
    ['is down', { answer: 1n, startedAt: now - 9999n }],
    ['came up less than an hour ago', { answer: 0n, startedAt: now - 3599n }],
  ])('behavior: a rollup whose sequencer %s is no witness', async (_, changes) => {
    const sequencerFeed = '0x00000000000000000000000000000000000000f0';
    const rollup = { ...alpha, sequencerFeed } as const;
    const node = () => ({ round: async (feed: string) => (feed === sequencerFeed ? round(changes) : round()) });
    const found = (await Prices.read(['ETH'], { chains: [rollup], node, nowMs })).get('ETH');
    expect(found).toEqual({ why: 'the sequencer of alpha is or was down' });
  });

  test('behavior: an asset without a feed has no price', async () => {
    expect((await Prices.read(['KELP'], { chains: [alpha], node: () => never, nowMs })).get('KELP')).toEqual({
      why: 'ferry knows no price feed of KELP',
    });
  });

  test('error: a fault of ferry itself is not swallowed', async () => {
    await expect(read({})).rejects.toThrow('not expected');
  });
});

const never = {
  round: async (): Promise<Round> => {
    throw new Error('never asked');
  },
};
