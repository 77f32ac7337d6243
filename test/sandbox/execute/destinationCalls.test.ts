import { encodeFunctionData, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { connect } from '../../../src/sandbox/chain/clients.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts, type Name } from '../../../src/sandbox/values/devAccounts.js';
import { useService } from '../../support/customer.js';
import { authorize, batch, bodyOf } from '../../support/gasless.js';
import { gaslessCustomer } from '../../support/gaslessCustomer.js';

const service = useService();
const { execute, quote, end, costs } = gaslessCustomer(service);
const { relayer } = accounts;
const stranger = `0x${'5e'.repeat(20)}` as const;

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
