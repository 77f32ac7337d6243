import { describe, expect, test } from 'vitest';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { altered, intent, prove, quote } from '../../support/quoted.js';

const recipient = accounts.dev3.address;

/** The checks that a quote fails. */
async function failed(...of: Parameters<typeof prove>): Promise<string[]> {
  return (await prove(...of)).filter(({ verdict }) => verdict === 'mismatch').map(({ check }) => check);
}

describe('a payment in which nothing is swapped', () => {
  const payments = [
    ['a transfer of a token', intent('100', 'alpha/usdc', 'alpha/usdc', { recipient })],
    ['a payment of the native token', intent('0.1', 'alpha/eth', 'alpha/eth', { recipient })],
    ['a wrap', intent('0.1', 'alpha/eth', 'alpha/weth')],
    ['an unwrap', intent('0.1', 'alpha/weth', 'alpha/eth')],
  ] as const;

  test.each(payments)('default: %s yields what is paid', async (_, asked) => {
    const honest = await quote(asked);
    expect(await failed(honest)).toEqual([]);
    expect((await prove(honest)).find(({ check }) => check === 'amount-received')).toMatchObject({
      verdict: 'verified',
    });
  });

  test.each(payments)('error: %s that is said to yield another amount', async (_, asked) => {
    const honest = await quote(asked);
    const { amount } = honest.response.details.currencyOut;
    for (const wrong of [BigInt(amount) + 1n, BigInt(amount) - 1n, BigInt(amount) * 2n])
      expect(await failed(altered(honest, 'details.currencyOut.amount', String(wrong)))).toContain('amount-received');
    const more = altered(honest, 'details.currencyOut.minimumAmount', String(BigInt(amount) + 1n));
    expect(await failed(more)).toContain('amount-received');
  });
});
