import { encodeFunctionData, parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { connect } from '../../../src/sandbox/chain/clients.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useService } from '../../support/customer.js';
import { authorize, bodyOf, sponsored } from '../../support/gasless.js';
import { gaslessCustomer } from '../../support/gaslessCustomer.js';

const service = useService();
const { execute, quote, end, costs, sponsorBalance, sponsorHas } = gaslessCustomer(service);
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
