/** What a request has cost in the end, who owes it, and what of it the app has earned. */
import { describe, expect, test } from 'vitest';
import { rawCall } from '../../../src/sandbox/execute/submitCall.js';
import * as ActualFees from '../../../src/sandbox/ledger/ActualFees.js';
import * as AppFeeBalance from '../../../src/sandbox/ledger/AppFeeBalance.js';
import * as RelayedCall from '../../../src/sandbox/ledger/RelayedCall.js';
import type { Fees } from '../../../src/sandbox/pricing/Fees.js';
import type { EvmToken } from '../../../src/sandbox/values/Market.js';
import { add, deposited, filled, ledgerAt, refunded } from '../../support/entries.js';
import * as market from '../../support/market.js';

function sum(fees: Fees): bigint {
  return Object.values(fees).reduce((total, { usd }) => total + usd, 0n);
}

const request = { appFees: [{ recipient: market.other, fee: '25' }] };

describe('ActualFees: ofFill', () => {
  test('default: flat fee plus actual gas; the remainder is the swap', async () => {
    const { order } = await add(ledgerAt(0), { to: 'beta/weth', request });
    const delivered = 39_000_000_000_000_000n;
    const fees = ActualFees.ofFill(order, { paid: 100_000_000n, delivered, gasUsd: 1_234n });
    expect(fees.execution).toEqual({ usd: -21_234n, amount: 21_234n });
    expect(fees.app).toEqual({ usd: -250_000n, amount: 250_000n });
    expect(fees.platform.usd).toBe(-60_000n);
    expect(sum(fees)).toBe(97_500_000n - 100_000_000n);
  });

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

  test('default: as quoted except for the swap', async () => {
    const { order } = await add(ledgerAt(0), { from: 'alpha/usdc', to: 'alpha/weth' });
    const { amount: delivered } = order.destination;
    const fees = ActualFees.ofSameChain(order, { paid, delivered: delivered - 1_000_000_000_000n, gasUsd: 0n });
    expect(fees).toMatchObject({ execution: order.fees.execution, platform: order.fees.platform });
    expect(fees.swap.usd).toBeLessThan(order.fees.swap.usd);
    expect(ActualFees.ofSameChain(order, { paid, delivered, gasUsd: 0n })).toEqual(order.fees);
  });

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

describe('ActualFees: ofCall', () => {
  test('default: flat fee plus actual gas, paid by the sponsor', () => {
    const { order } = rawCall({
      requestId: '0x01',
      nowMs: 0,
      chain: market.alpha,
      to: market.other,
      value: 10n ** 15n,
      gas: 100_000n,
      referrer: undefined,
    });
    const fees = ActualFees.ofCall(order, 1_000n);
    // 0.021 dollars at 2,500 dollars an ether.
    const amount = 8_400_000_000_000n;
    expect(fees).toMatchObject({ execution: { usd: -21_000n, amount }, sponsored: { usd: 21_000n, amount } });
    expect(sum(fees)).toBe(0n);
  });
});

describe('ActualFees: ofRefund', () => {
  test('default: the gas withheld', async () => {
    const { order } = await add(ledgerAt(0));
    expect(ActualFees.ofRefund(order, 1_500n).execution).toEqual({ usd: -1_500n, amount: 1_500n });
    expect(sum(ActualFees.ofRefund(order, 1_500n))).toBe(-1_500n);
  });
});

const token = market.alpha.tokens.find(({ symbol }) => symbol === 'USDC') as EvmToken;
const wallet = market.other;
const charged = { appFees: [{ recipient: wallet, fee: '100' }] };

function claim(change: Partial<AppFeeBalance.Claim> = {}): AppFeeBalance.Claim {
  const hash = `0x${'a'.repeat(64)}` as const;
  return { id: '0x1', wallet, recipient: wallet, chainId: 313371, amount: 400_000n, createdAtMs: 1, hash, ...change };
}

describe('AppFeeBalance: of', () => {
  test('default: a share of what was delivered, in any case of the address', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger, { request: charged });
    const { requestId } = entry.order;
    const balance = () => AppFeeBalance.of(wallet.toLowerCase(), { entries: [...ledger.search()], claims: [], token });
    expect(balance()).toBe(0n);
    ledger.update(requestId, deposited(entry));
    expect(balance()).toBe(0n);
    ledger.update(requestId, filled(entry, 1n));
    // 1% of 100 USDC.
    expect(balance()).toBe(1_000_000n);
  });

  test('behavior: nothing of a refund, of another wallet, of a transfer without app fees', async () => {
    const ledger = ledgerAt(1_000);
    const back = await add(ledger, { request: charged });
    ledger.update(back.order.requestId, refunded(back, 1n));
    const other = await add(ledger, { request: { appFees: [{ recipient: market.solver, fee: '100' }] } });
    ledger.update(other.order.requestId, filled(other, 1n));
    const plain = await add(ledger);
    ledger.update(plain.order.requestId, filled(plain, 1n));
    expect(AppFeeBalance.of(wallet, { entries: [...ledger.search()], claims: [], token })).toBe(0n);
  });

  test('behavior: charged in another currency count by their value', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger, { from: 'alpha/eth', to: 'beta/eth', amount: 10n ** 18n, request: charged });
    ledger.update(entry.order.requestId, filled(entry, 1n));
    // 1% of one ETH at 2,500 dollars.
    expect(AppFeeBalance.of(wallet, { entries: [...ledger.search()], claims: [], token })).toBe(25_000_000n);
  });

  test('behavior: less the claims that were signed', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger, { request: charged });
    ledger.update(entry.order.requestId, filled(entry, 1n));
    const claims = [claim(), claim({ hash: undefined }), claim({ wallet: market.user })];
    expect(AppFeeBalance.of(wallet, { entries: [...ledger.search()], claims, token })).toBe(600_000n);
  });
});

