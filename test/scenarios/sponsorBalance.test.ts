/** Insufficient sponsor balance: quotes are refused, and fills that it no longer covers are refunded. */
import { afterEach, describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { key, useService } from '../support/customer.js';
import { gaslessCustomer } from '../support/gaslessCustomer.js';

const service = useService();
const { sponsorBalance, sponsorHas } = gaslessCustomer(service);
const enough = 1_000_000_000n;

afterEach(() => sponsorHas(enough));

const { address } = accounts.dev5;
const routes = [
  ['alpha/USDC', 'beta/USDC', address],
  ['alpha/USDC', 'lighter/USDC', '100'],
  ['lighter/USDC', 'beta/USDC', address],
] as const;

describe('the balance of the sponsor', () => {
  test.each(routes)('error: the balance no longer covers a quote from %s to %s', async (from, to, recipient) => {
    const account = from.startsWith('lighter') ? 'dev0' : 'dev5';
    const sponsored = { subsidizeFees: true, headers: key };
    const quote = await service.quote({ from, to, amount: '20000000', account, recipient, ...sponsored });
    await sponsorHas(100n);
    await service.pay(quote, account);
    expect(await service.end(quote.requestId)).toMatchObject({
      status: 'refund',
      failReason: 'SPONSOR_BALANCE_TOO_LOW',
    });
    expect(sponsorBalance()).toBe(100n);
    const { data } = await service.record(quote.requestId);
    expect(data?.fees?.actual?.sponsored?.amount).toBe('0');
    expect(data?.feeSponsorship?.actual).toBeUndefined();
  });

  test.each(routes)('error: no quote from %s to %s beyond the balance', async (from, to, recipient) => {
    await sponsorHas(100n);
    const plain = await service.quote({ from, to, amount: '20000000', account: 'dev0', recipient });
    const { currencyIn, currencyOut, sender } = plain.details;
    const response = await service.post(
      '/quote/v2',
      {
        user: sender,
        recipient,
        originChainId: currencyIn.currency.chainId,
        destinationChainId: currencyOut.currency.chainId,
        originCurrency: currencyIn.currency.address,
        destinationCurrency: currencyOut.currency.address,
        tradeType: 'EXACT_INPUT',
        amount: '20000000',
        subsidizeFees: true,
      },
      key,
    );
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        message: 'The balance of the sponsor is too low',
        errorCode: 'INSUFFICIENT_FUNDS',
        requestId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        approxSimulatedBlock: expect.any(Number),
      },
    ]);
  });

  test('behavior: concurrent fills do not spend it twice', async () => {
    const [from, to, recipient] = routes[0];
    const asked = {
      from,
      to,
      amount: '20000000',
      account: 'dev5',
      recipient,
      subsidizeFees: true,
      headers: key,
    } as const;
    const quotes = [await service.quote(asked), await service.quote(asked)];
    await sponsorHas(30_000n);
    for (const quote of quotes) await service.pay(quote, 'dev5');
    const ends = await Promise.all(quotes.map(({ requestId }) => service.end(requestId)));
    expect(ends.map(({ status }) => status).sort()).toEqual(['refund', 'success']);
    expect(sponsorBalance()).toBeGreaterThan(0n);
  });
});
