/**
 * Swaps by the router, as the live service makes them: on the origin chain before the deposit, and on one chain. The
 * whole program quotes, proves and pays; the balances are read from the nodes, the calldata with the tests' own
 * interface.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decodeFunctionData, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../src/sandbox/values/abi.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { balance } from '../support/chains.js';
import { at, type Envelope, ferry, temporaryFolder } from '../support/ferry.js';
import { balanceAt } from '../support/node.js';
import { connect, connectAs } from '../support/nodeClients.js';
import * as calldata from '../support/routerCalldata.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const { dev0, dev1, dev2, solver } = accounts;

type Swap = { transfer: string; more?: string[]; pays: 'ETH' | 'USDC'; calls: string[]; router: string };

const toToken = ['approve', 'swap', 'cleanupErc20sViaCall'];

/** What each swap deposits, and the calls that lead to it. */
const across: readonly Swap[] = [
  { transfer: '1000 alpha/gull beta/usdc', pays: 'USDC', calls: toToken, router: 'kyberswap' },
  {
    ...{ transfer: '0.05 beta/dai alpha/weth', more: ['--expected-output'], pays: 'ETH', router: 'kyberswap' },
    calls: ['approve', 'swap', 'cleanupNativeViaCall'],
  },
];

describe('across chains', () => {
  test.each(across)('default: $transfer, $more', async ({ transfer, more = [], pays, calls, router }) => {
    const quoted = await quote(transfer, ...more);
    const { details, steps, protocol, requestId, fees } = quoted.response;
    const [origin] = chainsOf(transfer);
    const token = pays === 'ETH' ? zeroAddress : origin.tokens.USDC.address.toLowerCase();
    expect(steps.map(({ id }: Envelope) => id)).toEqual(['approve', 'deposit']);
    const { data } = steps[1].items[0];
    expect([data.to, data.value]).toEqual([origin.approvalProxy.toLowerCase(), '0']);
    const sent = calldata.decode(data.data);
    expect(sent).toMatchObject({
      amounts: [BigInt(details.currencyIn.amount)],
      refundTo: solver.address,
      nftRecipient: solver.address,
      metadata: calldata.metadataOf(requestId),
      suffix: protocol.v2.orderId,
    });
    expect(sent.calls.map(nameOf)).toEqual(calls);
    expect(sent.calls.every(({ allowFailure }) => !allowFailure)).toBe(true);
    // The order: payment, refunds, fees and route name what is deposited.
    const { route, refundCurrency } = details;
    expect(route.origin).toEqual({ router, inputCurrency: details.currencyIn, outputCurrency: refundCurrency });
    const { inputs } = protocol.v2.orderData;
    expect(inputs).toMatchObject([
      { payment: { currency: token, amount: refundCurrency.amount, weight: '1' }, refunds: [{ currency: token }, {}] },
    ]);
    expect(inputs[0].refunds[1].currency).toBe(route.destination.inputCurrency.currency.address);
    expect(protocol.v2.paymentDetails).toMatchObject({ currency: token, amount: refundCurrency.amount });
    expect(fees.relayer.currency.address).toBe(token);

    const before = await holdings(transfer);
    // The swap and the fill may each fall short by the slippage.
    const done = await execute(quoted.file, '--max-impact', '10');
    expect(done.status).toBe('success');
    const after = await holdings(transfer);
    expect(before.from - after.from).toBe(BigInt(details.currencyIn.amount));
    expect(after.to - before.to).toBe(BigInt(done.received.amount));
    expect(after.to - before.to).toBeGreaterThanOrEqual(BigInt(details.currencyOut.minimumAmount));
    expect((await leftOnRouter(origin)).filter((left) => left > 0n)).toEqual([]);
  });
});

const onOneChain: readonly Pick<Swap, 'transfer' | 'more' | 'calls'>[] = [
  { transfer: '400 alpha/gull alpha/usdt', calls: ['transfer', 'approve', 'swap'] },
  { transfer: '0.1 beta/weth beta/eth', more: ['--recipient', dev1.address], calls: ['withdraw', 'cleanupNative'] },
];

