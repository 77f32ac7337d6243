import { describe, expect, test } from 'vitest';
import * as Verification from '../../src/core/Verification.js';
import * as market from '../support/market.js';
import { altered, caps, intent, quote } from '../support/quoted.js';

const now = market.market.nowMs;

describe('from', () => {
  test.each([
    ['100', 'alpha/usdc', 'beta/usdc', {}],
    ['1', 'alpha/eth', 'beta/eth', {}],
    ['1', 'alpha/eth', 'beta/weth', {}],
    ['1', 'alpha/eth', 'alpha/weth', {}],
    ['1', 'alpha/weth', 'alpha/eth', {}],
    ['100', 'alpha/usdc', 'alpha/usdt', {}],
    ['100', 'alpha/usdt', 'beta/dai', { slippageBps: 50 }],
    ['1', 'alpha/eth', 'alpha/usdc', {}],
    ['100', 'alpha/usdc', 'alpha/eth', { recipient: market.other }],
    ['100', 'beta/gull', 'alpha/usdc', {}],
    ['100', 'alpha/usdc', 'beta/gull', { exactOutput: true }],
    ['100', 'alpha/usdc', 'beta/usdt', { expectedOutput: true }],
    ['100', 'alpha/usdc', 'alpha/usdc', { recipient: market.other }],
    ['1', 'alpha/eth', 'alpha/eth', { recipient: market.other }],
  ])('default: an honest quote passes: %s %s %s %j', async (amount, from, to, typed) => {
    const asked = await quote(intent(amount, from, to, typed));
    const failed = Verification.check(asked).filter(({ verdict }) => verdict !== 'verified');
    expect(failed).toEqual([]);
    expect(Verification.from(asked, caps, now).quote).toBe(asked);
  });

  const attacker = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
  const word = attacker.slice(2).toLowerCase();
  const deposit = 'steps.1.items.0.data';
  test.each([
    ['recipient', 'details.recipient', attacker],
    ['sender', 'details.sender', attacker],
    ['input-currency', 'details.currencyIn.currency.address', attacker],
    ['input-currency', 'details.currencyIn.currency.chainId', 1],
    ['output-currency', 'details.currencyOut.currency.address', attacker],
    ['output-decimals', 'details.currencyOut.currency.decimals', 18],
    ['input-amount', 'details.currencyIn.amount', '100000001'],
    ['minimum-received', 'details.currencyOut.minimumAmount', '1'],
    ['order-minimum', 'protocol.v2.orderData.output.payments.0.minimumAmount', '1'],
    ['order-recipient', 'protocol.v2.orderData.output.payments.0.recipient', attacker],
    ['order-output-currency', 'protocol.v2.orderData.output.payments.0.currency', attacker],
    ['order-output-chain', 'protocol.v2.orderData.output.chainId', 'alpha'],
    ['order-input-amount', 'protocol.v2.orderData.inputs.0.payment.amount', '1'],
    ['order-refund-to', 'protocol.v2.orderData.inputs.0.refunds.0.recipient', attacker],
    ['order-id of deposit', 'protocol.v2.orderId', `0x${'11'.repeat(32)}`],
    ['contract of deposit', `${deposit}.to`, attacker],
    ['chain of deposit', `${deposit}.chainId`, 313372],
    ['from of deposit', `${deposit}.from`, attacker],
    ['value of deposit', `${deposit}.value`, '1'],
    ['function of deposit', `${deposit}.data`, `0xdeadbeef${'00'.repeat(128)}`],
    ['token of approve', 'steps.0.items.0.data.to', attacker],
    [
      'spender of approve',
      'steps.0.items.0.data.data',
      `0x095ea7b3${word.padStart(64, '0')}${(100_000_000).toString(16).padStart(64, '0')}`,
    ],
    ['fees-sum', 'details.expandedPriceImpact.execution.usd', '-9.000000'],
  ])('error: %s is refused when %s is altered', async (name, path, value) => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const changed = altered(honest, path, value);
    const failed = Verification.check(changed).filter(({ verdict }) => verdict === 'mismatch');
    expect(failed.map(({ check }) => check)).toContain(name);
    expect(() => Verification.from(changed, caps, now)).toThrow(Verification.MismatchError);
  });

  test('error: an unlimited allowance', async () => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const data = honest.transactions[0]?.data ?? '0x';
    const changed = altered(honest, 'steps.0.items.0.data.data', `${data.slice(0, -64)}${'f'.repeat(64)}`);
    expect(() => Verification.from(changed, caps, now)).toThrowError(
      expect.objectContaining({ code: 'verify.mismatch', facts: [['allowance of approve', expect.any(String)]] }),
    );
  });

  test('error: a second payment, or one that is followed by something', async () => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const [approve, deposit1] = honest.response.steps;
    const twice = altered(honest, 'steps', [approve, deposit1, deposit1]);
    expect(Verification.check(twice).find(({ check }) => check === 'one-payment')?.verdict).toBe('mismatch');
    const trailing = altered(honest, 'steps', [deposit1, approve]);
    expect(Verification.check(trailing).find(({ check }) => check === 'payment-last')?.verdict).toBe('mismatch');
    const none = altered(honest, 'steps', [approve]);
    expect(() => Verification.from(none, caps, now)).toThrow(Verification.MismatchError);
  });

  test('error: less than the named slippage allows', async () => {
    const tight = await quote(intent('100', 'alpha/usdc', 'beta/usdc', { slippageBps: 10 }));
    const loose = { ...tight, intent: { ...tight.intent, slippageBps: 9 } };
    expect(() => Verification.from(loose, caps, now)).toThrow(Verification.MismatchError);
  });

  test('error: caps', async () => {
    const asked = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const refusal = expect.objectContaining({ code: 'verify.cap' });
    expect(() => Verification.from(asked, { ...caps, maxImpactBps: 1 }, now)).toThrowError(refusal);
    expect(() => Verification.from(asked, { ...caps, maxFeeUsd: 1n }, now)).toThrowError(refusal);
    expect(() => Verification.from(asked, { ...caps, minOut: asked.minimum + 1n }, now)).toThrowError(refusal);
    expect(Verification.from(asked, { ...caps, minOut: asked.minimum }, now).quote).toBe(asked);
  });

  test('error: too old', async () => {
    const asked = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    expect(Verification.from(asked, caps, now + 30_000).quote).toBe(asked);
    expect(() => Verification.from(asked, caps, now + 30_001)).toThrow(Verification.ExpiredError);
  });
});
