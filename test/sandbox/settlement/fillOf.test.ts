import { encodeFunctionData, type Hex, maxUint256, numberToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import { native } from '../../../src/core/base/Address.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { type Node, readMarket, readWallet } from '../../../src/sandbox/chain/readMarket.js';
import { fillOf } from '../../../src/sandbox/settlement/sendFill.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { chainById, type EvmChain, type Market } from '../../../src/sandbox/values/Market.js';
import { useChains } from '../../support/chains.js';
import * as fixture from '../../support/market.js';
import { until } from '../../support/until.js';

const { dev0, dev1, solver } = accounts;
const usd = 10n ** 6n;
const eth = 10n ** 18n;

describe('from', () => {
  test('default', async () => {
    const { order } = await fixture.quote(fixture.request(100n * usd, 'alpha/usdc', 'beta/usdc'));
    const { address } = fixture.token(fixture.beta, 'USDC');
    expect(fillOf(order, order.payment.amount, fixture.market)).toMatchObject({
      ok: true,
      transaction: { to: address, value: 0n },
      delivered: order.destination.amount,
      needs: undefined,
    });
  });

  test('behavior: a transfer of tokens ends with the order id, one of the native asset has no calldata', async () => {
    const made = async (
      amount: bigint,
      from: string,
      to: string,
    ): Promise<[string | undefined, ReturnType<typeof fillOf>]> => {
      const { order } = await fixture.quote(fixture.request(amount, from, to));
      return [order.protocol?.orderId, fillOf(order, order.payment.amount, fixture.market)];
    };
    const [id, tokens] = await made(100n * usd, 'alpha/usdc', 'beta/usdc');
    expect(tokens.ok && tokens.transaction.data.slice(-64)).toBe(id?.slice(2));
    const [, asset] = await made(eth, 'alpha/eth', 'beta/eth');
    expect(asset.ok && asset.transaction.data).toBe('0x');
  });

  test('behavior: delivers more if pool prices improved, less if they worsened', async () => {
    const { order } = await fixture.quote(fixture.request(eth, 'alpha/eth', 'beta/usdc'));
    const better = fillOf(order, order.payment.amount, withReserves(5_100_000n * usd));
    const worse = fillOf(order, order.payment.amount, withReserves(4_950_000n * usd));
    expect(better.ok && better.delivered > order.destination.amount).toBe(true);
    expect(worse.ok && worse.delivered < order.destination.amount).toBe(true);
  });

  test('behavior: an exact output stays exact if pool prices improved', async () => {
    const asked = fixture.request(1_000n * usd, 'alpha/eth', 'beta/usdc', { tradeType: 'EXACT_OUTPUT' });
    const { order } = await fixture.quote(asked);
    expect(fillOf(order, order.payment.amount, withReserves(5_100_000n * usd))).toMatchObject({
      ok: true,
      delivered: 1_000n * usd,
    });
  });

  test.each([
    ['EXACT_INPUT', 4_890_000n * usd],
    ['EXPECTED_OUTPUT', 4_890_000n * usd],
    ['EXACT_OUTPUT', 4_999_000n * usd],
  ] as const)('error: %s below its minimum', async (tradeType, reserve) => {
    const amount = tradeType === 'EXACT_INPUT' ? eth : 1_000n * usd;
    const { order } = await fixture.quote(fixture.request(amount, 'alpha/eth', 'beta/usdc', { tradeType }));
    expect(fillOf(order, order.payment.amount, withReserves(reserve))).toEqual({
      ok: false,
      failReason: 'TOO_LITTLE_RECEIVED',
    });
  });

  test('behavior: delivers more or less if a swap on the origin chain yielded that', async () => {
    const { order } = await fixture.quote(fixture.request(100n * eth, 'alpha/dai', 'beta/usdc'));
    for (const difference of [-1_000_000n, 1_000_000n])
      expect(fillOf(order, order.payment.amount + difference, fixture.market)).toMatchObject({
        ok: true,
        delivered: order.destination.amount + difference,
      });
    expect(fillOf(order, order.payment.minimumAmount, fixture.market)).toMatchObject({ ok: false });
  });

  test('error: no pool', async () => {
    const { order } = await fixture.quote(fixture.request(eth, 'alpha/eth', 'beta/usdc'));
    const market = { ...fixture.market, chains: [fixture.alpha, { ...fixture.beta, pools: [] }] };
    expect(fillOf(order, order.payment.amount, market)).toEqual({
      ok: false,
      failReason: 'INSUFFICIENT_POOL_LIQUIDITY',
    });
  });
});

/** On real chains: the solver's transaction pays the stated amount within its gas limit. */
describe('from, executed', () => {
  const running = useChains();

  test.each<[from: string, to: string, amount: bigint, rest?: Partial<QuoteV2.Request>]>([
    ['ETH', 'ETH', eth],
    ['USDC', 'USDC', 100n * usd],
    ['USDT', 'USDT', 100n * usd, { tradeType: 'EXACT_OUTPUT' }],
    ['ETH', 'WETH', eth],
    ['WETH', 'ETH', eth, { tradeType: 'EXACT_OUTPUT' }],
    ['USDC', 'ETH', 100n * usd],
    ['USDT', 'DAI', 100n * eth, { tradeType: 'EXPECTED_OUTPUT' }],
    ['ETH', 'GULL', 5_000n * eth, { tradeType: 'EXACT_OUTPUT' }],
    ['GULL', 'ETH', eth / 3n, { tradeType: 'EXACT_OUTPUT' }],
    ['DAI', 'USDT', 100n * eth, { subsidizeFees: true }],
  ])('behavior: %s to %s, %s %o', async (from, to, amount, rest = {}) => {
    const node = running.current.beta;
    const market = await readMarket([running.current.alpha, running.current.beta], Date.now());
    const addressOf = (chainId: number, symbol: string) =>
      chainById(market, chainId)?.tokens.find((token) => token.symbol === symbol)?.address ?? native;
    const request: QuoteV2.Request = {
      user: dev0.address,
      recipient: dev1.address,
      originChainId: running.current.alpha.id,
      destinationChainId: node.id,
      originCurrency: addressOf(running.current.alpha.id, from),
      destinationCurrency: addressOf(node.id, to),
      tradeType: 'EXACT_INPUT',
      amount: amount.toString(),
      ...rest,
    };
    const { order } = await fixture.quote(request, { market, client: { sponsorBalanceUsd: 1_000n * usd } });
    const fill = fillOf(order, order.payment.amount, market);
    if (!fill.ok) throw new Error(fill.failReason);
    if (fill.needs) {
      const args = [fill.needs.spender, maxUint256] as const;
      const data = encodeFunctionData({ abi: abi.token, functionName: 'approve', args });
      await send(node, { to: fill.needs.token.address, data, value: 0n, gas: 60_000n });
    }
    const currency = addressOf(node.id, to);

    const before = await readWallet(node, dev1.address, currency);
    await send(node, fill.transaction);
    const after = await readWallet(node, dev1.address, currency);

    expect(after.balance - before.balance).toBe(fill.delivered);
    // The output is computed from the least that a swap on the origin chain yields; the rest is the recipient's.
    if (order.hasOriginSwap && order.basis < order.payment.amount)
      expect(fill.delivered).toBeGreaterThan(order.destination.amount);
    else expect(fill.delivered).toBe(order.destination.amount);
  });
});

/** The market with a different USDC reserve in beta's ETH pool. */
function withReserves(reserve1: bigint): Market<EvmChain> {
  const [first, ...rest] = fixture.beta.pools;
  if (!first) throw new Error('no pool');
  return { ...fixture.market, chains: [fixture.alpha, { ...fixture.beta, pools: [{ ...first, reserve1 }, ...rest] }] };
}

async function send(
  { rpcUrl }: Node,
  { to, data, value, gas }: { to: Hex; data: Hex; value: bigint; gas: bigint },
): Promise<void> {
  const transaction = { from: solver.address, to, data, value: numberToHex(value), gas: numberToHex(gas) };
  await nodeRpc.call(rpcUrl, 'anvil_impersonateAccount', solver.address);
  const hash = await nodeRpc.call(rpcUrl, 'eth_sendTransaction', transaction);
  const receipt = await until(() => nodeRpc.call(rpcUrl, 'eth_getTransactionReceipt', hash), 'the fill is mined');
  expect(receipt).toMatchObject({ status: '0x1' });
}
