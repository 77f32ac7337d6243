import { afterEach, describe, expect, test } from 'vitest';
import { connect } from '../../../src/sandbox/chain/clients.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useService } from '../../support/customer.js';
import { bodyOf } from '../../support/gasless.js';
import { gaslessCustomer } from '../../support/gaslessCustomer.js';
import { runs } from '../../support/runs.js';

const service = useService();
const { execute, quote, end } = gaslessCustomer(service);
const { dev9, relayer } = accounts;

afterEach(() => service.clearFaults());

describe('execute', () => {
  test('default: bridges USDC without ETH twice, with one authorization', async () => {
    const { alpha, beta } = service.chains;
    const client = connect(alpha);
    for (const isFirst of [true, false]) {
      const before = await service.holds(dev9.address, 'beta/USDC');
      const asked = await quote();
      const body = await bodyOf(alpha, 'dev9', asked);
      expect('authorizationList' in body.data).toBe(isFirst);
      const answer = await execute(body);
      expect(answer).toEqual([200, { message: 'Transaction submitted', requestId: asked.requestId }]);
      const status = await end(answer);
      expect(status).toMatchObject({ status: 'success', originChainId: alpha.id, destinationChainId: beta.id });
      expect([status.inTxHashes.length, status.txHashes.length]).toEqual([1, 1]);
      const arrived = (await service.holds(dev9.address, 'beta/USDC')) - before;
      expect(arrived).toBe(BigInt(asked.details.currencyOut.amount));
      const sent = await client.getTransaction({ hash: status.inTxHashes[0] ?? '0x' });
      expect(sent).toMatchObject({ from: relayer.address.toLowerCase(), type: isFirst ? 'eip7702' : 'eip1559' });
    }
    expect(await client.getCode({ address: dev9.address })).toBe(
      `0xef0100${alpha.batchExecutor.slice(2).toLowerCase()}`,
    );
    for (const chain of ['alpha/ETH', 'beta/ETH']) expect(await service.holds(dev9.address, chain)).toBe(0n);
  });

  test('behavior: waiting, depositing, pending, submitted, success', async () => {
    const asked = await quote();
    const body = await bodyOf(service.chains.alpha, 'dev9', asked);
    const states: string[] = [];
    const details: unknown[] = [];
    await execute(body);
    while (states.at(-1) !== 'success') {
      const status = await service.status(asked.requestId);
      if (states.at(-1) !== status.status) {
        states.push(status.status);
        details.push(status.details);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(states).toEqual(['waiting', 'depositing', 'pending', 'submitted', 'success']);
    expect(details[0]).toBe('Transaction queued');
  });

  test('behavior: idempotent', async () => {
    const { alpha } = service.chains;
    const asked = await quote();
    const body = await bodyOf(alpha, 'dev9', asked);
    const before = await connect(alpha).getTransactionCount({ address: relayer.address });
    const answers = await Promise.all([execute(body), execute(body), execute({ ...body })]);
    await service.end(asked.requestId);
    answers.push(await execute(body));
    for (const answer of answers)
      expect(answer).toEqual([200, { message: 'Transaction submitted', requestId: asked.requestId }]);
    expect(await connect(alpha).getTransactionCount({ address: relayer.address })).toBe(before + 1);
    const other = await bodyOf(alpha, 'dev9', asked);
    expect(await execute({ ...other, originGasOverhead: 1 })).toEqual([
      400,
      { error: `requestId ${asked.requestId} is executed already` },
    ]);
  });

  test('behavior: the queue survives a restart', async () => {
    const { alpha } = service.chains;
    const asked = await quote();
    await execute(await bodyOf(alpha, 'dev9', asked));
    await service.restart();
    expect((await service.end(asked.requestId)).status).toBe('success');
    expect(await service.record(asked.requestId)).toMatchObject({ features: ['gasless_execution'] });
  });

  test('behavior: the second of two batches with one nonce reverts and can be replaced', async () => {
    const { alpha } = service.chains;
    const [first, second] = [await quote(), await quote()];
    const bodies = [await bodyOf(alpha, 'dev9', first), await bodyOf(alpha, 'dev9', second)];
    expect((await Promise.all(bodies.map(execute))).map(([status]) => status)).toEqual([200, 200]);
    const ends = await Promise.all([first, second].map(({ requestId }) => service.end(requestId)));
    expect(ends.map(({ status }) => status).sort()).toEqual(['failure', 'success']);
    const [failed] = [first, second].filter((_, index) => ends[index]?.status === 'failure');
    if (!failed) throw new Error('neither failed');
    expect(await service.status(failed.requestId)).toMatchObject({ failReason: 'TRANSACTION_REVERTED', txHashes: [] });
    expect((await service.record(failed.requestId)).data?.failedTxHash).toMatch(/^0x/);
    const again = await bodyOf(alpha, 'dev9', failed);
    await execute(again);
    expect((await service.until(failed.requestId, 'success')).inTxHashes).toHaveLength(2);
  });
});

describe('execute: lost responses', () => {
  const losses = {
    'lost before acting': { kind: 'drop' },
    'lost after acting': { kind: 'drop-after' },
    '500 before acting': { kind: 'status', status: 500 },
    '500 after acting': { kind: 'status-after', status: 500 },
  } as const;

  test.each(Object.entries(losses))(
    'behavior: %s, time and again: resending the same bytes has a single effect',
    async (name, fault) => {
      const { alpha } = service.chains;
      const acts = name.endsWith('after acting');
      for (let round = 0; round < runs(20); round++) {
        const asked = await quote({ amount: '1000000' });
        const body = await bodyOf(alpha, 'dev9', asked);
        const before = await service.holds(dev9.address, 'alpha/USDC');
        await service.fault({ ...fault, match: { path: '/execute' } });
        const lost = await execute(body).catch(() => undefined);
        expect(lost === undefined || lost[0] === 500).toBe(true);
        // Even before a retry, the status shows what was done.
        const { status, details } = await service.status(asked.requestId);
        expect(status !== 'waiting' || details !== undefined).toBe(acts);
        expect((await end(await execute(body))).status).toBe('success');
        expect(before - (await service.holds(dev9.address, 'alpha/USDC'))).toBe(1_000_000n);
        expect((await service.status(asked.requestId)).inTxHashes).toHaveLength(1);
      }
    },
  );
});
