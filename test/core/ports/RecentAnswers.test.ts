import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { native } from '../../../src/core/base/Address.js';
import type { Chain } from '../../../src/core/ports/Ports.js';
import * as RecentAnswers from '../../../src/core/ports/RecentAnswers.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { failure } from '../../support/failures.js';
import { type Behaviour, type Loopback, silence, text } from '../../support/loopback.js';
import { chainAt, inFrontOf, methodOf, signedBy, startNode } from '../../support/node.js';

let rpcUrl: string;
let now = 0;

beforeAll(async () => {
  rpcUrl = await startNode();
});
afterEach(() => {
  now = 0;
});

type Desk = { node: Chain; recent: RecentAnswers.Memory; asked(): string[] };

async function desk(behaviours: Readonly<Record<string, Behaviour>> = {}): Promise<Desk> {
  const server: Loopback = await inFrontOf(rpcUrl, behaviours);
  const recent = RecentAnswers.create({ now: () => now });
  return { recent, node: recent.of(1, chainAt(server.url)), asked: () => server.seen.map(methodOf) };
}

const { address } = accounts.dev1;

describe('create', () => {
  test('default: what was asked a moment ago is not asked again, also while it is being asked', async () => {
    const { node, asked } = await desk();
    const [one, other] = await Promise.all([node.balance(address, native), node.balance(address, native)]);
    expect(await node.balance(address.toLowerCase() as `0x${string}`, native)).toBe(one);
    expect([one, asked()]).toEqual([other, ['eth_getBalance']]);
    await node.balance(accounts.dev2.address, native);
    await node.balance(address, native, 0n);
    expect(asked()).toHaveLength(3);
  });

  test('behavior: it is asked again once it is old, but the chain id never', async () => {
    const { node, asked } = await desk();
    for (now of [0, 10_000, 10_001]) {
      await node.chainId();
      await node.nonce(address);
    }
    expect(asked()).toEqual(['eth_chainId', 'eth_getTransactionCount', 'eth_getTransactionCount']);
  });

  test('behavior: nothing is remembered after a question, nor of what changes by a payment that leaves', async () => {
    const { node, recent, asked } = await desk();
    await node.tip();
    recent.forget();
    await node.tip();
    await node.tip();
    await node.broadcast(await signedBy('dev1', {}));
    await node.nonce(address);
    await node.nonce(address);
    const blocks = ['eth_getBlockByNumber', 'eth_getBlockByNumber'];
    const nonces = ['eth_getTransactionCount', 'eth_getTransactionCount'];
    expect(asked()).toEqual([...blocks, 'eth_sendRawTransaction', ...nonces]);
  });

  test('behavior: what is polled for is never remembered', async () => {
    const { node, asked } = await desk();
    for (let look = 0; look < 2; look++) {
      await node.minedNonce(address);
      await node.round(address).catch(() => {});
    }
    expect(asked()).toHaveLength(4);
  });

  test('error: a failure is not remembered, and whoever needs the answer gets its own', async () => {
    const replies = [text('no', 'text/plain', 404), silence];
    const { node, asked } = await desk({
      eth_getTransactionCount: (response, request) => (replies.shift() ?? silence)(response, request),
    });
    expect((await failure(node.nonce(address))).code).toBe('chain.unreachable');
    const again = node.nonce(address);
    again.catch(() => {});
    await expect.poll(() => asked().length).toBe(2);
  });
});
