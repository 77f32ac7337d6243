import { describe, expect, test } from 'vitest';
import type * as Prices from '../../../src/core/proof/price/Prices.js';
import * as QuoteValue from '../../../src/core/proof/price/QuoteValue.js';
import * as Verification from '../../../src/core/proof/Verification.js';
import type { Finding } from '../../../src/core/quote/Finding.js';
import * as Quote from '../../../src/core/quote/Quote.js';
import * as market from '../../support/market.js';
import { altered, caps, intent, network, prove, quote, verify } from '../../support/quoted.js';
import { recording } from '../../support/specimens.js';
import * as withdrawal from '../../support/withdrawal.js';

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
    const open = (await prove(asked)).filter(({ verdict }) => verdict === 'mismatch' || verdict === 'cannot verify');
    expect(open).toEqual([]);
    expect((await verify(asked)).quote).toBe(asked);
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
    ['output-currency', 'details.currencyOut.currency.decimals', 18],
    ['amount', 'details.currencyIn.amount', '100000001'],
    ['minimum-received', 'details.currencyOut.minimumAmount', '1'],
    ['order-minimum', 'protocol.v2.orderData.output.payments.0.minimumAmount', '1'],
    ['order-recipient', 'protocol.v2.orderData.output.payments.0.recipient', attacker],
    ['order-output-currency', 'protocol.v2.orderData.output.payments.0.currency', attacker],
    ['order-output-chain', 'protocol.v2.orderData.output.chainId', 'alpha'],
    ['order-input-amount', 'protocol.v2.orderData.inputs.0.payment.amount', '1'],
    ['refund-recipient of refund 1', 'protocol.v2.orderData.inputs.0.refunds.0.recipient', attacker],
    ['refund-currency of refund 1', 'protocol.v2.orderData.inputs.0.refunds.0.currency', attacker],
    ['step-chain of deposit', `${deposit}.chainId`, 313372],
    ['step-sender of deposit', `${deposit}.from`, attacker],
    ['order-id', 'protocol.v2.orderId', `0x${'11'.repeat(32)}`],
    ['order-solver', 'protocol.v2.orderData.solver', attacker],
    ['order-calls', 'protocol.v2.orderData.output.calls', ['0x01']],
    ['order-deadline', 'protocol.v2.orderData.output.deadline', 1],
    ['order-extra-data', 'protocol.v2.orderData.output.extraData', `0x${word.padStart(64, '0')}`],
    ['check-endpoint of deposit', 'steps.1.items.0.check.endpoint', 'https://evil.example/intents/status/v3'],
    ['check-endpoint of deposit', 'steps.1.requestId', `0x${'77'.repeat(32)}`],
    ['gas of deposit', `${deposit}.gas`, '30000000'],
    ['token of approve', 'steps.0.items.0.data.to', attacker],
    [
      'spender of approve',
      'steps.0.items.0.data.data',
      `0x095ea7b3${word.padStart(64, '0')}${(100_000_000).toString(16).padStart(64, '0')}`,
    ],
  ])('error: %s is refused when %s is altered', async (name, path, value) => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const changed = altered(honest, path, value);
    const failed = (await prove(changed)).filter(({ verdict }) => verdict === 'mismatch');
    expect(failed.map(({ check, subject }) => (subject ? `${check} of ${subject}` : check))).toContain(name);
    await expect(verify(changed)).rejects.toThrow(Verification.MismatchError);
  });

  test('error: the least that a swap before the deposit yields is held to the slippage', async () => {
    const honest = await quote(intent('100', 'alpha/gull', 'beta/usdc'));
    const changed = altered(honest, 'details.route.origin.outputCurrency.minimumAmount', '1');
    const failed = (await prove(changed)).filter(({ verdict }) => verdict === 'mismatch');
    expect(failed.map(({ check }) => check)).toContain('origin-minimum');
  });

  test('error: a token that refuses is no lie of the service, unless a router was to swap', () => {
    const of = (check: string, verdict: Finding['verdict'], found: string): Finding => ({
      ...{ check, subject: undefined, verdict, expected: 'every transaction succeeds', found },
    });
    const paused = of('effect-success', 'mismatch', 'transaction 2 of 2 fails: Pausable: paused');
    const judge = (...findings: Finding[]) => {
      const setting = { network, isAsked: false, allow: [] };
      return () => Verification.assertAllowed(findings, setting, intent('1', 'alpha/usdc', 'beta/usdc'));
    };
    expect(judge(paused)).toThrow(expect.objectContaining({ code: 'submit.simulation', exit: 6, funds: 'untouched' }));
    expect(judge(paused)).toThrow(
      expect.objectContaining({ facts: [['effect-success', expect.stringContaining('Pausable: paused')]] }),
    );
    expect(judge(paused, of('router-result', 'verified', ''))).toThrow(Verification.MismatchError);
    expect(judge(paused, of('recipient', 'mismatch', ''))).toThrow(Verification.MismatchError);
  });

  test('error: an unlimited allowance', async () => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const [approve] = Quote.transactions(honest);
    const data = approve?.data ?? '0x';
    const changed = altered(honest, 'steps.0.items.0.data.data', `${data.slice(0, -64)}${'f'.repeat(64)}`);
    await expect(verify(changed)).rejects.toMatchObject({
      code: 'verify.mismatch',
      facts: [['allowance of approve', expect.any(String)]],
    });
  });

  test('error: a second payment, or a payment that is not last', async () => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const [approve, deposit1] = honest.response.steps;
    const twice = altered(honest, 'steps', [approve, deposit1, deposit1]);
    expect((await prove(twice)).find(({ check }) => check === 'one-payment')?.verdict).toBe('mismatch');
    const trailing = altered(honest, 'steps', [deposit1, approve]);
    expect((await prove(trailing)).find(({ check }) => check === 'payment-last')?.verdict).toBe('mismatch');
    const none = altered(honest, 'steps', [approve]);
    await expect(verify(none)).rejects.toThrow(Verification.MismatchError);
  });

  test('error: less than the requested slippage allows', async () => {
    const tight = await quote(intent('100', 'alpha/usdc', 'beta/usdc', { slippageBps: 10 }));
    const loose = { ...tight, intent: { ...tight.intent, slippageBps: 9 } };
    await expect(verify(loose)).rejects.toThrow(Verification.MismatchError);
  });

  test('error: caps', async () => {
    const asked = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const refused = (changed: Partial<typeof caps>) =>
      expect(verify(asked, { caps: { ...caps, ...changed } })).rejects.toMatchObject({ code: 'verify.cap' });
    await refused({ maxImpactBps: 1 });
    await refused({ maxFeeUsd: 1n });
    await refused({ minOut: asked.minimum + 1n });
    await refused({ maxIn: asked.input - 1n });
    expect((await verify(asked, { caps: { ...caps, minOut: asked.minimum } })).quote).toBe(asked);
  });

  test('error: too old', async () => {
    const asked = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    expect((await verify(asked, {}, 30_000)).quote).toBe(asked);
    await expect(verify(asked, {}, 30_001)).rejects.toMatchObject({ code: 'verify.expired' });
  });

  test('behavior: an unverified check is refused unless allowed by name', async () => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const odd = altered(honest, 'protocol.v2.orderData.version', 'v2');
    const error = await verify(odd).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'verify.unverified',
      exit: 5,
      hint: expect.stringContaining('--allow order-id'),
    });
    expect((await verify(odd, { allow: ['order-version', 'order-id'] })).quote).toBe(odd);
    await expect(verify(odd, { allow: ['order-id'] })).rejects.toThrow(Verification.UnverifiedError);
  });

  test('behavior: a deposit address cannot be verified', async () => {
    const honest = await quote(intent('1', 'alpha/eth', 'beta/eth'));
    const [step] = honest.response.steps;
    const data = { ...step?.items[0]?.data, to: attacker, data: '0x' };
    const odd = altered(honest, 'steps', [{ ...step, depositAddress: attacker, items: [{ ...step?.items[0], data }] }]);
    const open = (await prove(odd)).filter(({ verdict }) => verdict !== 'verified' && verdict !== 'not checked');
    expect(open).toEqual([expect.objectContaining({ check: 'deposit-address', verdict: 'cannot verify' })]);
  });

  test('error: no flag overrides a mismatch', async () => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const wrong = altered(honest, 'details.recipient', attacker);
    await expect(verify(wrong, { allow: ['recipient'] })).rejects.toThrow(Verification.MismatchError);
  });
});