describe('on one chain', () => {
  test.each(onOneChain)('default: $transfer, $more', async ({ transfer, more = [], calls }) => {
    const quoted = await quote(transfer, ...more);
    const { details, steps, protocol, requestId } = quoted.response;
    const [origin] = chainsOf(transfer);
    expect(protocol).toBe(undefined);
    const { id, items } = steps.at(-1);
    const [{ data }] = items;
    const sent = calldata.decode(data.data);
    const isNative = sent.tokens === undefined;
    expect([id, data.to]).toEqual(['swap', (isNative ? origin.router : origin.approvalProxy).toLowerCase()]);
    expect(sent).toMatchObject({ refundTo: dev0.address, metadata: calldata.metadataOf(requestId), suffix: undefined });
    expect(sent.calls.map(nameOf)).toEqual(calls);
    // Whatever the calls do is known from their bytes alone.
    expect(quoted.proof).toContainEqual(expect.objectContaining({ check: 'router-calls', verdict: 'verified' }));
    expect(quoted.proof).toContainEqual(expect.objectContaining({ check: 'router-result', verdict: 'verified' }));
    expect(details.slippageTolerance.destination).toMatchObject({ value: '0' });

    const recipient = more[0] === '--recipient' ? dev1.address : dev0.address;
    const before = await holdings(transfer, recipient);
    const done = await execute(quoted.file);
    expect(done.status).toBe('success');
    const after = await holdings(transfer, recipient);
    const { token } = before;
    expect(after.to - before.to).toBeGreaterThanOrEqual(BigInt(details.currencyOut.minimumAmount));
    if (token !== zeroAddress) expect(before.from - after.from).toBe(BigInt(details.currencyIn.amount));
    expect((await leftOnRouter(origin)).filter((left) => left > 0n)).toEqual([]);
  });
});

describe('the price moves between quote and payment', () => {
  test('behavior: a swap that yields less is filled with less', async () => {
    const quoted = await quote('2000 alpha/gull beta/usdc', '--slippage', '5');
    const { refundCurrency, currencyOut } = quoted.response.details;
    await trade('GULL', 20_000n * 10n ** 18n);
    const done = await execute(quoted.file);
    const record = await recordOf(quoted);
    const deposited = BigInt(record.protocol.deposit.origin.amount);
    expect(deposited).toBeLessThan(BigInt(refundCurrency.amount));
    expect(deposited).toBeGreaterThanOrEqual(BigInt(refundCurrency.minimumAmount));
    expect(record.data.route.actual.origin.outputCurrency.amount).toBe(String(deposited));
    expect(done.status).toBe('success');
    const received = BigInt(done.received.amount);
    expect(BigInt(currencyOut.amount) - received).toBe(BigInt(refundCurrency.amount) - deposited);
    expect(received).toBeGreaterThanOrEqual(BigInt(currencyOut.minimumAmount));
  });

  test('behavior: a swap that yields more is filled with more', async () => {
    const quoted = await quote('2000 alpha/gull beta/usdc', '--slippage', '5');
    const { refundCurrency, currencyOut } = quoted.response.details;
    await trade('USDC', 5_000n * 10n ** 6n);
    const done = await execute(quoted.file, '--max-impact', '10');
    const deposited = BigInt((await recordOf(quoted)).protocol.deposit.origin.amount);
    expect(deposited).toBeGreaterThan(BigInt(refundCurrency.amount));
    expect(BigInt(done.received.amount) - BigInt(currencyOut.amount)).toBe(deposited - BigInt(refundCurrency.amount));
  });

  test('behavior: too little for the order is refunded in what was deposited', async () => {
    // High fees: a loss within the swap's slippage is more of what is left than the order's slippage.
    const appFee = ['--app-fee', `${dev1.address}:2000`];
    const quoted = await quote('2000 alpha/gull beta/usdc', '--slippage', '1', ...appFee);
    const { refundCurrency } = quoted.response.details;
    const [alpha] = chainsOf('2000 alpha/gull beta/usdc');
    await trade('GULL', 18_000n * 10n ** 18n);
    const before = await balanceAt(sandbox.rpcUrls.alpha ?? '', alpha.tokens.USDC.address, dev0.address);
    const argv = ['execute', quoted.file, '--max-impact', '50', '--yes', '--json'];
    const ended = await ferry(argv, { env: at(sandbox), home: dirname(quoted.file) });
    expect(ended.code).toBe(7);
    const record = await recordOf(quoted);
    const deposited = BigInt(record.protocol.deposit.origin.amount);
    expect(deposited).toBeGreaterThanOrEqual(BigInt(refundCurrency.minimumAmount));
    expect(record).toMatchObject({ status: 'refund', data: { failReason: 'TOO_LITTLE_RECEIVED' } });
    const refunded = (await balanceAt(sandbox.rpcUrls.alpha ?? '', alpha.tokens.USDC.address, dev0.address)) - before;
    expect(record.data.refundCurrencyData).toMatchObject({
      currency: { address: alpha.tokens.USDC.address.toLowerCase() },
      amount: String(refunded),
    });
    expect(deposited - refunded).toBeLessThan(100_000n);
  });

  test('error: below its minimum the swap reverts, and nothing is lost', async () => {
    const quoted = await quote('2000 alpha/gull beta/usdc', '--slippage', '0.5');
    const [alpha] = chainsOf('2000 alpha/gull beta/usdc');
    await trade('GULL', 100_000n * 10n ** 18n);
    const before = await balanceAt(sandbox.rpcUrls.alpha ?? '', alpha.tokens.GULL.address, dev0.address);
    const argv = ['execute', quoted.file, '--yes', '--json'];
    const ended = await ferry(argv, { env: at(sandbox), home: dirname(quoted.file) });
    expect(ended.code).toBe(5);
    expect(ended.json()).toMatchObject({
      ok: false,
      error: {
        funds: 'untouched',
        facts: { 'effect-success': expect.stringContaining('Return amount is not enough') },
      },
    });
    expect(await balanceAt(sandbox.rpcUrls.alpha ?? '', alpha.tokens.GULL.address, dev0.address)).toBe(before);
  });
});

