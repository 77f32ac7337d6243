import { describe, expect, test } from 'vitest';
import * as OrderBinding from '../../../../src/core/proof/signature/OrderBinding.js';
import type { Facts } from '../../../../src/core/proof/signature/TokenGrant.js';
import * as TypedData from '../../../../src/core/proof/signature/TypedData.js';
import { collect, type Finding } from '../../../../src/core/quote/Finding.js';
import * as calldata from '../../../support/routerCalldata.js';
import {
  approval,
  type Call,
  contracts,
  deposit,
  facts,
  named,
  orderId,
  recipient,
  relayer,
  usdc,
  user,
  withCalls,
} from '../../../support/signatures.js';

const other = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';
const otherId = `0x${'ee'.repeat(32)}` as const;
const depository = contracts.depository as `0x${string}`;

function check(binding: OrderBinding.Binding, known: Partial<Facts> = {}): Finding[] {
  const findings = collect();
  OrderBinding.check(findings, binding, { ...facts, ...known });
  return [...findings.list];
}

function byCalls(calls: readonly Call[], spender?: string): OrderBinding.Binding & { by: 'calls' } {
  const { sign } = withCalls(calls, spender) as { sign: Parameters<typeof TypedData.read>[0] };
  const reading = TypedData.read(sign);
  if (!reading.ok || reading.binding.by !== 'calls') throw new Error('no calls');
  return reading.binding;
}

function bound(calls: readonly Call[], known: Partial<Facts> = {}): string | undefined {
  return named(check(byCalls(calls), known), 'order-binding')?.verdict;
}

describe('check', () => {
  test('behavior: what is received with the order id as nonce is bound to nothing', () => {
    for (const payee of [depository, relayer, contracts.approvalProxy] as `0x${string}`[])
      for (const id of [orderId, otherId] as const)
        expect(check({ by: 'id', payee, id })[0]?.verdict).toBe('cannot verify');
  });

  test('default: the router’s own call that hands over its whole balance', () => {
    const { router = '0x', depository: payee = '0x' } = contracts;
    const own = { router, depository: payee, depositor: user, token: usdc, id: orderId } as calldata.Deposit;
    const verdict = (call: calldata.Call): string | undefined => bound([{ ...call, value: String(call.value) }]);
    expect(verdict(calldata.depositAll(own))).toBe('verified');
    expect(verdict(calldata.depositAll(own, 5n))).toBe('cannot verify');
    expect(verdict(calldata.depositAll({ ...own, id: otherId }))).toBe('cannot verify');
    expect(verdict({ ...calldata.depositAll(own), allowFailure: true })).toBe('cannot verify');
  });

  test('default: calls that are the deposit', () => {
    expect(bound([approval(), deposit()])).toBe('verified');
    expect(bound([deposit()])).toBe('verified');
    expect(named(check(byCalls([approval(), deposit()])), 'order-binding')?.found).toBe(
      `approve(${depository}, 60000000) on ${usdc.toLowerCase()}, ` +
        `depositErc20(${user}, ${usdc}, 60000000, ${orderId}) on ${depository.toLowerCase()}`,
    );
  });

  test.each([
    ['of another account', deposit([other, usdc, 60_000_000n, orderId])],
    ['of less', deposit([user, usdc, 59_999_999n, orderId])],
    ['for another order', deposit([user, usdc, 60_000_000n, otherId])],
    ['elsewhere', { ...deposit(), target: other }],
  ])('behavior: a deposit %s is a mismatch, whatever surrounds it', (_, wrong) => {
    const swap = { ...approval(), target: other, callData: '0xdeadbeef' };
    expect(bound([approval(), wrong])).toBe('mismatch');
    expect(bound([approval(), wrong, deposit()])).toBe('mismatch');
    expect(bound([swap, wrong, swap])).toBe('mismatch');
  });

  test.each([
    ['nothing', []],
    ['only the approval', [approval()]],
    ['an approval of another', [approval(other), deposit()]],
    ['an approval of more', [approval(depository, 60_000_001n), deposit()]],
    ['an approval elsewhere', [{ ...approval(), target: other }, deposit()]],
    ['a call that cannot be read', [{ ...approval(), callData: '0xdeadbeef' }, deposit()]],
    ['something before', [approval(), approval(), deposit()]],
    ['something after', [deposit(), approval()]],
    ['two deposits', [deposit(), deposit()]],
    ['another token', [approval(), deposit([user, other, 60_000_000n, orderId])]],
    ['a deposit that may fail', [approval(), { ...deposit(), allowFailure: true }]],
    ['a deposit with native tokens', [approval(), { ...deposit(), value: '1' }]],
  ])('behavior: calls that are %s cannot be verified', (_, calls) => {
    expect(bound(calls)).toBe('cannot verify');
  });

  test('behavior: a spender that may not enforce the witness', () => {
    const finding = named(check(byCalls([approval(), deposit()], relayer)), 'order-binding');
    expect(finding).toMatchObject({
      verdict: 'cannot verify',
      found: expect.stringContaining(`if ${relayer} enforces it`),
    });
    expect(named(check(byCalls([deposit([user, usdc, 1n, orderId])], relayer)), 'order-binding')?.verdict).toBe(
      'mismatch',
    );
  });

  test('behavior: a deposit for an order that is unknown', () => {
    expect(bound([approval(), deposit()], { orderId: undefined })).toBe('cannot verify');
  });

  test('behavior: leftovers go to the user or to the refund address', () => {
    const calls = byCalls([deposit()]);
    const verdict = (changed: Partial<typeof calls>, known: Partial<Facts> = {}): string | undefined =>
      named(check({ ...calls, ...changed }, known), 'signature-refund')?.verdict;
    expect(verdict({})).toBe('verified');
    expect(verdict({ refundTo: other })).toBe('mismatch');
    expect(verdict({ refundTo: recipient })).toBe('mismatch');
    expect(verdict({ nftRecipient: other })).toBe('mismatch');
    expect(verdict({ nftRecipient: user })).toBe('verified');
    expect(verdict({ refundTo: other }, { refundTo: other })).toBe('verified');
  });

  test('behavior: the relayer must be trusted if the order is not bound', () => {
    const verdict = (binding: OrderBinding.Binding, known: Partial<Facts> = {}): string | undefined =>
      named(check(binding, known), 'signature-relayer')?.verdict;
    expect(verdict({ by: 'relayer', relayer })).toBe('verified');
    expect(verdict({ by: 'relayer', relayer: other })).toBe('cannot verify');
    expect(verdict({ by: 'relayer', relayer: other }, { solvers: undefined })).toBe('not checked');
    expect(verdict({ ...byCalls([deposit()]), relayer: other })).toBe('not checked');
    expect(verdict({ ...byCalls([approval()]), relayer: other })).toBe('cannot verify');
    expect(named(check({ by: 'relayer', relayer }), 'order-binding')?.verdict).toBe('cannot verify');
  });

  test('behavior: no binding', () => {
    expect(check({ by: 'nothing', why: 'an allowance' })).toMatchObject([
      { check: 'order-binding', verdict: 'cannot verify', found: 'an allowance' },
    ]);
  });
});
