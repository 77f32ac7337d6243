import { encodeFunctionData, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts, type Name } from '../../../src/sandbox/values/devAccounts.js';
import { useService } from '../../support/customer.js';
import { authorize, batch, bodyOf, callsOf, sponsored } from '../../support/gasless.js';
import { gaslessCustomer } from '../../support/gaslessCustomer.js';
import { connect } from '../../support/nodeClients.js';

const service = useService();
const { execute, quote, end, costs, sponsorBalance } = gaslessCustomer(service);
const { dev9, relayer } = accounts;
const stranger = `0x${'5e'.repeat(20)}` as const;

describe('executeQuote', () => {
  test('behavior: origin gas is part of the execution fee only, quoted and charged', async () => {
    const plain = await quote({ originGasOverhead: undefined });
    const asked = await quote();
    const [less, more] = [plain, asked].map(({ details }) => Number(details.expandedPriceImpact?.execution?.usd));
    expect(more).toBeLessThan(less ?? 0);
    expect([Number(plain.fees?.gas?.amount) > 0, asked.fees?.gas?.amount]).toEqual([true, '0']);
    expect(Number(asked.fees?.relayerGas?.amount)).toBeGreaterThan(Number(plain.fees?.relayerGas?.amount));
    await end(await execute(await bodyOf(service.chains.alpha, 'dev9', asked)));
    const { gas, execution } = await costs(asked.requestId);
    expect(execution).toBeCloseTo(-(0.02 + gas), 6);
    const { data, features } = await service.record(asked.requestId);
    expect(features).toEqual(['gasless_execution']);
    expect(data?.fees?.quoted?.execution?.usd).toBe(asked.details.expandedPriceImpact?.execution?.usd);
  });

  test('behavior: a batch with the relayer as executor', async () => {
    const body = await bodyOf(service.chains.alpha, 'dev9', await quote(), { executor: relayer.address });
    expect((await end(await execute(body))).status).toBe('success');
  });

  test('error: an executed batch', async () => {
    const { alpha } = service.chains;
    const asked = await quote();
    const data = await batch(alpha, 'dev9', callsOf(asked));
    await end(await execute({ ...(await bodyOf(alpha, 'dev9', asked)), data: { ...call(alpha.id, data) } }));
    const [status, answer] = await execute(sponsored(alpha, dev9.address, data));
    expect([status, answer.error]).toEqual([400, 'INVALID_NONCE']);
  });

  test('error: misuse of a batch', async () => {
    const { alpha } = service.chains;
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
    const { alpha } = service.chains;
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
    const { alpha } = service.chains;
    const asked = await quote({ originGasOverhead: undefined });
    const body = await bodyOf(alpha, 'dev9', asked);
    const [status, { error }] = await execute(body);
    expect([status, error]).toEqual([400, expect.stringMatching(/^The quote holds no origin gas/)]);
    const paid = await bodyOf(alpha, 'dev9', await quote());
    expect(await execute({ ...paid, data: { ...paid.data, value: '1' } })).toEqual([
      400,
      { error: 'value must be 0 unless subsidizeFees is true' },
    ]);
  });

  test('behavior: gas that only the call asks for is paid by the sponsor', async () => {
    const { alpha } = service.chains;
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
    const { alpha, beta } = service.chains;
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

  test('error: invalid authorizations', async () => {
    const { alpha } = service.chains;
    const asked = await quote({ account: 'dev7' });
    const body = await bodyOf(alpha, 'dev7', asked);
    const withOne = async (change: Parameters<typeof authorize>[2]) => {
      const authorizationList = [await authorize(alpha, 'dev7', change)];
      const [status, { error }] = await execute({ ...body, data: { ...body.data, authorizationList } });
      return [status, error];
    };
    const where = 'authorizationList[0]';
    expect(await withOne({ chainId: 0 })).toEqual([400, `${where}.chainId is 0, which every chain takes`]);
    expect(await withOne({ chainId: 1 })).toEqual([400, `${where}.chainId is not ${alpha.id}`]);
    expect(await withOne({ nonce: 3 })).toEqual([
      400,
      expect.stringMatching(/nonce is 3, but the account .* is at 0$/),
    ]);
    expect((await end(await execute(body))).status).toBe('success');
  });
});

/** The data of a call by dev9 itself. */
function call(chainId: number, data: Hex) {
  return { chainId, to: dev9.address, data, value: '0' };
}

describe('executeQuote: same-chain', () => {
  const swap = { from: 'alpha/USDC', to: 'alpha/DAI', amount: '10000000', account: 'dev9' } as const;

  test('default: a sponsored swap', async () => {
    const { alpha } = service.chains;
    const asked = await service.quote(swap);
    const body = await bodyOf(alpha, 'dev9', asked);
    const answer = await execute({ ...body, executionOptions: { ...body.executionOptions, subsidizeFees: true } });
    expect((await end(answer)).status).toBe('success');
    expect(await service.record(asked.requestId)).toMatchObject({ requestType: 'Same-chain Swap' });
  });

  test('error: without a sponsor', async () => {
    const asked = await service.quote({ ...swap, originGasOverhead: 80_000 });
    expect(await execute(await bodyOf(service.chains.alpha, 'dev9', asked))).toEqual([
      400,
      { error: 'subsidizeFees must be true for a transaction on one chain' },
    ]);
  });
});

describe('readCalls', () => {
  const field = 'destinationChainExecutionData';

  async function withCalls(asked: Awaited<ReturnType<typeof quote>>, data: unknown, subsidizeFees = false) {
    const body = await bodyOf(service.chains.alpha, 'dev9', asked);
    return await execute({ ...body, executionOptions: { ...body.executionOptions, subsidizeFees, [field]: data } });
  }

  /** A batch on beta that transfers the fill's output onward. */
  async function forward(account: Name, to: Hex, amount: bigint) {
    const { beta } = service.chains;
    const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [to, amount] });
    return await batch(beta, account, [{ to: beta.tokens.USDC.address, value: 0n, data }]);
  }

  test('default: after the fill, with their authorizations', async () => {
    const { beta } = service.chains;
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
    const { beta } = service.chains;
    const calls = [
      { to: receiver, value: '7' },
      { to: beta.reverter, data: encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] }) },
      { to: receiver },
    ];
    expect((await end(await withCalls(await quote(), { calls }, true))).status).toBe('success');
    expect(await service.holds(receiver, 'beta/ETH')).toBe(7n);
  });

  test("behavior: the call's authorizations apply on the chain they are signed for", async () => {
    const { alpha, beta } = service.chains;
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
    const { beta } = service.chains;
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
    await service.sandbox.fetch(new Request(`http://localhost/sandbox/faults/${id}`, { method: 'DELETE' }));
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
    const { alpha, beta } = service.chains;
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
