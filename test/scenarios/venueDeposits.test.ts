/** Deposits to the venue: what leaves the user's chain is accounted for at the venue to the base unit. */

import { describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { key, useService, type Wish } from '../support/customer.js';
import { bodyOf } from '../support/gasless.js';
import { venueOf } from '../support/venueTransfer.js';

const service = useService();
const { alpha } = service.chains;
const { usdc, failing, fees } = venueOf(service);

const { dev0, dev1 } = accounts;
const venueId = 3586256;
const relayer = 7;

const deposit = (wish: Partial<Wish> = {}): Wish => ({
  from: 'alpha/USDC',
  to: 'lighter/USDC',
  amount: '50000000',
  recipient: '100',
  ...wish,
});

describe('deposits', () => {
  test.each([
    ['alpha/USDC', '50000000', {}],
    ['beta/GULL', '40000000', { tradeType: 'EXACT_OUTPUT' }],
  ] as const)('default: of %s, %s, to an active account', async (from, amount, rest) => {
    const holds = () => service.holds(dev0.address, from);
    const quote = await service.quote(deposit({ from, amount, ...rest } as Partial<Wish>));
    const { currencyIn, currencyOut } = quote.details;
    const before = { user: await holds(), account: usdc(100), relayer: usdc(relayer) };
    await service.pay(quote);
    const status = await service.end(quote.requestId);
    expect(status).toMatchObject({ status: 'success', originChainId: quote.details.currencyIn.currency.chainId });
    expect(status.destinationChainId).toBe(venueId);
    const output = BigInt(currencyOut.amount);
    const received = usdc(100) - before.account;
    // What a swap before the deposit yields beyond an exact output is the recipient's.
    if (from === 'beta/GULL') expect(received).toBeGreaterThan(output);
    else expect(received).toBe(output);
    expect(before.relayer - usdc(relayer)).toBe(received);
    if (!from.endsWith('ETH')) expect(before.user - (await holds())).toBe(BigInt(currencyIn.amount));

    const [hash = ''] = status.txHashes ?? [];
    expect(hash).toMatch(/^[0-9a-f]{80}$/);
    expect(service.venue.transfer(hash)).toMatchObject({
      status: 'executed',
      from: relayer,
      to: 100,
      amount: received,
      memo: quote.protocol?.v2?.orderId,
    });
    const { data, protocol } = await service.record(quote.requestId);
    expect(data?.outTxs).toMatchObject([{ txHash: hash, chainId: venueId, fee: '0', status: 'success' }]);
    expect(protocol).toMatchObject({
      solver: { chainId: 313371 },
      settlement: { destination: { fills: [{ chainId: venueId, transactionId: hash }] } },
    });
    // The fill costs no gas, so the fees match the quote, but for the surplus: the swap cost that much less.
    const { quoted, actual } = await fees(quote.requestId);
    expect(actual).toEqual({ ...quoted, swap: (quoted.swap ?? 0n) + received - output });
    expect(actual.execution).toBe(-20_000n);
  });

  test('behavior: by a relayed batch', async () => {
    const quote = await service.quote(deposit({ account: 'dev9', originGasOverhead: 80_000 }));
    const before = usdc(100);
    const body = await bodyOf(alpha, 'dev9', quote);
    const calls = { ...body.executionOptions, destinationChainExecutionData: { calls: [{ to: dev0.address }] } };
    const refused = await service.post('/execute', { ...body, executionOptions: calls }, key);
    expect([refused.status, await refused.json()]).toEqual([400, { error: 'Chain 3586256 is not supported' }]);
    expect((await service.post('/execute', body, key)).status).toBe(200);
    expect((await service.end(quote.requestId)).status).toBe('success');
    expect(usdc(100) - before).toBe(BigInt(quote.details.currencyOut.amount));
  });

  test('behavior: a fill that fails in the sequencer is retried once', async () => {
    const quote = await service.quote(deposit());
    await failing('7', { does: 'fail' });
    const before = usdc(100);
    await service.pay(quote);
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'success' });
    expect(usdc(100) - before).toBe(BigInt(quote.details.currencyOut.amount));
    const { data } = await service.record(quote.requestId);
    expect(data?.failedTxHash).toMatch(/^[0-9a-f]{80}$/);
    expect(data?.failedTxHash).not.toBe(data?.outTxs?.[0]?.txHash);
    expect(data?.failedCallData).toMatchObject({ from: '7', to: '100' });
  });

  test.each([
    ['that fails twice', 'TRANSACTION_REVERTED', () => failing('7', { does: 'fail', times: 2 })],
    ['that fails by a fault', 'TRANSACTION_REVERTED', () => service.fault({ kind: 'solver', does: 'revert' })],
    [
      'that a fault refuses',
      'SLIPPAGE',
      () => service.fault({ kind: 'solver', does: 'refund', failReason: 'SLIPPAGE' }),
    ],
  ])('behavior: refunds a fill %s on the origin chain', async (_, failReason, prepare) => {
    const before = {
      user: await service.holds(dev1.address, 'alpha/USDC'),
      account: usdc(101),
      relayer: usdc(relayer),
    };
    const quote = await service.quote(deposit({ recipient: '101', account: 'dev1' }));
    await prepare();
    await service.pay(quote, 'dev1');
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'refund', failReason });
    const { data } = await service.record(quote.requestId);
    const lost = before.user - (await service.holds(dev1.address, 'alpha/USDC'));
    expect(data?.fees?.actual?.execution).toMatchObject({ amount: lost.toString() });
    expect(lost).toBeLessThan(10_000n);
    expect([usdc(101), usdc(relayer)]).toEqual([before.account, before.relayer]);
  });

  test('behavior: a restart during the fill pays nothing twice', async () => {
    const quote = await service.quote(deposit());
    await failing('7', { does: 'stuck' });
    const before = { account: usdc(100), transfers: service.venue.transfersTo(100).length };
    await service.pay(quote);
    const sent = await service.until(quote.requestId, 'submitted');
    await service.restart();
    const status = await service.end(quote.requestId);
    expect(status).toMatchObject({ status: 'success', txHashes: sent.txHashes });
    // Whatever else it would have paid was paid before the next one.
    const next = await service.quote(deposit());
    await service.pay(next);
    await service.end(next.requestId);
    const paid = [quote, next].map(({ details }) => BigInt(details.currencyOut.amount));
    expect(usdc(100) - before.account).toBe(paid.reduce((sum, each) => sum + each, 0n));
    expect(service.venue.transfersTo(100).length - before.transfers).toBe(2);
  });
});
