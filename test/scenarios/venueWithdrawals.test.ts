/** Withdrawals from the venue: what leaves the account is accounted for on the user's chain to the base unit. */
import { parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { type FrameLog, inMemory } from '../../src/sandbox/storage/frameLog.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { useService, type Wish } from '../support/customer.js';
import { parametersOf, settled, transfer, venueOf } from '../support/venueTransfer.js';

const service = useService();
const { usdc, failing, fees } = venueOf(service);

const { dev0 } = accounts;
const venueId = 3586256;
const relayer = 7;

const withdrawal = (wish: Partial<Wish> = {}): Wish => ({
  from: 'lighter/USDC',
  to: 'beta/USDC',
  amount: '50000000',
  recipient: dev0.address,
  ...wish,
});

describe('withdrawals', () => {
  test.each([
    ['beta/USDC', {}],
    ['alpha/USDC', { tradeType: 'EXACT_OUTPUT' }],
    ['beta/GULL', { tradeType: 'EXACT_OUTPUT', amount: parseEther('100').toString() }],
  ] as const)('default: to %s, %o', async (to, rest) => {
    const receiver = `0x${'e'.repeat(40)}` as const;
    const quote = await service.quote(withdrawal({ to, recipient: receiver, ...rest } as Partial<Wish>));
    expect(quote.details.userBalance).toBe(usdc(100).toString());
    const { amount, usdcFee } = parametersOf(quote);
    expect(String(amount)).toBe(quote.details.currencyIn.amount);
    expect(quote.fees?.gas?.amount).toBe(String(usdcFee));
    const before = { account: usdc(100), relayer: usdc(relayer), receiver: await service.holds(receiver, to) };
    const hash = await service.pay(quote);
    const status = await service.end(quote.requestId);
    expect(status).toMatchObject({ status: 'success', inTxHashes: [hash], originChainId: venueId });
    expect(before.account - usdc(100)).toBe(BigInt(amount) + BigInt(usdcFee));
    expect(usdc(relayer) - before.relayer).toBe(BigInt(amount));
    const output = BigInt(quote.details.currencyOut.amount);
    expect((await service.holds(receiver, to)) - before.receiver).toBe(output);

    const { data, protocol } = await service.record(quote.requestId);
    expect(data?.inTxs).toMatchObject([{ txHash: hash, chainId: venueId, fee: '3000000', feeUsd: '3.000000' }]);
    expect(protocol?.deposit?.origin).toMatchObject({
      depositor: '100',
      depository: '7',
      currency: '0',
      transactionId: hash,
    });
    const { quoted, actual } = await fees(quote.requestId);
    const sum = (parts: typeof quoted) => Object.values(parts).reduce((all, part) => all + part, 0n);
    expect(sum(actual)).toBe(sum(quoted));
    expect(actual.platform).toBe(quoted.platform);
  });

  test("behavior: a forced refund returns everything except the venue's fee", async () => {
    const quote = await service.quote(withdrawal({ referrer: 'debug-force-refund' }));
    const before = { account: usdc(100), relayer: usdc(relayer) };
    await service.pay(quote);
    const status = await service.end(quote.requestId);
    expect(status).toMatchObject({ status: 'refund', failReason: 'MANUAL_ADMIN_REFUND', refundFailReason: 'N/A' });
    expect(before.account - usdc(100)).toBe(3_000_000n);
    expect(usdc(relayer)).toBe(before.relayer);
    const { data, protocol } = await service.record(quote.requestId);
    expect(data?.refundCurrencyData).toMatchObject({
      amount: '50000000',
      currency: { chainId: venueId, address: '0' },
    });
    expect(data?.fees?.actual?.execution).toMatchObject({ amount: '0' });
    expect(protocol?.settlement?.destination).toMatchObject({
      fills: [],
      refunds: [{ chainId: venueId, transactionId: status.txHashes?.[0] }],
    });
  });

  test('behavior: a refund goes to the requested account', async () => {
    const quote = await service.quote(withdrawal({ referrer: 'debug-force-refund', refundTo: '102' }));
    const before = usdc(102);
    await service.pay(quote);
    expect((await service.end(quote.requestId)).status).toBe('refund');
    expect(usdc(102) - before).toBe(50_000_000n);
  });

  test.each([
    ['less than the order requires', 'dev0', { amount: 49_999_999 }, 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'],
    ['another account', 'dev1', {}, 'INVALID_SENDER'],
  ] as const)('behavior: %s is given back', async (_, from, change, failReason) => {
    const quote = await service.quote(withdrawal());
    const parameters = { ...parametersOf(quote), ...change };
    const before = { account: usdc(100), relayer: usdc(relayer) };
    await transfer(service.venue, from, parameters);
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'refund', failReason });
    expect(usdc(relayer)).toBe(before.relayer);
    const paid = from === 'dev0' ? BigInt(parameters.amount) + 3_000_000n : 0n;
    expect(usdc(100)).toBe(before.account - paid + BigInt(parameters.amount));
  });

  test('behavior: the memo is the order id; the request id names the same order', async () => {
    const quote = await service.quote(withdrawal());
    expect(parametersOf(quote).memo).toBe(quote.protocol?.v2?.orderId);
    const hash = await transfer(service.venue, 'dev0', { ...parametersOf(quote), memo: quote.requestId });
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'success', inTxHashes: [hash] });
  });

  test('behavior: a transfer that names the request is held to its order all the same', async () => {
    const quote = await service.quote(withdrawal());
    await transfer(service.venue, 'dev1', { ...parametersOf(quote), memo: quote.requestId });
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'refund', failReason: 'INVALID_SENDER' });
  });

  test('behavior: late transfers are refunded', async () => {
    const quote = await service.quote(withdrawal({ ttl: 60 }));
    service.travel(61_000);
    await service.pay(quote);
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'refund', failReason: 'TTL_EXPIRED' });
  });

  test('behavior: refunds a second transfer for the same order, which stays filled', async () => {
    const quote = await service.quote(withdrawal());
    await service.pay(quote);
    await service.end(quote.requestId);
    const before = { account: usdc(100), relayer: usdc(relayer) };
    await service.pay(quote);
    await expect
      .poll(async () => (await service.status(quote.requestId)).details, { interval: 20 })
      .toContain('DOUBLE_SPEND');
    expect((await service.status(quote.requestId)).status).toBe('success');
    expect([before.account - usdc(100), usdc(relayer)]).toEqual([3_000_000n, before.relayer]);
  });

  test('behavior: never fills a transfer for an order whose origin is a chain', async () => {
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '50000000' });
    const { orderId = '' } = quote.protocol?.v2 ?? {};
    await transfer(service.venue, 'dev0', { ...parametersOf(await service.quote(withdrawal())), memo: orderId });
    expect(await service.end(quote.requestId)).toMatchObject({
      status: 'failure',
      failReason: 'DEPOSIT_CHAIN_MISMATCH',
      refundFailReason: 'MANUAL_REFUND_REQUIRED',
    });
  });

  test('behavior: ignores a transfer with another memo', async () => {
    const before = usdc(relayer);
    const memo = `0x${'ab'.repeat(32)}`;
    const hash = await transfer(service.venue, 'dev0', { ...parametersOf(await service.quote(withdrawal())), memo });
    await settled(service.venue, hash);
    const response = await service.post('/transactions/index', { chainId: String(venueId), txHash: hash });
    expect(response.status).toBe(200);
    expect(usdc(relayer) - before).toBe(50_000_000n);
  });

  test('behavior: a failed transfer leaves the request waiting', async () => {
    const quote = await service.quote(withdrawal());
    await failing('100', { does: 'fail' });
    const hash = await service.pay(quote);
    await settled(service.venue, hash);
    expect((await service.status(quote.requestId)).status).toBe('waiting');
    await service.pay(quote);
    expect((await service.end(quote.requestId)).status).toBe('success');
  });

  test('behavior: a restart before the transfer is executed', async () => {
    const quote = await service.quote(withdrawal());
    await failing('100', { does: 'stuck' });
    const hash = await service.pay(quote);
    await service.restart();
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'success', inTxHashes: [hash] });
  });

  test('behavior: a transfer executed while the service was down', async () => {
    const quote = await service.quote(withdrawal());
    const ledger = copyOf(service.logs.ledger);
    await service.fault({ kind: 'solver', does: 'stuck' });
    const hash = await service.pay(quote);
    await service.until(quote.requestId, 'pending');
    await service.restart({ ledger });
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'success', inTxHashes: [hash] });
  });

  test('behavior: a restart during the refund pays nothing twice', async () => {
    const quote = await service.quote(withdrawal({ referrer: 'debug-force-refund' }));
    await failing('7', { does: 'stuck' });
    const before = usdc(100);
    await service.pay(quote);
    await expect.poll(async () => (await service.status(quote.requestId)).txHashes?.length, { interval: 20 }).toBe(1);
    await service.restart();
    expect((await service.end(quote.requestId)).status).toBe('refund');
    // Whatever else it would have paid was paid before the refund of the next one.
    const next = await service.quote(withdrawal({ referrer: 'debug-force-refund' }));
    await service.pay(next);
    expect((await service.end(next.requestId)).status).toBe('refund');
    expect(before - usdc(100)).toBe(6_000_000n);
  });

  test('behavior: refunds on the venue if the fill reverts', async () => {
    await service.fault({ kind: 'solver', does: 'revert' });
    const quote = await service.quote(withdrawal());
    const before = usdc(100);
    await service.pay(quote);
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'refund', failReason: 'TRANSACTION_REVERTED' });
    expect(before - usdc(100)).toBe(3_000_000n);
  });
});

describe('POST /transactions/index', () => {
  const index = async (body: object) => {
    const response = await service.post('/transactions/index', { chainId: String(venueId), ...body });
    return [response.status, await response.json()];
  };

  test('default: records a transfer immediately', async () => {
    const quote = await service.quote(withdrawal());
    const txHash = await service.pay(quote);
    expect(await index({ txHash: txHash.toUpperCase(), requestId: quote.requestId })).toEqual([
      200,
      { message: 'Transaction indexed' },
    ]);
    await settled(service.venue, txHash);
    expect((await index({ txHash, requestId: quote.requestId }))[0]).toBe(200);
    expect((await service.status(quote.requestId)).inTxHashes).toEqual([txHash]);
    await service.end(quote.requestId);
  });

  test('error', async () => {
    expect(await index({ txHash: `0x${'12'.repeat(32)}` })).toEqual([400, { message: 'Invalid transaction hash' }]);
    expect(await index({ txHash: '12'.repeat(40) })).toEqual([404, { message: 'Transaction not found' }]);
  });
});

/** What a log holds now, in a log of its own. */
function copyOf(log: FrameLog): FrameLog {
  const copy = inMemory();
  for (const { content } of log.frames()) copy.append(Buffer.from(content));
  return copy;
}
