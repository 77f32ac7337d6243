import { parseEther } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { type Account, accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, send } from '../../support/chains.js';
import { key, useService } from '../../support/customer.js';
import { bodyOf, signPermit } from '../../support/gasless.js';
import { connect } from '../../support/nodeClients.js';

const service = useService();

afterEach(() => service.clearFaults());

const { dev0, dev1, dev2 } = accounts;

/** A deposit that deviates from what a quote would specify. */
async function deposit(
  orderId: string | undefined,
  what: { token: 'USDC' | 'DAI'; amount: bigint; depositor?: Account; on?: 'alpha' | 'beta' },
): Promise<void> {
  const { token, amount, depositor = dev0, on = 'alpha' } = what;
  const chain = service.chains[on];
  const { address } = chain.tokens[token];
  await approve(chain, dev0, address, chain.depository, amount);
  await send(chain, dev0, {
    address: chain.depository,
    abi: abi.depository,
    functionName: 'depositErc20',
    args: [depositor.address, address, amount, orderId],
  });
}

describe('createSolver: refunds', () => {
  test('default: a forced refund returns the deposit less gas', async () => {
    const before = await service.holds(dev1.address, 'alpha/USDC');
    const quote = await service.quote({
      from: 'alpha/USDC',
      to: 'beta/USDC',
      amount: '100000000',
      referrer: 'debug-force-refund',
      refundTo: dev2.address,
      account: 'dev1',
    });
    const beforeRefund = await service.holds(dev2.address, 'alpha/USDC');
    await service.pay(quote, 'dev1');
    const status = await service.end(quote.requestId);
    expect(status).toMatchObject({ status: 'refund', failReason: 'MANUAL_ADMIN_REFUND', refundFailReason: 'N/A' });
    expect(status.txHashes).toHaveLength(1);
    expect(before - (await service.holds(dev1.address, 'alpha/USDC'))).toBe(100_000_000n);

    const returned = (await service.holds(dev2.address, 'alpha/USDC')) - beforeRefund;
    expect(returned).toBeGreaterThan(99_900_000n);
    expect(returned).toBeLessThan(100_000_000n);
    const { data, protocol } = await service.record(quote.requestId);
    const [refundTx] = data?.outTxs ?? [];
    expect(refundTx).toMatchObject({ txHash: status.txHashes?.[0], chainId: 313371, status: 'success' });
    expect(data?.refundCurrencyData).toMatchObject({ amount: returned.toString() });
    expect(data?.fees?.actual?.execution).toMatchObject({ amount: (100_000_000n - returned).toString() });
    expect(protocol?.settlement?.destination).toMatchObject({
      fills: [],
      refunds: [{ chainId: 313371, transactionId: status.txHashes?.[0] }],
    });
  });

  test.each([
    ['past the deadline of the order', {}, 8 * 24 * 3_600_000, 'PROTOCOL_DEADLINE_EXPIRED'],
    ['past its TTL', { ttl: 60 }, 61_000, 'TTL_EXPIRED'],
  ])('behavior: %s', async (_, wish, laterMs, failReason) => {
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '3000000', ...wish });
    service.travel(laterMs);
    await service.pay(quote);
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'refund', failReason });
  });

  test('behavior: refunds a second deposit for a filled order, which stays filled', async () => {
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '50000000' });
    await service.pay(quote);
    await service.end(quote.requestId);
    const before = await service.holds(dev0.address, 'alpha/USDC');
    await deposit(quote.protocol?.v2?.orderId, { token: 'USDC', amount: 50_000_000n });
    const { requestId } = quote;
    await expect
      .poll(async () => (await service.status(requestId)).details, { interval: 20 })
      .toContain('DOUBLE_SPEND');
    expect((await service.status(requestId)).status).toBe('success');
    expect(before - (await service.holds(dev0.address, 'alpha/USDC'))).toBeLessThan(50_000n);
  });

  test('behavior: without refundTo the user is refunded, whoever submits the payment', async () => {
    const { alpha } = service.chains;
    const wish = {
      from: 'alpha/USDC',
      to: 'beta/USDC',
      amount: '50000000',
      account: 'dev2',
      referrer: 'debug-force-refund',
      refundTo: undefined,
    } as const;

    const before = await service.holds(dev2.address, 'alpha/USDC');
    const own = await service.quote(wish);
    await service.pay(own);
    const gasless = await service.quote({ ...wish, originGasOverhead: 80_000 });
    await service.post('/execute', await bodyOf(alpha, 'dev2', gasless), key);
    const permitted = await service.quote({ ...wish, usePermit: true });
    const { path, body } = await signPermit(permitted, 'dev2');
    await service.post(path, body);
    for (const { requestId, protocol } of [own, gasless, permitted]) {
      const [refund] = protocol?.v2?.orderData.inputs[0]?.refunds ?? [];
      expect(refund?.recipient).toBe(dev2.address);
      expect(await service.end(requestId)).toMatchObject({
        status: 'refund',
        failReason: 'MANUAL_ADMIN_REFUND',
        txHashes: [expect.stringMatching(/^0x/)],
      });
    }
    expect(before - (await service.holds(dev2.address, 'alpha/USDC'))).toBeLessThan(150_000n);
  });

  test('behavior: refunds the deposit if the recipient rejects payment and the fill reverts', async () => {
    const { beta } = service.chains;
    const refusing = `0x${'7'.repeat(40)}` as const;
    // PUSH0 PUSH0 REVERT
    await nodeRpc.call(beta.rpcUrl, 'anvil_setCode', refusing, '0x5f5ffd');
    const quote = await service.quote({
      from: 'alpha/ETH',
      to: 'beta/ETH',
      amount: parseEther('0.1').toString(),
      recipient: refusing,
    });
    await service.pay(quote);
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'refund', failReason: 'TRANSACTION_REVERTED' });
    const { data } = await service.record(quote.requestId);
    const { hash } = await connect(beta).getTransaction({ hash: data?.failedTxHash as `0x${string}` });
    expect(hash).toBe(data?.failedTxHash);
    expect(data?.failedCallData).toMatchObject({ to: refusing });
  });

  test("behavior: refunds the deposit if the sponsor's balance has run out", async () => {
    const quote = await service.quote({
      from: 'alpha/USDC',
      to: 'beta/USDT',
      amount: '100000000',
      subsidizeFees: true,
      headers: key,
    });
    const { ledger } = service.sandbox;
    ledger.chargeSponsor(ledger.sponsorBalanceUsd() - 1n);
    await service.restart();
    await service.pay(quote);
    expect(await service.end(quote.requestId)).toMatchObject({
      status: 'refund',
      failReason: 'SPONSOR_BALANCE_TOO_LOW',
    });
  });
});

