import { parseEther, recoverMessageAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import { RefusalError } from '../../../src/sandbox/pricing/QuoteRefusal.js';
import { quote } from '../../../src/sandbox/service/quoting.js';
import { createInstance, type Instance } from '../../../src/sandbox/settlement/instance.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, useChains } from '../../support/chains.js';

const chains = useChains();
const { dev0, dev1, solver } = accounts;

function instance(): Instance {
  const { alpha, beta } = chains.current;
  return createInstance({ chains: [alpha, beta], seed: 'test', instance: 'test', clock: () => 1_790_000_000_000 });
}

function request(change: Partial<QuoteV2.Request> = {}): QuoteV2.Request {
  const { alpha, beta } = chains.current;
  return {
    user: dev0.address,
    originChainId: alpha.id,
    destinationChainId: beta.id,
    originCurrency: alpha.tokens.USDC.address,
    destinationCurrency: beta.tokens.USDC.address,
    tradeType: 'EXACT_INPUT',
    amount: '1000000',
    ...change,
  };
}

describe('quote', () => {
  test("default: uses the user's balance and allowances; stored in the ledger", async () => {
    const one = instance();
    const { alpha } = chains.current;
    const first = await quote(one, request(), { hasKey: false });
    expect(first.details.userBalance).toBe('1000000000000');
    expect(first.steps.map((step) => step.id)).toEqual(['approve', 'deposit']);
    expect(one.ledger.byRequestId(first.requestId ?? '')).toMatchObject({ sequence: 1, quote: first });

    await approve(alpha, dev0, alpha.tokens.USDC.address, alpha.depository, 1_000_000n);
    const second = await quote(one, request(), { hasKey: true });
    expect(second.steps.map((step) => step.id)).toEqual(['deposit']);
    expect(one.ledger.byRequestId(second.requestId ?? '')).toMatchObject({ sequence: 2, apiKeyName: 'sandbox' });
  });

  test('behavior: numbers requests in order of arrival', async () => {
    const ids = async () => {
      const one = instance();
      const amounts = ['1000000', '2000000', '3000000'];
      const quotes = await Promise.all(amounts.map((amount) => quote(one, request({ amount }), { hasKey: false })));
      return quotes.map(({ requestId }) => requestId);
    };
    expect(await ids()).toEqual(await ids());
  });

  test('behavior: signs the order id on request', async () => {
    const { protocol } = await quote(instance(), request({ includeProtocolData: true }), { hasKey: false });
    const { orderId = '0x', orderSignature } = protocol?.v2 ?? {};
    const signature = orderSignature as `0x${string}`;
    expect(await recoverMessageAddress({ message: { raw: orderId }, signature })).toBe(solver.address);
  });

  test('behavior: quotes even without a balance', async () => {
    const user = `0x${'9'.repeat(40)}` as const;
    const { details } = await quote(instance(), request({ user }), { hasKey: false });
    expect(details.userBalance).toBe('0');
  });

  test('behavior: depends on the pools', async () => {
    const { alpha } = chains.current;
    const swap = { originCurrency: alpha.tokens.WETH.address };
    const small = await quote(instance(), request({ ...swap, amount: parseEther('1').toString() }), { hasKey: false });
    const large = await quote(instance(), request({ ...swap, amount: parseEther('40').toString() }), { hasKey: false });
    expect(Number(large.details.rate)).toBeLessThan(Number(small.details.rate));
  });

  test('error: a chain that does not answer', async () => {
    const { alpha, beta } = chains.current;
    const nodes = [{ ...alpha, rpcUrl: 'http://127.0.0.1:1' }, beta];
    const one = createInstance({ chains: nodes, seed: 'test', instance: 'test', clock: () => 1_790_000_000_000 });
    await expect(quote(one, request(), { hasKey: false })).rejects.toMatchObject({
      status: 500,
      body: {
        message: 'Unknown error',
        errorCode: 'UNKNOWN_ERROR',
        requestId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    });
    expect(one.ledger.entries()).toEqual([]);
  });

  test('error: a refusal uses up a number and stores nothing', async () => {
    const one = instance();
    await expect(quote(one, request({ recipient: '0x1' }), { hasKey: false })).rejects.toThrow(RefusalError);
    await expect(quote(one, request({ user: 'nobody' }), { hasKey: false })).rejects.toThrow(RefusalError);
    await expect(quote(one, request({ originCurrency: dev1.address }), { hasKey: false })).rejects.toThrow(
      RefusalError,
    );
    expect(one.ledger.entries()).toEqual([]);
    expect(one.ledger.nextSequence()).toBe(4);
  });
});
