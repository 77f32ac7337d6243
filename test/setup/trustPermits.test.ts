import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/core/command/Context.js';
import * as Network from '../../src/core/network/Network.js';
import type { Turn } from '../../src/core/ports/Ports.js';
import type { RunRecord } from '../../src/core/tracking/RunStore.js';
import { counterOf } from '../../src/setup/trustNonces.js';
import { sequence, trustPermits, unknownPermits } from '../../src/setup/trustPermits.js';
import { addFault } from '../support/faults.js';
import { at, ferry, temporaryFolder } from '../support/ferry.js';
import * as Loopback from '../support/loopback.js';
import { contextAt } from '../support/ownNetwork.js';
import { useSandbox } from '../support/sandbox.js';
import { serviceAt } from '../support/service.js';

const { sandbox } = useSandbox();

let payment: Promise<string> | undefined;

/** The request that a permit of dev9 has paid for; another permit was only quoted. */
function paidRequest(): Promise<string> {
  const pay = async (): Promise<string> => {
    const transfer = ['5', 'alpha/usdc', 'beta/usdc', '--permit', '--account', 'dev9', '--json'];
    const env = at(sandbox);
    const ended = await ferry(['execute', ...transfer, '--yes'], { env });
    expect((await ferry(['quote', ...transfer], { env })).code).toBe(0);
    return ended.json().data.requestId;
  };
  payment ??= pay();
  return payment;
}

type Desk = { context: Context & { asked: readonly string[] }; turn: Turn; trust(...allow: string[]): Promise<void> };

/** dev9 with an empty state directory, with real money at stake. */
async function desk({ answers, realMoney = true }: { answers?: readonly string[]; realMoney?: boolean } = {}) {
  await paidRequest();
  const env = { ...at(sandbox), FERRY_STATE_DIR: temporaryFolder(), FERRY_ACCOUNT: 'dev9' };
  const made = await contextAt(env, answers ? { answers } : {});
  const context = { ...made, network: { ...made.network, realMoney } };
  const chain = Network.chain(context.network, 'alpha');
  const { value: turn } = await context.nonces.take(await counterOf(chain, context)).next();
  if (!turn || !('known' in turn)) throw new Error('Another process has the turn.');
  const trust = (...allow: string[]) => trustPermits(turn, chain, { isStrict: false, allow }, context);
  return { context, turn, trust } satisfies Desk;
}

describe('trustPermits', () => {
  test('default: a permit that paid and is not known is refused, with nobody to ask', async () => {
    const { trust, turn } = await desk();
    await expect(trust()).rejects.toMatchObject({
      code: 'run.foreign-nonce',
      funds: 'untouched',
      message: expect.stringContaining('1 permit of 0x'),
      next: 'ferry runs reconcile alpha --account dev9',
    });
    expect(turn.known(sequence)).toBeUndefined();
  });

  test('behavior: adopts them after asking, once', async () => {
    const { context, trust } = await desk({ answers: ['y'] });
    await trust();
    await trust();
    expect(context.asked).toEqual([expect.stringContaining('paid twice')]);
  });

  test('behavior: allowed ones need no records', async () => {
    await addFault(sandbox, 'service', { kind: 'status', status: 500, match: { path: '/requests' }, times: 0 });
    const { trust, turn } = await desk();
    const before = Date.now();
    await trust('foreign-nonces');
    expect(turn.known(sequence)).toBeGreaterThan(BigInt(before - 5_000));
  });

  test('behavior: without real money nothing is asked', async () => {
    const { trust, turn } = await desk({ realMoney: false });
    await trust();
    expect(turn.known(sequence)).toBeUndefined();
  });

  test('error: records that cannot be read', async () => {
    await addFault(sandbox, 'service', { kind: 'status', status: 401, match: { path: '/requests' }, times: 0 });
    const { trust } = await desk();
    await expect(trust()).rejects.toMatchObject({ code: 'auth.refused', funds: 'untouched' });
  });
});

