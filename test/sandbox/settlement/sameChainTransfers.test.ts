import { parseEther, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Step from '../../../src/core/api/schema/Step.js';
import * as Usd from '../../../src/core/base/Usd.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { send } from '../../support/chains.js';
import { useService } from '../../support/customer.js';
import { connectAs } from '../../support/nodeClients.js';

const service = useService();
const { alpha } = service.chains;
const { dev0, dev1 } = accounts;

type Quoted = Awaited<ReturnType<typeof service.quote>>;

/** Tells the service of a transaction by the way of clients that send it whole. */
function report({ requestId, details }: Quoted, txHash: string) {
  const chainId = String(details.currencyIn.currency.chainId);
  return service.posted('/transactions/single', { requestId, chainId, tx: JSON.stringify({ txHash }) });
}

const transactionOf = ({ steps }: Quoted) => Step.evmTransaction.parse(steps[0]?.items[0]?.data);

describe('recordTransfer', () => {
  test("default: detects a swap by the router's event", async () => {
    const before = await service.holds(dev0.address, 'alpha/WETH');
    const quote = await service.quote({ from: 'alpha/USDC', to: 'alpha/WETH', amount: '250000000' });
    const hash = await service.pay(quote);
    const status = await service.end(quote.requestId);
    expect(status).toMatchObject({ status: 'success', inTxHashes: [hash], txHashes: [hash] });
    const received = (await service.holds(dev0.address, 'alpha/WETH')) - before;
    const { data } = await service.record(quote.requestId);
    expect(data?.route?.actual?.destination?.outputCurrency?.amount).toBe(received.toString());
    const usd = Object.values(data?.fees?.actual ?? {}).map((part) => Usd.from((part as { usd: string }).usd) ?? 0n);
    const out = Usd.from(data?.route?.actual?.destination?.outputCurrency?.amountUsd ?? '') ?? 0n;
    expect(usd.reduce((sum, part) => sum + part, 0n)).toBe(out - 250_000_000n);
  });

  test.each([
    ['a wrap', 'alpha/ETH', 'alpha/WETH', parseEther('0.5').toString()],
    ['an unwrap', 'beta/WETH', 'beta/ETH', parseEther('0.5').toString()],
    ['a swap to native currency', 'beta/USDC', 'beta/ETH', '100000000'],
    ['a swap of native currency', 'alpha/ETH', 'alpha/USDC', parseEther('0.02').toString()],
  ])('behavior: /transactions/single finds %s', async (_, from, to, amount) => {
    const quote = await service.quote({ from, to, amount });
    const txHash = await service.pay(quote);
    expect(await report(quote, txHash)).toEqual([200, { message: 'Transaction indexed' }]);
    const status = await service.status(quote.requestId);
    expect(status).toMatchObject({ status: 'success', inTxHashes: [txHash] });
    const { data } = await service.record(quote.requestId);
    const delivered = BigInt(data?.route?.actual?.destination?.outputCurrency?.amount ?? 0);
    expect(delivered).toBeGreaterThanOrEqual(BigInt(quote.details.currencyOut.minimumAmount));
    expect((await report(quote, txHash))[0]).toBe(200);
    expect(await service.status(quote.requestId)).toEqual(status);
  });

  test('behavior: /transactions/index finds a transfer without its request id', async () => {
    const quote = await service.quote({
      from: 'alpha/DAI',
      to: 'alpha/DAI',
      amount: parseEther('7').toString(),
      recipient: dev1.address,
    });
    const txHash = await service.pay(quote);
    await service.post('/transactions/index', { chainId: '313371', txHash });
    expect(await service.status(quote.requestId)).toMatchObject({ status: 'success', txHashes: [txHash] });
    expect((await service.record(quote.requestId)).requestType).toBe('Send');
  });

  test('behavior: a reverted transaction is a failure, a later successful one a success', async () => {
    const quote = await service.quote({ from: 'alpha/WETH', to: 'alpha/ETH', amount: parseEther('1').toString() });
    const { to, data } = transactionOf(quote);
    const client = connectAs(alpha, dev0);
    // A gas limit so low that it is mined and fails.
    const txHash = await client.sendTransaction({ to, data, gas: 22_500n });
    await client.waitForTransactionReceipt({ hash: txHash });
    await report(quote, txHash);
    expect(await service.status(quote.requestId)).toMatchObject({
      status: 'failure',
      failReason: 'TRANSACTION_REVERTED',
      inTxHashes: [txHash],
      txHashes: [],
    });
    const again = await service.pay(quote);
    await report(quote, again);
    expect(await service.status(quote.requestId)).toMatchObject({ status: 'success', failReason: 'N/A' });
  });

  test('behavior: records a pending transaction once it is mined', async () => {
    const { rpcUrl } = alpha;
    const quote = await service.quote({ from: 'alpha/ETH', to: 'alpha/WETH', amount: parseEther('0.1').toString() });
    const { to, data, value } = transactionOf(quote);
    await nodeRpc.call(rpcUrl, 'evm_setAutomine', false);
    const txHash = await connectAs(alpha, dev0).sendTransaction({ to, data, value: BigInt(value) });
    expect((await report(quote, txHash))[0]).toBe(200);
    expect((await service.status(quote.requestId)).status).toBe('waiting');
    await nodeRpc.call(rpcUrl, 'evm_mine');
    await nodeRpc.call(rpcUrl, 'evm_setAutomine', true);
    expect((await service.end(quote.requestId)).status).toBe('success');
  });

  test('error: a transaction unrelated to the request', async () => {
    const quote = await service.quote({ from: 'alpha/ETH', to: 'alpha/WETH', amount: parseEther('0.2').toString() });
    const client = connectAs(alpha, dev0);
    const txHash = await client.sendTransaction({ to: dev1.address, value: 1n });
    // Until it is mined, nothing tells whose it is.
    await client.waitForTransactionReceipt({ hash: txHash });
    expect(await report(quote, txHash)).toEqual([400, { message: 'The transaction does not belong to the request' }]);
    expect((await service.status(quote.requestId)).status).toBe('waiting');
  });

  test('error: the router names the request, but the recipient received nothing', async () => {
    const quote = await service.quote({ from: 'alpha/USDC', to: 'alpha/WETH', amount: '250000000' });
    const { transactionHash } = await send(alpha, dev1, {
      address: alpha.router,
      abi: abi.router,
      functionName: 'multicall',
      args: [[], zeroAddress, zeroAddress, quote.requestId],
    });
    await service.post('/transactions/index', { chainId: '313371', txHash: transactionHash });
    expect((await service.status(quote.requestId)).status).toBe('waiting');
  });
});
