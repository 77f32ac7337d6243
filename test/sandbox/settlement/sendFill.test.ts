import { encodeFunctionData, type Hex, maxUint256, numberToHex, parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import { native } from '../../../src/core/base/Address.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { describeChain, type Node, readMarket, readWallet } from '../../../src/sandbox/chain/readMarket.js';
import type * as Deposit from '../../../src/sandbox/ledger/Deposit.js';
import type { Entry } from '../../../src/sandbox/ledger/ledger.js';
import { waitFor } from '../../../src/sandbox/ledger/minedTransactions.js';
import type { Instance } from '../../../src/sandbox/settlement/instance.js';
import * as sendFill from '../../../src/sandbox/settlement/sendFill.js';
import { fillOf } from '../../../src/sandbox/settlement/sendFill.js';
import * as sendRefund from '../../../src/sandbox/settlement/sendRefund.js';
import * as settled from '../../../src/sandbox/settlement/settled.js';
import { sendAndWait } from '../../../src/sandbox/settlement/settled.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { chainById } from '../../../src/sandbox/values/Market.js';
import { approve, balance, send, useChains } from '../../support/chains.js';
import { bridgeOn, instanceOn, ordered as orderedIn } from '../../support/instances.js';
import * as fixture from '../../support/market.js';
import { receiptAt } from '../../support/node.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { alpha, beta } = chains;
const never = new AbortController().signal;
const receiver = `0x${'c'.repeat(40)}` as const;

const instance = (): Instance => instanceOn(chains);

/** An order in the state after its deposit. */
function ordered(one: Instance, output: 'USDC' | 'WETH' | 'GULL', slippageTolerance = '200'): Promise<Entry> {
  const destinationCurrency = beta.tokens[output].address;
  const change = { recipient: receiver, destinationCurrency, amount: '1000000000', slippageTolerance };
  return orderedIn(one, bridgeOn(chains, change));
}

/** Raises the price of GULL. */
async function buyGull(amount: bigint): Promise<void> {
  const pool = beta.pools.find(({ token0 }) => token0 === beta.tokens.GULL.address)?.address ?? '0x';
  await approve(beta, accounts.dev2, beta.tokens.USDC.address, pool, amount);
  await send(beta, accounts.dev2, {
    address: pool,
    abi: abi.pool,
    functionName: 'swapExactIn',
    args: [beta.tokens.USDC.address, amount, 0n, accounts.dev2.address],
  });
}

describe('send', () => {
  test("behavior: concurrent fills see each other's effect on the pool", async () => {
    const one = instance();
    const entries = [await ordered(one, 'GULL', '10000'), await ordered(one, 'GULL', '10000')];
    const sent = await Promise.all(
      entries.map((entry) => sendFill.send(one, entry, { onSent: () => undefined, signal: never })),
    );
    const expected = sent.map((result) => ('amount' in result ? result.amount : 0n));
    expect(expected[1]).toBeLessThan(expected[0] ?? 0n);
    for (const [index, result] of sent.entries()) {
      if ('failReason' in result) throw new Error(result.failReason);
      const done = await settled.waitFor(one, { chainId: beta.id, hash: result.hash }, never);
      const { order } = entries[index] as Entry;
      expect(await done.delivered(order, 0n)).toBe(expected[index]);
    }
  });

  test('behavior: sends nothing if the pool yields too little', async () => {
    const one = instance();
    const entry = await ordered(one, 'GULL', '10');
    await buyGull(50_000_000_000n);
    const reported: string[] = [];
    expect(await sendFill.send(one, entry, { onSent: ({ hash }) => reported.push(hash), signal: never })).toEqual({
      failReason: 'TOO_LITTLE_RECEIVED',
    });
    expect(reported).toEqual([]);
  });
});

const venueId = 3586256;

describe('settled: read', () => {
  test('behavior: unknown', async () => {
    const one = instance();
    expect(await settled.read(one, { chainId: venueId, hash: '00'.repeat(40) })).toBeUndefined();
    expect(await settled.read(one, { chainId: alpha.id, hash: `0x${'12'.repeat(32)}` })).toBeUndefined();
  });
});

describe('settled: delivered', () => {
  test('behavior: native currency: the estimate if there is no trace', async () => {
    const one = instance();
    const change = { recipient: receiver, originCurrency: native, destinationCurrency: native } as const;
    const amount = parseEther('0.5').toString();
    const entry = await orderedIn(one, bridgeOn(chains, { ...change, tradeType: 'EXACT_OUTPUT', amount }));
    const sent = await sendFill.send(one, entry, { onSent: () => undefined, signal: never });
    if ('failReason' in sent) throw new Error(sent.failReason);
    const done = await settled.waitFor(one, { chainId: beta.id, hash: sent.hash }, never);
    expect(await done.delivered(entry.order, 0n)).toBe(parseEther('0.5'));
    const mined = await waitFor(beta, sent.hash as Hex, never);
    const forgotten = settled.ofMined(beta, { ...mined, hash: `0x${'12'.repeat(32)}` });
    expect(await forgotten.delivered(entry.order, 7n)).toBe(7n);
  });
});

describe('settled: sendAndWait', () => {
  test('behavior: resends a transaction that never reached the chain', async () => {
    const sent = `0x${'17'.repeat(32)}` as const;
    const data = encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] });
    const transaction = { to: alpha.reverter, data, value: 0n, gas: 200_000n, authorizations: [] };
    const mined = await sendAndWait(instance(), { chainId: alpha.id, transaction, sent }, never, () => {});
    expect(mined.hash).not.toBe(sent);
    expect(mined.isSuccess).toBe(true);
  });
});