describe('unknownPermits', () => {
  test('attack: a far-off date of the service is not kept, after which no permit would be asked about', async () => {
    const date = 'Fri, 31 Dec 9999 23:59:59 GMT';
    const server = await Loopback.loopback(...[1, 2].map(() => Loopback.json({ requests: [] }, 200, { date })));
    const made = await contextAt({ ...at(sandbox), FERRY_ACCOUNT: 'dev9' }, {});
    const context: Context = { ...made, service: async () => serviceAt(server.url) };
    const { next } = await unknownPermits({ known: () => undefined } as Partial<Turn> as Turn, { id: 1 }, context);
    expect(next).toBeLessThan(BigInt(made.clock.now()) + 3_600_000n);
  });

  test('default: the requests that permits paid for since, by the clock of the service', async () => {
    const { context, turn } = await desk();
    const chain = Network.chain(context.network, 'alpha');
    const all = await unknownPermits(turn, chain, context);
    expect(all).toMatchObject({ owner: await context.sender(), known: undefined, requests: [await paidRequest()] });
    turn.use(all.next, sequence);
    expect(await unknownPermits(turn, chain, context)).toMatchObject({ known: all.next, requests: [] });
    const beta = Network.chain(context.network, 'beta');
    expect((await unknownPermits({ ...turn, known: () => undefined }, beta, context)).requests).toEqual([]);
  });

  test('behavior: in the last second that is known and later, only a permit of a run is known', async () => {
    const { context, turn } = await desk();
    const env = { ...at(sandbox), FERRY_STATE_DIR: temporaryFolder(), FERRY_ACCOUNT: 'dev9' };
    const pay = async (from: typeof env): Promise<string> => {
      const transfer = ['5', 'alpha/usdc', 'beta/usdc', '--permit', '--yes', '--json'];
      return (await ferry(['execute', ...transfer], { env: from })).json().data.requestId;
    };
    // In no second with another one, since the service dates requests by the second.
    const second = () => Math.floor(Date.now() / 1_000);
    const last = second();
    await expect.poll(second).toBeGreaterThan(last);
    const requestId = await pay(env);
    const { requests } = await (await context.service()).requests({ user: await context.sender(), limit: 50 });
    const createdAt = BigInt(Date.parse(requests.find(({ id }) => id === requestId)?.createdAt ?? ''));
    const chain = Network.chain(context.network, 'alpha');
    const isUnknown = async (byMs: bigint, of: Context): Promise<boolean> => {
      const found = await unknownPermits({ ...turn, known: () => createdAt + byMs }, chain, of);
      return found.requests.includes(requestId);
    };
    const own = await contextAt(env, {});
    // Another machine, which has run something before, and one that has not, or has no runs any more.
    const elsewhere = { ...env, FERRY_STATE_DIR: temporaryFolder(), FERRY_ACCOUNT: 'dev8' };
    await ferry(['execute', '1', 'alpha/usdc', 'beta/usdc', '--yes'], { env: elsewhere });
    const earlier = (await (await contextAt(elsewhere, {})).runs()).list;
    const others: Context = {
      ...context,
      runs: async () => ({
        ...(await context.runs()),
        list: async (limit) =>
          (await earlier(limit)).map((each) => ({ ...each, lines: each.lines.map((line) => ({ ...line, at: 1 })) })),
      }),
    };
    const changed = (change: (record: RunRecord) => RunRecord): Context => ({
      ...own,
      runs: async () => {
        const kept = await own.runs();
        return { ...kept, list: async (limit) => (await kept.list(limit)).map(change) };
      },
    });
    const planted = changed((record) => ({ ...record, isOwn: false }));
    // The same quote, saved and paid elsewhere.
    const unsigned = changed((record) => ({
      ...record,
      state: record.state && { ...record.state, handed: undefined },
    }));
    for (const byMs of [0n, 1_000n])
      expect([await isUnknown(byMs, own), await isUnknown(byMs, planted), await isUnknown(byMs, unsigned)]).toEqual([
        false,
        true,
        true,
      ]);
    for (const [byMs, ...expected] of [
      // Of a run of one's own, whose clock was behind, it is known however late it is.
      [0n, true, false, true],
      [1n, true, false, false],
      [1_000n, true, false, false],
      [1_001n, false, false, false],
    ] as const)
      expect([byMs, await isUnknown(byMs, others), await isUnknown(byMs, own), await isUnknown(byMs, context)]).toEqual(
        [byMs, ...expected],
      );
  });
});
