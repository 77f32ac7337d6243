import { decodeFunctionData, getAddress, type Hex, numberToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as Step from '../../../src/core/api/schema/Step.js';
import { type Address, native } from '../../../src/core/base/Address.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { type Node, readMarket, readWallet } from '../../../src/sandbox/chain/readMarket.js';
import type * as Order from '../../../src/sandbox/quote/Order.js';
import * as Quote from '../../../src/sandbox/quote/Quote.js';
import type * as QuoteAnswer from '../../../src/sandbox/quote/QuoteAnswer.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { chainById } from '../../../src/sandbox/values/Market.js';
import * as PartyAccount from '../../../src/sandbox/values/PartyAccount.js';
import * as QuoteIds from '../../../src/sandbox/values/QuoteIds.js';
import { useChains } from '../../support/chains.js';
import * as fixture from '../../support/market.js';
import { until } from '../../support/until.js';

const { dev0, dev1, feeCollector } = accounts;

describe('from', () => {
  test.each([
    ['there is no allowance', 'usdc', 0n, [100_000_000n]],
    ['the allowance is too low', 'usdc', 99_999_999n, [100_000_000n]],
    ['the allowance suffices', 'usdc', 100_000_000n, []],
    ['there is no allowance, and the token requires a reset to zero', 'usdt', 0n, [100_000_000n]],
    ['the allowance is too low, and the token requires a reset to zero', 'usdt', 1n, [0n, 100_000_000n]],
  ])('behavior: approvals if %s', async (_, symbol, depositoryAllowance, amounts) => {
    const { response } = await fixture.quote(fixture.request(100_000_000n, `alpha/${symbol}`, `beta/${symbol}`), {
      wallet: { ...fixture.emptyWallet, depositoryAllowance },
    });
    const approved = transactionsOf(response)
      .slice(0, -1)
      .map(({ data }) => decodeFunctionData({ abi: abi.token, data }).args);
    expect(approved).toEqual(amounts.map((amount) => [getAddress(fixture.alpha.contracts.depository), amount]));
  });
});

/** On real chains: every step's transaction is sent as quoted, with its gas limit. */
describe('from, executed', () => {
  const { alpha, beta } = useChains();

  const usd = 10n ** 6n;
  const eth = 10n ** 18n;
  test.each<[from: string, to: string, amount: bigint, rest?: Partial<QuoteV2.Request>]>([
    ['USDC', 'USDT', 100n * usd],
    ['USDC', 'USDT', 100n * usd, { tradeType: 'EXACT_OUTPUT' }],
    ['USDT', 'USDC', 100n * usd, { tradeType: 'EXPECTED_OUTPUT' }],
    ['USDT', 'USDC', 100n * usd, { tradeType: 'EXACT_OUTPUT', recipient: dev1.address }],
    ['USDT', 'ETH', 100n * usd, { recipient: dev1.address }],
    ['USDT', 'ETH', eth / 10n, { tradeType: 'EXACT_OUTPUT', recipient: dev1.address }],
    ['ETH', 'USDC', eth],
    ['ETH', 'USDC', 100n * usd, { tradeType: 'EXACT_OUTPUT' }],
    ['ETH', 'GULL', 77n * eth, { tradeType: 'EXACT_OUTPUT' }],
    ['GULL', 'WETH', 1234n * eth],
    ['GULL', 'WETH', eth, { tradeType: 'EXACT_OUTPUT', recipient: dev1.address }],
    ['WETH', 'USDC', 100n * usd, { tradeType: 'EXACT_OUTPUT' }],
    ['DAI', 'ETH', 250n * eth, { recipient: dev1.address, appFees: [{ recipient: dev1.address, fee: '30' }] }],
    ['ETH', 'WETH', eth],
    ['ETH', 'WETH', eth, { recipient: dev1.address }],
    ['WETH', 'ETH', eth / 2n, { recipient: dev1.address }],
    ['ETH', 'ETH', eth, { recipient: dev1.address }],
    ['USDT', 'USDT', 5n * usd, { recipient: dev1.address }],
  ])('behavior: %s to %s, %s %o', async (from, to, amount, rest = {}) => {
    const node = alpha;
    const market = await readMarket([alpha, beta], Date.now());
    const chain = chainById(market, node.id);
    const tokenOf = (symbol: string) => chain?.tokens.find((token) => token.symbol === symbol)?.address ?? native;
    const request: QuoteV2.Request = {
      user: dev0.address,
      originChainId: node.id,
      destinationChainId: node.id,
      originCurrency: tokenOf(from),
      destinationCurrency: tokenOf(to),
      tradeType: 'EXACT_INPUT',
      amount: amount.toString(),
      ...rest,
    };
    const { response, order } = await Quote.from(request, {
      ...fixture.input,
      market,
      wallet: await readWallet(node, dev0.address, tokenOf(from)),
      identity: QuoteIds.from({ seed: 'test', sequence: 1, nowMs: market.nowMs }),
    });
    const balances = async () => ({
      user: await balance(node, dev0.address, tokenOf(from)),
      recipient: await balance(node, PartyAccount.address(order.recipient), tokenOf(to)),
      // Of a native input the collector gets its fee wrapped.
      collector: await balance(node, feeCollector.address, from === 'ETH' ? tokenOf('WETH') : tokenOf(from)),
    });

    const before = await balances();
    let gasWei = 0n;
    for (const transaction of transactionsOf(response)) gasWei += await send(node, transaction);
    const after = await balances();

    const { execution, platform, app } = order.fees;
    const paidGas = tokenOf(from) === native ? gasWei : 0n;
    expect(before.user - after.user - paidGas).toBe(order.origin.amount);
    const received = after.recipient - before.recipient;
    if (isBought(order)) {
      // With the margin for slippage.
      expect(received).toBeGreaterThanOrEqual(order.destination.amount);
      expect(received * 100n).toBeLessThan(order.destination.amount * 103n);
    } else expect(received).toBe(order.destination.amount);
    expect(after.collector - before.collector).toBe(execution.amount + platform.amount + app.amount);
  });
});

function isBought({ execution, tradeType }: Order.Order): boolean {
  return execution === 'swap' && tradeType === 'EXACT_OUTPUT';
}

async function balance(node: Node, holder: Address, currency: Address): Promise<bigint> {
  return (await readWallet(node, holder, currency)).balance;
}

/** Sends a step's transaction unchanged and returns its gas cost in wei. */
async function send({ rpcUrl }: Node, step: Step.EvmTransaction): Promise<bigint> {
  const { from, to, data, gas = '0', maxFeePerGas = '0', maxPriorityFeePerGas = '0' } = step;
  const hash = await nodeRpc.call(rpcUrl, 'eth_sendTransaction', {
    from,
    to,
    data,
    value: numberToHex(BigInt(step.value)),
    gas: numberToHex(BigInt(gas)),
    maxFeePerGas: numberToHex(BigInt(maxFeePerGas)),
    maxPriorityFeePerGas: numberToHex(BigInt(maxPriorityFeePerGas)),
  });
  const mined = await until(() => nodeRpc.call(rpcUrl, 'eth_getTransactionReceipt', hash), 'the step is mined');
  const receipt = mined as Record<string, Hex>;
  expect(receipt.status).toBe('0x1');
  const used = BigInt(receipt.gasUsed ?? 0);
  return used * BigInt(receipt.effectiveGasPrice ?? 0);
}

function transactionsOf(response: QuoteAnswer.Response): readonly Step.EvmTransaction[] {
  return response.steps.flatMap((step) => step.items.map((item) => Step.evmTransaction.parse(item.data)));
}
