import { describe, expect, test } from 'vitest';
import * as OrderId from '../../../src/sandbox/quote/OrderId.js';
import * as Quote from '../../../src/sandbox/quote/Quote.js';
import { depositAddress } from '../../../src/sandbox/quote/Quote.js';
import * as fixture from '../../support/market.js';

const bridge = fixture.request(100_000_000n, 'alpha/usdc', 'beta/usdc');

describe('from', () => {
  test('default', async () => {
    const { response, order } = await Quote.from(bridge, fixture.input);
    const { requestId } = fixture.input.identity;
    const v2 = response.protocol?.v2;
    if (!v2) throw new Error('no order');
    expect(response.requestId).toBe(requestId);
    expect(response.steps.map((step) => step.requestId)).toEqual([requestId, requestId]);
    expect(v2.orderId).toBe(OrderId.from(v2.orderData));
    expect(v2.orderData.salt).toBe(fixture.input.identity.salt);
    expect(order.protocol).toEqual({
      orderId: v2.orderId,
      orderData: v2.orderData,
      depository: fixture.alpha.contracts.depository,
    });
    expect(v2).not.toHaveProperty('orderSignature');
  });

  test('behavior: deterministic', async () => {
    expect(await Quote.from(bridge, fixture.input)).toEqual(await Quote.from(bridge, fixture.input));
  });

  test('behavior: relayer transactions cost the user no gas', async () => {
    const plain = await Quote.from(bridge, fixture.input);
    const { response, order } = await Quote.from({ ...bridge, originGasOverhead: 80_000 }, fixture.input);
    expect([plain.order.paysOriginGas, order.paysOriginGas]).toEqual([false, true]);
    expect(Number(plain.response.fees?.gas?.amount)).toBeGreaterThan(0);
    expect(response.fees?.gas?.amount).toBe('0');
    expect(response.steps).toMatchObject([{ kind: 'transaction' }, { kind: 'transaction' }]);
    // 225,000 units at 1,500,000 wei.
    const gas = (quote: Quote.Quote) => Number(quote.response.fees?.relayerGas?.amount);
    expect(gas({ response, order }) - gas(plain)).toBe(844);
    expect(order.fees.execution.usd - plain.order.fees.execution.usd).toBe(-844n);
  });

  test('behavior: a permit is bound to its order', async () => {
    const { response, order } = await Quote.from({ ...bridge, usePermit: true }, fixture.input);
    expect(response.steps).toHaveLength(1);
    expect(response.fees?.gas?.amount).toBe('0');
    expect(order.permit).toEqual({
      from: fixture.user,
      to: fixture.alpha.contracts.approvalProxy,
      value: order.origin.amount,
      validBefore: 1_790_000_600n,
      nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    const identity = { ...fixture.input.identity, salt: `0x${'ce'.repeat(32)}` as const };
    const other = await Quote.from({ ...bridge, usePermit: true }, { ...fixture.input, identity });
    expect(other.order.permit?.nonce).not.toBe(order.permit?.nonce);
  });

  test('behavior: a sponsor pays in place of the user', async () => {
    const asked = { ...bridge, subsidizeFees: true };
    const { response, order } = await fixture.quote(asked, { client: { sponsorBalanceUsd: 1_000_000n } });
    expect(response.details.currencyOut.amount).toBe('100000000');
    expect(response.fees?.subsidized?.amount).toBe('30325');
    expect(response.feeSponsorship?.quoted?.sponsoredTotal.amount).toBe('30325');
    expect(order.sponsorship).toEqual({ usd: 30_325n, amount: 30_325n, execution: 20_325n });
  });

  test("behavior: the sponsor of a same-chain swap pays the fees, not the pool's loss", async () => {
    const asked = fixture.request(100_000_000n, 'alpha/usdc', 'alpha/usdt', { subsidizeFees: true });
    const { response, order } = await fixture.quote(asked, { client: { sponsorBalanceUsd: 1_000_000n } });
    expect(order.solverAmount).toBe(100_000_000n);
    expect(response.feeSponsorship?.quoted?.components.swap).toMatchObject({
      total: { amount: '11000' },
      sponsored: { amount: '0' },
      userPays: { amount: '11000' },
    });
  });

  test('error: insufficient sponsor balance', async () => {
    const asked = { ...bridge, subsidizeFees: true };
    await expect(fixture.quote(asked, { client: { sponsorBalanceUsd: 30_324n } })).rejects.toMatchObject({
      status: 400,
      body: { errorCode: 'INSUFFICIENT_FUNDS' },
    });
  });

  test('error: no key', async () => {
    await expect(fixture.quote({ ...bridge, subsidizeFees: true })).rejects.toMatchObject({ status: 401 });
    await expect(fixture.quote({ ...bridge, referrer: 'somebody' })).rejects.toMatchObject({
      status: 401,
      body: { message: 'Please provide an api key', errorCode: 'UNAUTHORIZED_QUOTE' },
    });
  });
});

describe('depositAddress', () => {
  test('default: a captured one', () => {
    const contracts = {
      depositFactory: '0x1dF43AB501F8B0d604F9A58A41A51744f2f8Cd22',
      depositImplementation: '0x40b309095342d0823d6B9458cCC07AB170bC3E94',
    } as const;
    const orderId = '0xb6f17ce7bc21e018001a496987a1d148e70b7f9717886d3dc6d6fa7f37a763cd';
    expect(depositAddress(contracts, orderId, '0x40ad8cf176672efe12a0d7ac50fa5da2b0b64e74')).toBe(
      '0x0EdCeCa268d17A1725280227a7fAf8bF38A45AeB',
    );
  });
});
