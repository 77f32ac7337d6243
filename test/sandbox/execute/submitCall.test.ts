import { encodeFunctionData, parseEther } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useService } from '../../support/customer.js';
import { authorize, bodyOf, sponsored } from '../../support/gasless.js';
import { gaslessCustomer } from '../../support/gaslessCustomer.js';
import { connect } from '../../support/nodeClients.js';
import { runs } from '../../support/runs.js';

const service = useService();
const { execute, quote, end, costs, sponsorBalance, sponsorHas } = gaslessCustomer(service);
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
    await nodeRpc.call(alpha.rpcUrl, 'evm_setAutomine', false);
    expect((await Promise.all(bodies.map(execute))).map(([status]) => status)).toEqual([200, 200]);
    await nodeRpc.call(alpha.rpcUrl, 'evm_setAutomine', true);
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

const stranger = `0x${'5e'.repeat(20)}` as const;

describe('executeCall', () => {
  const succeed = encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] });

  test('default: paid by the sponsor, as recorded', async () => {
    const { alpha } = service.chains;
    const before = sponsorBalance();
    const answer = await execute(sponsored(alpha, alpha.reverter, succeed));
    const status = await end(answer);
    expect(status).toMatchObject({ status: 'success', originChainId: alpha.id, destinationChainId: alpha.id });
    expect(status.inTxHashes).toEqual(status.txHashes);
    const record = await service.record(String(answer[1].requestId));
    expect(record).toMatchObject({ requestType: 'Call', features: ['gasless_execution'], protocol: null });
    const { execution, sponsored: paid } = await costs(String(answer[1].requestId));
    expect(execution).toBe(-paid);
    expect(execution).toBeLessThan(-0.02);
    expect(before - sponsorBalance()).toBe(BigInt(Math.round(paid * 1e6)));
    expect(record.data?.feeSponsorship?.actual).toMatchObject({
      components: { execution: { userPays: { amount: '0' } } },
      sponsorPayment: { amount: record.data?.fees?.actual?.sponsored?.amount },
    });
  });

  test('behavior: the sponsor also pays a value', async () => {
    const before = sponsorBalance();
    const body = sponsored(service.chains.alpha, stranger, '0x');
    const answer = await execute({ ...body, data: { ...body.data, value: parseEther('0.01').toString() } });
    await end(answer);
    expect(await service.holds(stranger, 'alpha/ETH')).toBe(parseEther('0.01'));
    const { data } = await service.record(String(answer[1].requestId));
    const fees = data?.fees?.actual?.sponsored;
    expect(before - sponsorBalance()).toBe(25_000_000n + BigInt(Math.round(Number(fees?.usd) * 1e6)));
    const paid = BigInt(data?.feeSponsorship?.actual?.sponsorPayment?.amount ?? 0);
    expect(paid - BigInt(fees?.amount ?? 0)).toBe(parseEther('0.01'));
  });

  test('behavior: an account without gas revokes its delegation', async () => {
    const { alpha } = service.chains;
    const client = connect(alpha);
    const delegate = await authorize(alpha, 'dev6');
    const first = sponsored(alpha, accounts.dev6.address, '0x');
    await end(await execute({ ...first, data: { ...first.data, authorizationList: [delegate] } }));
    expect(await client.getCode({ address: accounts.dev6.address })).toMatch(/^0xef0100/);
    const revoke = await authorize(alpha, 'dev6', { address: `0x${'0'.repeat(40)}` });
    await end(await execute({ ...first, data: { ...first.data, authorizationList: [revoke] } }));
    expect(await client.getCode({ address: accounts.dev6.address })).toBeUndefined();
  });

  test('behavior: not idempotent: the same call is executed again', async () => {
    const body = sponsored(service.chains.alpha, service.chains.alpha.reverter, succeed);
    const [[, one], [, two]] = [await execute(body), await execute(body)];
    expect(one.requestId).not.toBe(two.requestId);
  });

  test('error: insufficient sponsor balance; nothing is charged', async () => {
    const { alpha } = service.chains;
    const whole = sponsorBalance();
    await sponsorHas(20_000n);
    const tooLow = [400, { error: 'The balance of the sponsor is too low' }];
    expect(await execute(sponsored(alpha, alpha.reverter, succeed))).toEqual(tooLow);
    expect(sponsorBalance()).toBe(20_000n);
    const asked = await quote({ originGasOverhead: undefined });
    const body = await bodyOf(alpha, 'dev9', asked);
    await sponsorHas(100n);
    const sponsoring = { ...body, executionOptions: { ...body.executionOptions, subsidizeFees: true } };
    expect(await execute(sponsoring)).toEqual(tooLow);
    await sponsorHas(whole);
    expect((await end(await execute(sponsoring))).status).toBe('success');
    expect(sponsorBalance()).toBeLessThan(whole);
  });

  test('error: concurrent calls cannot spend the same balance', async () => {
    const { alpha } = service.chains;
    const whole = sponsorBalance();
    await sponsorHas(30_000n);
    const body = sponsored(alpha, alpha.reverter, succeed);
    const statuses = (await Promise.all([execute(body), execute(body)])).map(([status]) => status);
    expect(statuses.sort()).toEqual([200, 400]);
    await sponsorHas(whole);
  });
});