const { dev0, dev1, solver } = accounts;
const usd = 10n ** 6n;
const eth = 10n ** 18n;

describe('fillOf: from', () => {
  test.each([
    ['EXACT_INPUT', 4_890_000n * usd],
    ['EXPECTED_OUTPUT', 4_890_000n * usd],
    ['EXACT_OUTPUT', 4_999_000n * usd],
  ] as const)('error: %s below its minimum', async (tradeType, reserve) => {
    const amount = tradeType === 'EXACT_INPUT' ? eth : 1_000n * usd;
    const { order } = await fixture.quote(fixture.request(amount, 'alpha/eth', 'beta/usdc', { tradeType }));
    expect(fillOf(order, order.payment.amount, fixture.withReserves('beta', reserve))).toEqual({
      failReason: 'TOO_LITTLE_RECEIVED',
    });
  });
});

/** On real chains: the solver's transaction pays the stated amount within its gas limit. */
describe('fillOf: from, executed', () => {
  test.each<[from: string, to: string, amount: bigint, rest?: Partial<QuoteV2.Request>]>([
    ['ETH', 'ETH', eth],
    ['USDC', 'USDC', 100n * usd],
    ['USDT', 'USDT', 100n * usd, { tradeType: 'EXACT_OUTPUT' }],
    ['ETH', 'WETH', eth],
    ['WETH', 'ETH', eth, { tradeType: 'EXACT_OUTPUT' }],
    ['USDC', 'ETH', 100n * usd],
    ['USDC', 'ETH', eth / 20n, { tradeType: 'EXACT_OUTPUT' }],
    ['USDT', 'DAI', 100n * eth, { tradeType: 'EXPECTED_OUTPUT' }],
    ['ETH', 'GULL', 5_000n * eth, { tradeType: 'EXACT_OUTPUT' }],
    ['GULL', 'ETH', eth / 3n, { tradeType: 'EXACT_OUTPUT' }],
    ['DAI', 'USDT', 100n * eth, { subsidizeFees: true }],
  ])('behavior: %s to %s, %s %o', async (from, to, amount, rest = {}) => {
    const node = beta;
    const market = await readMarket([alpha, beta], Date.now());
    const addressOf = (chainId: number, symbol: string) =>
      chainById(market, chainId)?.tokens.find((token) => token.symbol === symbol)?.address ?? native;
    const request: QuoteV2.Request = {
      user: dev0.address,
      recipient: dev1.address,
      originChainId: alpha.id,
      destinationChainId: node.id,
      originCurrency: addressOf(alpha.id, from),
      destinationCurrency: addressOf(node.id, to),
      tradeType: 'EXACT_INPUT',
      amount: amount.toString(),
      ...rest,
    };
    const { order } = await fixture.quote(request, { market, client: { sponsorBalanceUsd: 1_000n * usd } });
    const fill = fillOf(order, order.payment.amount, market);
    if ('failReason' in fill) throw new Error(fill.failReason);
    if (fill.needs) {
      const args = [fill.needs.spender, maxUint256] as const;
      const data = encodeFunctionData({ abi: abi.token, functionName: 'approve', args });
      await sendAsSolver(node, { to: fill.needs.token.address, data, value: 0n, gas: 60_000n });
    }
    const currency = addressOf(node.id, to);

    const before = await readWallet(node, dev1.address, currency);
    await sendAsSolver(node, fill.transaction);
    const after = await readWallet(node, dev1.address, currency);

    expect(after.balance - before.balance).toBe(fill.delivered);
    // The output is computed from the least that a swap on the origin chain yields; the rest is the recipient's.
    if (order.hasOriginSwap && order.basis < order.payment.amount)
      expect(fill.delivered).toBeGreaterThan(order.destination.amount);
    else expect(fill.delivered).toBe(order.destination.amount);
  });
});

