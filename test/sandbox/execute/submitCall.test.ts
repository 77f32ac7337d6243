/** Calls that the service submits, with a quote and without: paid once, for whom, and what is refused. */
import { encodeFunctionData, type Hex, parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Execute from '../../../src/core/api/Execute.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts, type Name } from '../../../src/sandbox/values/devAccounts.js';
import { useService } from '../../support/customer.js';
import { authorize, batch, bodyOf, callsOf, sponsored } from '../../support/gasless.js';
import { gaslessCustomer } from '../../support/gaslessCustomer.js';
import { connect } from '../../support/nodeClients.js';
import { runs } from '../../support/runs.js';

const stranger = `0x${'5e'.repeat(20)}` as const;

const service = useService();
const { alpha, beta } = service.chains;
const { execute, quote, end, costs, sponsorBalance, sponsorHas } = gaslessCustomer(service);
const { dev9, relayer } = accounts;

describe('execute', () => {
  test('behavior: waiting, depositing, pending, submitted, success', async () => {
    const asked = await quote();
    const body = await bodyOf(alpha, 'dev9', asked);
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
    const asked = await quote();
    await execute(await bodyOf(alpha, 'dev9', asked));
    await service.restart();
    expect((await service.end(asked.requestId)).status).toBe('success');
    expect(await service.record(asked.requestId)).toMatchObject({ features: ['gasless_execution'] });
  });

  test('behavior: the second of two batches with one nonce reverts and can be replaced', async () => {
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

describe('executeCall', () => {
  const succeed = encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] });

  test('default: paid by the sponsor, as recorded', async () => {
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
    const body = sponsored(alpha, stranger, '0x');
    const answer = await execute({ ...body, data: { ...body.data, value: parseEther('0.01').toString() } });
    await end(answer);
    expect(await service.holds(stranger, 'alpha/ETH')).toBe(parseEther('0.01'));
    const { data } = await service.record(String(answer[1].requestId));
    const fees = data?.fees?.actual?.sponsored;
    expect(before - sponsorBalance()).toBe(25_000_000n + BigInt(Math.round(Number(fees?.usd) * 1e6)));
    const paid = BigInt(data?.feeSponsorship?.actual?.sponsorPayment?.amount ?? 0);
    expect(paid - BigInt(fees?.amount ?? 0)).toBe(parseEther('0.01'));
  });

  test('behavior: not idempotent: the same call is executed again', async () => {
    const body = sponsored(alpha, alpha.reverter, succeed);
    const [[, one], [, two]] = [await execute(body), await execute(body)];
    expect(one.requestId).not.toBe(two.requestId);
  });

  test('error: insufficient sponsor balance; nothing is charged', async () => {
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
    const whole = sponsorBalance();
    await sponsorHas(30_000n);
    const body = sponsored(alpha, alpha.reverter, succeed);
    const statuses = (await Promise.all([execute(body), execute(body)])).map(([status]) => status);
    expect(statuses.sort()).toEqual([200, 400]);
    await sponsorHas(whole);
  });
});

describe('executeQuote', () => {
  test('behavior: origin gas is part of the execution fee only, quoted and charged', async () => {
    const plain = await quote({ originGasOverhead: undefined });
    const asked = await quote();
    const [less, more] = [plain, asked].map(({ details }) => Number(details.expandedPriceImpact?.execution?.usd));
    expect(more).toBeLessThan(less ?? 0);
    expect([Number(plain.fees?.gas?.amount) > 0, asked.fees?.gas?.amount]).toEqual([true, '0']);
    expect(Number(asked.fees?.relayerGas?.amount)).toBeGreaterThan(Number(plain.fees?.relayerGas?.amount));
    await end(await execute(await bodyOf(alpha, 'dev9', asked)));
    const { gas, execution } = await costs(asked.requestId);
    expect(execution).toBeCloseTo(-(0.02 + gas), 6);
    const { data, features } = await service.record(asked.requestId);
    expect(features).toEqual(['gasless_execution']);
    expect(data?.fees?.quoted?.execution?.usd).toBe(asked.details.expandedPriceImpact?.execution?.usd);
  });

  test('error: an executed batch', async () => {
    const asked = await quote();
    const data = await batch(alpha, 'dev9', callsOf(asked));
    await end(await execute({ ...(await bodyOf(alpha, 'dev9', asked)), data: { ...call(alpha.id, data) } }));
    const [status, answer] = await execute(sponsored(alpha, dev9.address, data));
    expect([status, answer.error]).toEqual([400, 'INVALID_NONCE']);
  });

  test('error: misuse of a batch', async () => {
    const asked = await quote();
    const label = async (options: Parameters<typeof bodyOf>[3]) => {
      const [, { error, requestId }] = await execute(await bodyOf(alpha, 'dev9', asked, options));
      expect(requestId).toBe(asked.requestId);
      return error;
    };
    expect(await label({ deadline: 1n })).toBe('SIGNATURE_EXPIRED');
    expect(await label({ executor: stranger })).toBe('UNAUTHORIZED');
    expect(await label({ nonce: 9n })).toBe('INVALID_NONCE');
    expect(await label({ signer: 'dev1' })).toBe('INVALID_SIGNATURE');
    expect((await service.status(asked.requestId)).status).toBe('waiting');
  });

  test('error: a call without a deposit', async () => {
    const asked = await quote();
    const body = await bodyOf(alpha, 'dev9', asked);
    const approval = callsOf(asked).slice(0, 1);
    const nothing = { ...body, data: call(alpha.id, await batch(alpha, 'dev9', approval)) };
    const error = `The call makes no deposit for the quote ${asked.requestId}`;
    expect(await execute(nothing)).toEqual([400, { error }]);
    const other = await quote();
    expect(await execute({ ...body, requestId: other.requestId })).toEqual([
      400,
      { error: `The call makes no deposit for the quote ${other.requestId}` },
    ]);
  });

  test('error: gas or value that nobody pays for', async () => {
    const asked = await quote({ originGasOverhead: undefined });
    const body = await bodyOf(alpha, 'dev9', asked);
    const [status, { error }] = await execute(body);
    expect([status, error]).toEqual([400, expect.stringMatching(/^The quote holds no origin gas/)]);
    const paid = await bodyOf(alpha, 'dev9', await quote());
    expect(await execute({ ...paid, data: { ...paid.data, value: '1' } })).toEqual([
      400,
      { error: 'value must be 0 unless subsidizeFees is true' },
    ]);
    const swap = { from: 'alpha/USDC', to: 'alpha/DAI', amount: '10000000', account: 'dev9' } as const;
    const local = await service.quote({ ...swap, originGasOverhead: 80_000 });
    expect(await execute(await bodyOf(alpha, 'dev9', local))).toEqual([
      400,
      { error: 'subsidizeFees must be true for a transaction on one chain' },
    ]);
  });

  test('behavior: gas that only the call asks for is paid by the sponsor', async () => {
    const asked = await quote({ originGasOverhead: undefined });
    const before = sponsorBalance();
    const body = await bodyOf(alpha, 'dev9', asked);
    expect((await execute({ ...body, originGasOverhead: 0 }))[0]).toBe(400);
    expect((await end(await execute({ ...body, originGasOverhead: 80_000 }))).status).toBe('success');
    const { sponsored } = await costs(asked.requestId);
    const { data } = await service.record(asked.requestId);
    const gas = (data?.inTxs ?? []).reduce((sum, tx) => sum + Number(tx.feeUsd), 0);
    expect(sponsored).toBeCloseTo(gas, 6);
    expect(Number(before - sponsorBalance()) / 1e6).toBeCloseTo(gas, 6);
  });

  test('error: wrong chain, and a quote already paid', async () => {
    const asked = await quote({ account: 'dev8' });
    const body = await bodyOf(alpha, 'dev8', asked);
    expect(await execute({ ...body, data: { ...body.data, chainId: beta.id } })).toEqual([
      400,
      { error: `chainId is ${beta.id}, but the quote begins on ${alpha.id}` },
    ]);
    await service.pay(asked, 'dev8');
    await service.end(asked.requestId);
    const [status, { error }] = await execute(await bodyOf(alpha, 'dev8', asked));
    expect([status, error]).toEqual([400, `requestId ${asked.requestId} has its deposit already`]);
  });
});

/** The data of a call by dev9 itself. */
function call(chainId: number, data: Hex) {
  return { chainId, to: dev9.address, data, value: '0' };
}

describe('readCalls', () => {
  const field = 'destinationChainExecutionData';

  async function withCalls(asked: Awaited<ReturnType<typeof quote>>, data: unknown, subsidizeFees = false) {
    const body = await bodyOf(alpha, 'dev9', asked);
    return await execute({ ...body, executionOptions: { ...body.executionOptions, subsidizeFees, [field]: data } });
  }

  /** A batch on beta that transfers the fill's output onward. */
  async function forward(account: Name, to: Hex, amount: bigint) {
    const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [to, amount] });
    return await batch(beta, account, [{ to: beta.tokens.USDC.address, value: 0n, data }]);
  }

  test('default: after the fill, with their authorizations', async () => {
    const { address } = accounts.dev5;
    const asked = await quote({ recipient: address });
    const amount = BigInt(asked.details.currencyOut.amount);
    const calls = [{ to: address, data: await forward('dev5', stranger, amount) }];
    const answer = await withCalls(asked, { calls, authorizationList: [await authorize(beta, 'dev5')] });
    const { status, txHashes } = await end(answer);
    expect([status, txHashes.length]).toEqual(['success', 2]);
    expect(await service.holds(stranger, 'beta/USDC')).toBe(amount);
    const [fill, after] = await Promise.all(txHashes.map((hash) => connect(beta).getTransactionReceipt({ hash })));
    expect(after?.from).toBe(relayer.address.toLowerCase());
    expect(after?.blockNumber).toBeGreaterThan(fill?.blockNumber ?? 0n);
    const { gas, execution } = await costs(asked.requestId);
    expect(execution).toBeCloseTo(-(0.02 + gas), 6);
  });

  test('behavior: several calls, a sponsored value, and calls with defaults', async () => {
    const receiver = `0x${'6a'.repeat(20)}` as const;
    const calls = [
      { to: receiver, value: '7' },
      { to: beta.reverter, data: encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] }) },
      { to: receiver },
    ];
    expect((await end(await withCalls(await quote(), { calls }, true))).status).toBe('success');
    expect(await service.holds(receiver, 'beta/ETH')).toBe(7n);
  });

  test("behavior: the call's authorizations apply on the chain they are signed for", async () => {
    const { address } = accounts.dev4;
    const asked = await quote();
    const body = await bodyOf(alpha, 'dev9', asked);
    const authorizationList = [...(body.data.authorizationList ?? []), await authorize(beta, 'dev4')];
    const status = await end(await execute({ ...body, data: { ...body.data, authorizationList } }));
    expect([status.status, status.txHashes.length]).toEqual(['success', 2]);
    expect(await connect(beta).getCode({ address })).toMatch(/^0xef0100/);
    expect(await connect(alpha).getCode({ address })).toBeUndefined();
  });

  test('behavior: failed calls are reported; the output stays delivered', async () => {
    const data = encodeFunctionData({ abi: abi.reverter, functionName: 'empty' });
    const asked = await quote();
    const status = await end(await withCalls(asked, { calls: [{ to: beta.reverter, data }] }));
    expect(status).toMatchObject({ status: 'success', details: 'The calls on the destination chain reverted' });
    const { data: recorded } = await service.record(asked.requestId);
    expect(recorded?.failedTxHash).toBe(status.txHashes[1]);
    expect(recorded?.outTxs?.map((tx) => tx.status)).toEqual(['success', 'failure']);
  });

  test('behavior: survives a restart between the fill and the calls', async () => {
    const receiver = `0x${'6b'.repeat(20)}` as const;
    const asked = await quote();
    const id = await service.fault({ kind: 'solver', does: 'stuck', match: { requestId: asked.requestId } });
    await withCalls(asked, { calls: [{ to: receiver, value: '7' }] }, true);
    await service.until(asked.requestId, 'pending');
    await service.restart();
    expect((await service.status(asked.requestId)).status).toBe('pending');
    await service.clearFaults(id);
    expect((await service.end(asked.requestId)).status).toBe('success');
    expect(await service.holds(receiver, 'beta/ETH')).toBe(7n);
  });

  test('behavior: a call without a field is valid in shape, and calls nothing', async () => {
    const asked = await quote();
    await withCalls(asked, { calls: [{}] }, true);
    expect((await service.end(asked.requestId)).status).toBe('success');
  });

  test.each<[error: string, data: unknown]>([
    [`${field}.calls[0].to is required`, { calls: [{ data: '0x01' }] }],
    [
      `${field}.calls[1].value must be a string of digits`,
      { calls: [{ to: stranger }, { to: stranger, value: '-1' }] },
    ],
    [`${field}.calls[0].data must be whole bytes`, { calls: [{ to: stranger, data: '0x1' }] }],
    [`${field} may send no value unless subsidizeFees is true`, { calls: [{ to: stranger, value: '1' }] }],
  ])('error: %s', async (error, data) => {
    expect(await withCalls(await quote(), data)).toEqual([400, { error }]);
  });

  test('error: an authorization for the origin, and a quote without a fill', async () => {
    const authorizationList = [await authorize(alpha, 'dev5')];
    expect(await withCalls(await quote(), { calls: [{ to: stranger }], authorizationList })).toEqual([
      400,
      { error: `${field}.authorizationList[0].chainId is not ${beta.id}` },
    ]);
    const swap = await service.quote({ from: 'alpha/USDC', to: 'alpha/DAI', amount: '10000000', account: 'dev9' });
    expect(await withCalls(swap, { calls: [{ to: stranger }] }, true)).toEqual([
      400,
      { error: `${field} needs a quote that the solver fills` },
    ]);
  });
});

describe('simulateOrReject', () => {
  test('behavior: inside a signed batch of an account delegated in the same call', async () => {
    const { address } = accounts.dev4;
    const amount = 10n ** 30n;
    const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [stranger, amount] });
    const signed = await batch(alpha, 'dev4', [{ to: alpha.tokens.USDC.address, value: 0n, data }]);
    const body = sponsored(alpha, address, signed);
    const authorizationList = [await authorize(alpha, 'dev4')];
    const [, answer] = await execute({ ...body, data: { ...body.data, authorizationList } });
    const { error, details } = Execute.simulationError.parse(answer);
    expect(error).toBe('ERC20_INSUFFICIENT_BALANCE');
    expect(details?.path.map((frame) => frame.function)).toEqual(['BatchExecutor.execute', 'UsdCoin.transfer']);
    expect(details?.topLevel.address).toBe(address.toLowerCase());
    expect(details?.revert.args).toMatchObject({ needed: amount.toString() });
  });
});
