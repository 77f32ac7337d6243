import { parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import type { Account } from '../../../src/sandbox/values/devAccounts.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, send } from '../../support/chains.js';
import { useService } from '../../support/customer.js';
import { connect } from '../../support/nodeClients.js';

const service = useService();
const { beta } = service.chains;

const { dev0 } = accounts;

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

  test('behavior: refunds the deposit if the recipient rejects payment and the fill reverts', async () => {
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
    expect(await connect(beta).getTransactionReceipt({ hash })).toMatchObject({ status: 'reverted' });
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