describe('createSolver: faults', () => {
  const wish = { from: 'alpha/USDC', to: 'beta/USDC', amount: '5000000' } as const;

  test('behavior: stuck survives a restart, until faults are cleared', async () => {
    await service.fault({ kind: 'solver', does: 'stuck' });
    const quote = await service.quote(wish);
    await service.pay(quote);
    await service.until(quote.requestId, 'pending');
    await service.restart();
    // What went on after the restart would be done before another one is.
    const other = await service.quote(wish);
    await service.pay(other);
    expect((await service.end(other.requestId)).status).toBe('success');
    expect((await service.status(quote.requestId)).status).toBe('pending');
    await service.clearFaults();
    expect((await service.end(quote.requestId)).status).toBe('success');
  });

  test('behavior: fail: a failure until the fault is cleared', async () => {
    await service.fault({ kind: 'solver', does: 'fail', failReason: 'SOLVER_CAPACITY_EXCEEDED' });
    const quote = await service.quote(wish);
    await service.pay(quote);
    expect(await service.end(quote.requestId)).toMatchObject({
      status: 'failure',
      failReason: 'SOLVER_CAPACITY_EXCEEDED',
    });
    await service.clearFaults();
    expect((await service.until(quote.requestId, 'success', 'refund')).failReason).toBe('N/A');
  });

  test('behavior: revert: a transaction that really reverts, then a refund', async () => {
    await service.fault({ kind: 'solver', does: 'revert' });
    const quote = await service.quote(wish);
    await service.pay(quote);
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'refund', failReason: 'TRANSACTION_REVERTED' });
    const { data } = await service.record(quote.requestId);
    const hash = data?.failedTxHash as `0x${string}`;
    expect(await connect(service.chains.beta).getTransactionReceipt({ hash })).toMatchObject({ status: 'reverted' });
  });

  test('behavior: revert: followed by a refund', async () => {
    await service.fault({ kind: 'solver', does: 'fail' });
    const quote = await service.quote({ ...wish, referrer: 'debug-force-refund' });
    await service.pay(quote);
    expect((await service.end(quote.requestId)).status).toBe('failure');
    await service.clearFaults();
    expect((await service.until(quote.requestId, 'refund')).failReason).toBe('MANUAL_ADMIN_REFUND');
  });

  test('behavior: delay: delayed, then filled', async () => {
    await service.fault({ kind: 'solver', does: 'delay', delayMs: 300, match: { user: dev0.address } });
    const quote = await service.quote(wish);
    const states: string[] = [];
    const unwatch = service.sandbox.ledger.watch(({ status }) => states.push(status));
    await service.pay(quote);
    expect((await service.end(quote.requestId)).status).toBe('success');
    unwatch();
    expect(states).toContain('delayed');
  });
});

describe('createSolver: invalid deposits', () => {
  test('behavior: ignores a deposit for an unknown order', async () => {
    const known = (await (await service.get('/requests/v3?includeTotal=true', key)).json()) as { total: number };
    await deposit(`0x${'12'.repeat(32)}`, { token: 'USDC', amount: 1_000_000n });
    const after = (await (await service.get('/requests/v3?includeTotal=true', key)).json()) as { total: number };
    expect(after.total).toBe(known.total);
    expect(service.sandbox.isBusy()).toBe(false);
  });
});