describe('capsOf', () => {
  test('default: input, minimum and fees of the accepted quote, unless the user’s caps are tighter', async () => {
    const old = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const held = Verification.capsOf(old, caps);
    expect(held).toEqual({ ...caps, maxIn: 100_000_000n, minOut: old.minimum, maxFeeUsd: 30_325n });
    expect(Verification.capsOf(old, { ...caps, maxIn: 1n, minOut: 1n, maxFeeUsd: 1n })).toMatchObject({
      maxIn: 1n,
      minOut: old.minimum,
      maxFeeUsd: 1n,
    });
  });

  test('behavior: a loss that was accepted with the quote raises the bound, and never lowers it', async () => {
    const old = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    expect(Verification.capsOf(old, caps, 965n).maxImpactBps).toBe(965);
    expect(Verification.capsOf(old, caps, 203n).maxImpactBps).toBe(500);
  });

  test('error: a limit of the user’s is not raised to what the slippage of the quote allows', async () => {
    const old = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    expect(Verification.capsOf(old, { ...caps, maxImpactBps: 10 }, 203n).maxImpactBps).toBe(10);
    expect(Verification.capsOf(old, { ...caps, maxImpactBps: 10 }, 501n).maxImpactBps).toBe(501);
  });

  test('behavior: the venue’s fee of the accepted quote, unless the user’s cap is tighter', () => {
    const old = withdrawal.quote('withdrawal');
    const held = (maxVenueFee: bigint | undefined) => Verification.capsOf(old, { ...caps, maxVenueFee }).maxVenueFee;
    expect([held(undefined), held(10_000_000n), held(1n)]).toEqual([2_500_000n, 2_500_000n, 1n]);
    expect(Verification.capsOf(withdrawal.quote('deposit'), { ...caps, maxVenueFee: 5n }).maxVenueFee).toBe(5n);
  });
});

