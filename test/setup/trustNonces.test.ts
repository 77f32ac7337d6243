import { keccak256 } from 'viem';
import { describe, expect, test } from 'vitest';
import type * as Execute from '../../src/core/api/Execute.js';
import type { Funds } from '../../src/core/base/Errors.js';
import type { Hex } from '../../src/core/base/Hex.js';
import type { Context } from '../../src/core/command/Context.js';
import * as NonceRule from '../../src/core/execution/NonceRule.js';
import * as Network from '../../src/core/network/Network.js';
import type { Turn } from '../../src/core/ports/Ports.js';
import * as QuoteDocument from '../../src/core/quote/QuoteDocument.js';
import * as Journal from '../../src/core/tracking/Journal.js';
import type { Runs } from '../../src/core/tracking/RunStore.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import {
  assertFree,
  counterOf,
  type KnownNonces,
  nextOf,
  takeTurn,
  trustSequence,
} from '../../src/setup/trustNonces.js';
import { at, temporaryFolder } from '../support/ferry.js';
import * as journals from '../support/journals.js';
import { minedAt } from '../support/node.js';
import { contextAt } from '../support/ownNetwork.js';
import * as quoted from '../support/quoted.js';
import { useSandbox } from '../support/sandbox.js';
import { ended } from '../support/workbench.js';

const { sandbox } = useSandbox();

type Desk = Context & { asked: readonly string[] };

async function desk(answers?: readonly string[]): Promise<Desk> {
  return contextAt(
    { ...at(sandbox), FERRY_STATE_DIR: temporaryFolder(), FERRY_ACCOUNT: 'dev0' },
    answers ? { answers } : {},
  );
}

/** Takes and releases a turn for the deployer of the sandbox, which has used nonces on its chains, or for another account. */
async function taken(context: Desk, terms: Partial<KnownNonces> = {}, address: Hex = deployer): Promise<Turn> {
  const counter = { ...(await counterOf(Network.chain(context.network, 'alpha'), context)), address };
  const { turn } = await ended(takeTurn(counter, { isStrict: true, allow: [], ...terms }, context));
  turn.release();
  return turn;
}

const deployer = accounts.deployer.address;

describe('takeTurn', () => {
  test('error: unknown nonces, with nobody to ask', async () => {
    await expect(taken(await desk())).rejects.toMatchObject({
      code: 'run.foreign-nonce',
      funds: 'untouched',
      next: 'ferry runs reconcile alpha --account dev0',
    });
  });

  test('behavior: adopts them after asking, once', async () => {
    const context = await desk(['y']);
    const next = await nextOf({ chainId: 313371, chain: 'alpha', address: deployer }, context);
    expect((await taken(context)).known()).toBe(next);
    await taken(context);
    expect(context.asked).toHaveLength(1);
    expect(context.asked[0]).toContain('paid twice');
  });

  test('error: others use an account that had used none, after its turn was taken', async () => {
    const owner = `0x${'5a'.repeat(20)}` as const;
    const turn = await taken(await desk(), {}, owner);
    expect(turn.known()).toBe(0n);
    expect(() => NonceRule.assertNext({ turn, owner, chain: 'alpha' }, 1n)).toThrow('ferry does not know nonce 0 of');
  });

  test('behavior: adopts them if they are allowed, or if no payment can be repeated', async () => {
    await taken(await desk(), { allow: ['foreign-nonces'] });
    await taken(await desk(), { isStrict: false });
  });

  test('behavior: knows what the run signed itself, and not what another program sent in its place', async () => {
    const context = await desk();
    const next = await nextOf({ chainId: 313371, chain: 'alpha', address: deployer }, context);
    const signed = [Number(next) - 1];
    await taken(context, { signed });
    const foreign = { nonce: signed[0] ?? 0, txHash: keccak256('0xff') } as const;
    await expect(taken(context, { signed, foreign })).rejects.toMatchObject({
      code: 'run.foreign-nonce',
      facts: expect.arrayContaining([['used by', foreign.txHash]]),
      hint: expect.stringContaining('--allow foreign-nonces'),
    });
  });

  test('behavior: knows a transaction that carries the batch of another run, and none that carries another, or of a planted run', async () => {
    const context = await desk();
    const transaction = { from: accounts.dev1.address, to: accounts.dev2.address, data: '0xaa0102bb' };
    const txHash = await minedAt(sandbox.rpcUrls.alpha, transaction);
    const document = QuoteDocument.from(await quoted.quote(quoted.intent('1', 'alpha/usdc', 'beta/usdc')), []);
    const next = Number(await nextOf({ chainId: 313371, chain: 'alpha', address: deployer }, context));
    const having = async (data: Hex, authorized = next - 1, isOwn = true): Promise<Desk> => {
      const handed = { type: 'signed-batch', request: { data: { data, authorizationList: [{ nonce: authorized }] } } };
      const place = { network: context.network.name, instance: await context.instance() };
      const run = {
        id: 'batch',
        isOwn,
        state: {
          ...place,
          quote: { document: { ...document, intent: { ...document.intent, user: deployer } } },
          sent: new Map(),
          handed,
        },
      };
      const runs = { unfinished: async () => [], list: async () => [run] } as unknown as Runs;
      return { ...context, runs: async () => runs };
    };
    const known = { signed: [next - 1], foreign: { nonce: next - 1, txHash } };
    await taken(await having('0x0102'), known);
    const planted = await having('0x0102', next - 1, false);
    for (const other of [await having('0x0103'), await having('0x0102', next), planted])
      await expect(taken(other, known)).rejects.toMatchObject({ code: 'run.foreign-nonce' });
  });
});