/** A quote that ferry has saved to a file in its home, where its seal is, with its proof. */
async function quote(transfer: string, ...more: string[]): Promise<Envelope> {
  const home = temporaryFolder();
  const file = join(home, 'quote.json');
  const argv = ['quote', ...transfer.split(' '), ...more, '--account', 'dev0', '-o', file];
  const ended = await ferry(argv, { env: at(sandbox), home });
  if (ended.code !== 0) throw new Error(ended.stdout + ended.stderr);
  return { ...JSON.parse(readFileSync(file, 'utf8')).data, file };
}

async function execute(file: string, ...more: string[]): Promise<Envelope> {
  const ended = await ferry(['execute', file, ...more, '--yes', '--json'], { env: at(sandbox), home: dirname(file) });
  if (ended.code !== 0) throw new Error(ended.stdout + ended.stderr);
  return ended.json().data;
}

async function recordOf({ requestId }: Envelope): Promise<Envelope> {
  const headers = { 'x-api-key': 'sandbox-key' };
  const answer = await fetch(`${sandbox.baseUrl}/requests/v3?id=${requestId}`, { headers });
  return ((await answer.json()) as { requests: Envelope[] }).requests[0] ?? {};
}

/** Somebody else's trade in alpha's pool of GULL and USDC. */
async function trade(sold: 'GULL' | 'USDC', amount: bigint): Promise<void> {
  const alpha = { ...deployments.alpha, rpcUrl: sandbox.rpcUrls.alpha ?? '', pid: 0 };
  const client = connectAs(alpha, dev2);
  const { address } = alpha.tokens[sold];
  const pool = alpha.pools.find(({ token0 }) => token0 === alpha.tokens.GULL.address)?.address ?? zeroAddress;
  const approval = { address, abi: abi.token, functionName: 'approve', args: [pool, amount] } as const;
  await client.waitForTransactionReceipt({ hash: await client.writeContract(approval) });
  const args = [address, amount, 0n, dev2.address] as const;
  const swap = { address: pool, abi: abi.pool, functionName: 'swapExactIn', args } as const;
  await client.waitForTransactionReceipt({ hash: await client.writeContract(swap) });
}

function chainsOf(transfer: string) {
  const [, from = '', to = ''] = transfer.split(' ');
  return [from, to].map((each) => deployments[each.split('/')[0] as 'alpha' | 'beta']) as [
    typeof deployments.alpha,
    typeof deployments.alpha,
  ];
}

/** Balances of the payer's input and of the recipient's output, by the nodes' word. */
async function holdings(transfer: string, recipient: string = dev0.address) {
  const [, from = '', to = ''] = transfer.split(' ');
  const read = (currency: string, owner: string) => {
    const [name, symbol = ''] = currency.split('/');
    const chain = deployments[name as 'alpha' | 'beta'];
    const token = symbol === 'eth' ? zeroAddress : chain.tokens[symbol.toUpperCase() as 'GULL'].address;
    return balanceAt(sandbox.rpcUrls[chain.name] ?? '', token, owner);
  };
  const token = from.endsWith('/eth') ? zeroAddress : from;
  return { token, from: await read(from, dev0.address), to: await read(to, recipient) };
}

/** What rests on the router, in every currency. */
async function leftOnRouter(chain: typeof deployments.alpha): Promise<bigint[]> {
  const node = {
    ...chain,
    rpcUrl: sandbox.rpcUrls[chain.name] ?? '',
    pid: 0,
    loadedBlock: 0,
    isUnchanged: true,
    savedAtMs: 0,
  };
  const tokens = Object.values(chain.tokens).map(({ address }) => balance(node, address, chain.router));
  return Promise.all([connect(node).getBalance({ address: chain.router }), ...tokens]);
}

function nameOf({ callData }: calldata.Call): string {
  const wrap = '0xd0e30db0';
  if (callData === '0x' || callData === wrap) return 'pay';
  return decodeFunctionData({ abi: calldata.abi, data: callData }).functionName;
}
