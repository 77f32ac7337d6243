/** What a request has cost in the end, who owes it, and what of it the app has earned. */
import { describe, expect, test } from 'vitest';
import { balanceOf } from '../../../src/sandbox/execute/claims.js';
import * as ActualFees from '../../../src/sandbox/ledger/ActualFees.js';
import type { Fees } from '../../../src/sandbox/pricing/Fees.js';
import { deployments } from '../../../src/sandbox/values/deployment.js';
import { add, deposited, filled, ledgerAt, refunded } from '../../support/entries.js';
import * as market from '../../support/market.js';

function sum(fees: Fees): bigint {
  return Object.values(fees).reduce((total, { usd }) => total + usd, 0n);
}

describe('ActualFees: ofFill', () => {
  test('behavior: overpayment', async () => {
    const { order } = await add(ledgerAt(0));
    const fees = ActualFees.ofFill(order, { paid: 150_000_000n, delivered: 99_000_000n, gasUsd: 0n });
    expect(sum(fees)).toBe(-51_000_000n);
  });

  test('behavior: the sponsored amount is unchanged', async () => {
    const { order } = await add(ledgerAt(0), { request: { subsidizeFees: true }, hasKey: true });
    const fees = ActualFees.ofFill(order, { paid: 100_000_000n, delivered: order.destination.amount, gasUsd: 500n });
    // The fill was quoted at 325 and cost 500: the sponsor pays the quoted amount.
    expect(fees.sponsored.usd).toBe(order.sponsorship?.usd);
    expect(sum(fees)).toBe(0n);
  });

  test('behavior: the sponsor pays the actual gas if that is less', async () => {
    const { order } = await add(ledgerAt(0), { request: { subsidizeFees: true }, hasKey: true });
    const fees = ActualFees.ofFill(order, { paid: 100_000_000n, delivered: order.destination.amount, gasUsd: 300n });
    expect(fees.sponsored).toEqual({ usd: 30_300n, amount: 30_300n });
    expect(fees.swap.usd).toBe(-10_000n);
    expect(sum(fees)).toBe(0n);
  });

  test('behavior: origin gas sponsored outside the quote is free for the user', async () => {
    const { order } = await add(ledgerAt(0));
    const outcome = { paid: 100_000_000n, delivered: order.destination.amount, gasUsd: 325n };
    const fees = ActualFees.ofFill(order, { ...outcome, sponsoredGasUsd: 400n });
    expect(fees).toMatchObject({ execution: { usd: -20_725n }, sponsored: { usd: 400n } });
    expect(fees.swap).toEqual(ActualFees.ofFill(order, outcome).swap);
  });
});

describe('ActualFees: ofSameChain', () => {
  const paid = 100_000_000n;

  test('behavior: gas of a relayer transaction', async () => {
    const request = { originGasOverhead: 80_000 };
    const { order } = await add(ledgerAt(0), { from: 'alpha/usdc', to: 'alpha/weth', request });
    const fees = ActualFees.ofSameChain(order, { paid, delivered: order.destination.amount, gasUsd: 700n });
    expect(fees.execution).toEqual({ usd: -20_700n, amount: 20_700n });
  });

  test('behavior: a wrap is free; its gas can be sponsored', async () => {
    const { order } = await add(ledgerAt(0), { from: 'alpha/weth', to: 'alpha/eth', amount: 10n ** 18n });
    const wrapped = { paid: 10n ** 18n, delivered: 10n ** 18n, gasUsd: 0n };
    expect(sum(ActualFees.ofSameChain(order, { ...wrapped, sponsoredGasUsd: 300n }))).toBe(0n);
    expect(ActualFees.ofSameChain(order, wrapped).execution).toEqual({ usd: 0n, amount: 0n });
  });
});

describe('ActualFees: ofRevert', () => {
  test('default: the gas, paid by the sponsor', async () => {
    const { order } = await add(ledgerAt(0));
    const fees = ActualFees.ofRevert(order, 300n);
    expect(fees).toMatchObject({ execution: { usd: -300n }, sponsored: { usd: 300n } });
    expect(sum(fees)).toBe(0n);
  });
});

const wallet = market.other;
const charged = { appFees: [{ recipient: wallet, fee: '100' }] };

describe('claims: balanceOf', () => {
  const nodes = [{ ...deployments.alpha, rpcUrl: '' }];

  test('behavior: nothing of what is not delivered, of a refund, of another wallet', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger, { request: charged });
    ledger.update(entry.order.requestId, deposited(entry));
    const back = await add(ledger, { request: charged });
    ledger.update(back.order.requestId, refunded(back, 1n));
    const other = await add(ledger, { request: { appFees: [{ recipient: market.solver, fee: '100' }] } });
    ledger.update(other.order.requestId, filled(other, 1n));
    expect(balanceOf({ ledger, nodes }, wallet)).toBe(0n);
  });

  test('behavior: charged in another currency count by their value, in any case of the address', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger, { from: 'alpha/eth', to: 'beta/eth', amount: 10n ** 18n, request: charged });
    ledger.update(entry.order.requestId, filled(entry, 1n));
    // 1% of one ETH at 2,500 dollars.
    expect(balanceOf({ ledger, nodes }, wallet.toLowerCase())).toBe(25_000_000n);
  });
});