describe('trustSequence', () => {
  const executor = '0x000000009b1d0af20d8c6d0a44e162d11f9b8f00';

  /** A run of dev0 whose batch has sequence 0, and where its money is if it has ended; the chain's next one and the record's. */
  async function trusted({ end, next, known }: { end?: Funds; next: bigint; known: bigint }): Promise<void> {
    const context = await desk();
    const chain = Network.chain(context.network, 'alpha');
    const document = QuoteDocument.from(await quoted.quote(quoted.intent('1', 'alpha/usdc', 'beta/usdc')), []);
    const handed = { type: 'signed-batch', batchExecutor: executor, nonce: '0' };
    const { name: network } = context.network;
    const outcome = end && { funds: end };
    const state = {
      network,
      instance: await context.instance(),
      quote: { document },
      sent: new Map(),
      handed,
      outcome,
    };
    const run = { id: 'begun', state };
    const runs = { unfinished: async () => (end ? [] : [run]), list: async () => [run] };
    const node = { batchSequence: async () => next };
    const turn = { known: () => known, use: () => {} };
    const own = { ...context, runs: async () => runs, chain: async () => node, storeDoubt: async () => undefined };
    await trustSequence(turn as never, chain, { isStrict: true, allow: [] }, own as never);
  }

  test('error: a batch of an unfinished run that nobody has submitted has the same sequence', async () => {
    await expect(trusted({ next: 0n, known: 1n })).rejects.toMatchObject({
      code: 'run.unfinished',
      funds: 'untouched',
      run: 'begun',
      next: 'ferry resume begun',
    });
  });

  test('error: the node is behind: a run has ended whose batch has used the sequence', async () => {
    await expect(trusted({ end: 'delivered', next: 0n, known: 1n })).rejects.toMatchObject({
      code: 'submit.busy',
      funds: 'untouched',
      facts: expect.arrayContaining([['used by', 'begun']]),
    });
  });

  test('behavior: it was submitted, or the run has ended without it', async () => {
    await trusted({ next: 1n, known: 1n });
    await trusted({ end: 'delivered', next: 1n, known: 1n });
    await trusted({ end: 'untouched', next: 0n, known: 1n });
  });
});

test('assertFree: error: the nonce that an open run has on this chain, and on no other', async () => {
  const quote = await quoted.quote(quoted.intent('1', 'alpha/usdc', 'beta/usdc'));
  const state = Journal.from(
    journals.transactions.slice(0, 5).map((entry) => {
      if (entry.type === 'quote') return { ...entry, document: QuoteDocument.from(quote, []) };
      return entry.type === 'signed' ? { ...entry, nonce: 5 } : entry;
    }),
  );
  const runs = { unfinished: async () => [{ id: 'open', state }] } as unknown as Runs;
  const instance = async () => journals.intent.instance ?? undefined;
  const context = { ...(await desk()), network: quoted.network, runs: async () => runs, instance };
  const turn = { known: () => 6n } as Turn;
  const free = (name: string, next: bigint, signed: number[] = []) => {
    const { id: chainId, name: chain } = Network.chain(quoted.network, name);
    return assertFree({ turn, next }, { chainId, chain, address: quote.intent.user as `0x${string}` }, context, signed);
  };
  await expect(free('alpha', 5n)).rejects.toMatchObject({ code: 'run.unfinished', run: 'open' });
  await expect(free('alpha', 4n)).rejects.toMatchObject({ code: 'run.unfinished' });
  await free('alpha', 6n);
  await free('alpha', 5n, [5]);
  await free('beta', 5n);
});

test('assertFree: error: the nonce that the delegation of an open batch has, but not for its own run', async () => {
  const quote = await quoted.quote(quoted.intent('1', 'alpha/usdc', 'beta/usdc'));
  const state = Journal.from(
    journals.batch.map((entry) => {
      if (entry.type === 'quote') return { ...entry, document: QuoteDocument.from(quote, []) };
      if (entry.type !== 'signed-batch') return entry;
      const request = entry.request as Execute.Request;
      const authorizationList = [{ chainId: 1, address: deployer, nonce: 5, yParity: 0, r: '0x1', s: '0x1' }];
      return { ...entry, request: { ...request, data: { ...request.data, authorizationList } } };
    }),
  );
  const runs = { unfinished: async () => [{ id: 'open', state }] } as unknown as Runs;
  const instance = async () => journals.intent.instance ?? undefined;
  const context = { ...(await desk()), network: quoted.network, runs: async () => runs, instance };
  const { id: chainId, name: chain } = Network.chain(quoted.network, 'alpha');
  const counter = { chainId, chain, address: quote.intent.user as Hex };
  const free = (next: bigint, signed?: number[]) =>
    assertFree({ turn: { known: () => 6n } as Turn, next }, counter, context, signed);
  await expect(free(5n)).rejects.toMatchObject({ code: 'run.unfinished', run: 'open' });
  await free(6n);
  await free(5n, [5]);
});