test('--max-fee-usd: error: the venue’s fee, charged on top of the amount, counts as well', async () => {
  const asked = withdrawal.quote('withdrawal');
  const fees = Quote.costs(asked) ?? 0n;
  expect(fees).toBe(2_500_000n - (Quote.feesTotal(asked) ?? 0n));
  const at = { network: recording, baseUrl: undefined, nowMs: asked.quotedAt };
  const judged = async (maxFeeUsd: bigint) => {
    const proof = await Verification.proofOf(asked, { ...caps, maxFeeUsd }, at);
    return Verification.from(proof, { network: recording, isAsked: true, allow: [], shown: [] });
  };
  expect((await judged(fees)).quote).toBe(asked);
  await expect(judged(fees - 1n)).rejects.toMatchObject({
    code: 'verify.cap',
    facts: expect.arrayContaining([['of which the venue charges', '$2.50']]),
  });
});

describe('--max-fee-usd: of one asset that is no dollar', () => {
  const ether = { asset: 'ETH', decimals: 18 };
  const pair = { input: { ...ether, amount: 10n ** 18n }, output: { ...ether, amount: 96n * 10n ** 16n } };
  const judged = async (maxFeeUsd: bigint, prices: Prices.Prices) => {
    const valuation = QuoteValue.from(pair, prices);
    if ('why' in valuation) throw new Error(valuation.why);
    return verify(await quote(intent('1', 'alpha/eth', 'beta/eth')), { caps: { ...caps, maxFeeUsd }, valuation });
  };

  test.each([
    ['by the feed', new Map([['ETH', { answer: 2_500n, decimals: 0, source: 'the ETH/USD feed' }]])],
    ['without a feed by the price that the service states', new Map()],
  ])('error: the loss counts, %s, whatever fees the service states', async (_, prices) => {
    await expect(judged(70_000_000n, prices)).rejects.toMatchObject({
      code: 'verify.cap',
      facts: expect.arrayContaining([['loss', '$100.00 of $2500.00']]),
    });
    // A hundredth of the input is how far two honest prices may differ.
    expect((await judged(75_000_000n, prices)).quote).toBeDefined();
  });

  test('behavior: the feed of what is paid is read for it alone', async () => {
    const asked = await quote(intent('1', 'alpha/gull', 'beta/gull'));
    const feeds = { GULL: { address: market.other, decimals: 8, heartbeat: 3_600 } };
    const chains = network.chains.map((chain) => ({
      ...chain,
      feeds,
      tokens: chain.tokens.map((token) => ({ ...token, asset: token.symbol })),
    }));
    let read = 0;
    const round = async () => {
      read += 1;
      return { answer: 25_000_000n, startedAt: 0n, updatedAt: BigInt(Math.floor(market.market.nowMs / 1000)) };
    };
    const { nowMs } = market.market;
    const facts = {
      tradeType: 'EXACT_INPUT',
      nowMs,
      network: { ...network, chains },
      node: () => ({ round }),
    } as const;
    const valued = async (maxFeeUsd: bigint | undefined) =>
      (await Verification.appraise(asked, { ...facts, caps: { ...caps, maxFeeUsd } })).valuation?.inputUsd;
    expect([await valued(undefined), read]).toEqual([undefined, 0]);
    expect([await valued(1n), read]).toEqual([250_000n, 1]);
  });
});

test('proofOf: everything of the intent, and the cap on the venue’s fee', async () => {
  const honest = withdrawal.quote('withdrawal');
  const at = { network: recording, baseUrl: undefined, nowMs: honest.quotedAt };
  expect((await Verification.proofOf(honest, { ...caps, maxVenueFee: 3n }, at)).expected).toMatchObject({
    user: '281474976710001',
    recipient: honest.intent.recipient,
    amount: 40_000_000n,
    maxVenueFee: 3n,
  });
  expect((await withdrawal.verify(honest, { maxVenueFee: 2_500_000n })).quote).toBe(honest);
  await expect(withdrawal.verify(honest, { maxVenueFee: 2_499_999n })).rejects.toMatchObject({
    code: 'verify.cap',
    message: expect.stringContaining('--max-venue-fee'),
    facts: [['venue-fee of deposit', expect.stringContaining('2.499999')]],
  });
});