const relay: RelayedCall.Relay = {
  by: 'call',
  digest: '0x01',
  chainId: 313371,
  transaction: { to: market.user, data: '0x', value: 0n, gas: 21_000n, authorizations: [] },
  sent: undefined,
  state: 'queued',
  afterFill: undefined,
};

const sponsored = { chargedUsd: 1_500n, valueUsd: 1_000n, paysGas: true };

describe('RelayedCall: dueUsd', () => {
  test('default: gas, the flat fee and the value', () => {
    expect(RelayedCall.dueUsd(sponsored, { isSuccess: true, gasUsd: 300n, flatUsd: 20_000n })).toBe(21_300n);
    expect(RelayedCall.dueUsd({ ...sponsored, paysGas: false }, { isSuccess: true, gasUsd: 300n, flatUsd: 0n })).toBe(
      1_000n,
    );
  });

  test('behavior: only the gas if reverted', () => {
    expect(RelayedCall.dueUsd(sponsored, { isSuccess: false, gasUsd: 300n, flatUsd: 20_000n })).toBe(300n);
  });
});

describe('RelayedCall: sponsoredGasUsd', () => {
  test('default: the charge without the value', () => {
    expect(RelayedCall.sponsoredGasUsd({ ...relay, state: 'mined', sponsored })).toBe(500n);
    expect(
      RelayedCall.sponsoredGasUsd({ ...relay, state: 'reverted', sponsored: { ...sponsored, chargedUsd: 300n } }),
    ).toBe(300n);
  });

  test('behavior: 0 if the quote includes the gas, or without a sponsor', () => {
    expect(RelayedCall.sponsoredGasUsd({ ...relay, state: 'mined', sponsored: { ...sponsored, paysGas: false } })).toBe(
      0n,
    );
    expect(RelayedCall.sponsoredGasUsd(relay)).toBe(0n);
    expect(RelayedCall.sponsoredGasUsd(undefined)).toBe(0n);
  });
});