async function sendAsSolver(
  { rpcUrl }: Node,
  { to, data, value, gas }: { to: Hex; data: Hex; value: bigint; gas: bigint },
): Promise<void> {
  const transaction = { from: solver.address, to, data, value: numberToHex(value), gas: numberToHex(gas) };
  await nodeRpc.call(rpcUrl, 'anvil_impersonateAccount', solver.address);
  const hash = (await nodeRpc.call(rpcUrl, 'eth_sendTransaction', transaction)) as Hex;
  expect(await receiptAt(rpcUrl, hash)).toMatchObject({ status: '0x1' });
}

const orderId = `0x${'17'.repeat(32)}` as const;
const hooks = { onSent: () => undefined, signal: never };
let strangers = 0;

function stranger(): `0x${string}` {
  strangers += 1;
  return `0x${strangers.toString(16).padStart(40, 'c')}`;
}

async function deposited(currency: 'USDC' | 'ETH', amount: bigint): Promise<Deposit.OnChain> {
  const address = currency === 'ETH' ? native : alpha.tokens.USDC.address;
  if (currency === 'USDC') await approve(alpha, dev0, address, alpha.depository, amount);
  const { transactionHash, logs } = await send(alpha, dev0, {
    address: alpha.depository,
    abi: abi.depository,
    ...(currency === 'ETH'
      ? { functionName: 'depositNative', args: [dev0.address, orderId], value: amount }
      : { functionName: 'depositErc20', args: [dev0.address, address, amount, orderId] }),
  });
  const logIndex = logs.at(-1)?.logIndex ?? 0;
  return {
    orderId,
    chainId: alpha.id,
    hash: transactionHash,
    logIndex,
    depositor: dev0.address,
    currency: address,
    amount,
  };
}

describe('sendRefund: send', () => {
  test.each([
    ['USDC', 10_000_000n],
    ['ETH', parseEther('0.01')],
  ] as const)('default: %s goes back less the gas, which the rest pays for', async (currency, amount) => {
    const deposit = await deposited(currency, amount);
    const to = stranger();
    const sent = await sendRefund.send(instance(), deposit, to, hooks);
    if ('failReason' in sent) throw new Error(sent.failReason);
    const mined = await waitFor(alpha, sent.hash as `0x${string}`, never);
    expect(mined.isSuccess).toBe(true);
    const received =
      currency === 'ETH'
        ? await connect(alpha).getBalance({ address: to })
        : await balance(alpha, deposit.currency, to);
    expect(received).toBe(sent.amount);
    const token = describeChain(alpha).tokens.find(({ address }) => address === deposit.currency);
    const kept = ((amount - received) * (token?.priceUsd ?? 0n) * 10n ** 18n) / 10n ** BigInt(token?.decimals ?? 0);
    const cost = mined.fee * 2_500_000_000n;
    expect(kept).toBeGreaterThanOrEqual(cost);
    expect(kept).toBeLessThan((cost * 13n) / 10n + 10n ** 18n);
  });

  test('error: an account of the venue', async () => {
    const deposit = await deposited('USDC', 10_000_000n);
    expect(await sendRefund.send(instance(), deposit, '100', hooks)).toEqual({
      failReason: 'MANUAL_REFUND_REQUIRED',
    });
  });

  test('error: less than the gas', async () => {
    expect(await sendRefund.send(instance(), await deposited('USDC', 100n), stranger(), hooks)).toEqual({
      failReason: 'AMOUNT_TOO_LOW_TO_REFUND',
    });
  });

  test('error: more than the depository holds', async () => {
    const deposit = { ...(await deposited('USDC', 1n)), amount: 10n ** 30n };
    expect(await sendRefund.send(instance(), deposit, stranger(), hooks)).toEqual({
      failReason: 'MANUAL_REFUND_REQUIRED',
    });
  });

  test('error: an address that rejects payment', async () => {
    const refusing = `0x${'8'.repeat(40)}` as const;
    // PUSH0 PUSH0 REVERT
    await nodeRpc.call(alpha.rpcUrl, 'anvil_setCode', refusing, '0x5f5ffd');
    const deposit = await deposited('ETH', parseEther('0.1'));
    expect(await sendRefund.send(instance(), deposit, refusing, hooks)).toEqual({
      failReason: 'MANUAL_REFUND_REQUIRED',
    });
  });
});
