import {
  createClient,
  type Execute,
  executeGaslessBatch,
  type GetQuoteParameters,
  getClient,
} from '@relayprotocol/relay-sdk';
import { configureDynamicChains } from '@relayprotocol/relay-sdk/chain-utils';
import { createWalletClient, http, type WalletClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Address, native } from '../../src/core/base/Address.js';
import * as Url from '../../src/core/base/Url.js';
import { network } from '../../src/core/network/sandbox.js';
import type { Input } from '../../src/sandbox/http/faults.js';
import { type ChainName, deployments, type Symbol as TokenSymbol } from '../../src/sandbox/values/deployment.js';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import { addFault } from '../support/faults.js';
import { ask as askNode, balanceAt } from '../support/node.js';
import { type TestSandbox, useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

beforeAll(async () => {
  await connectSdk(sandbox);
});
afterAll(async () => {
  disconnectSdk();
});

const user = accounts.dev0.address;
// Pays nothing itself, so that its native balance shows what arrived alone.
const recipient = accounts.dev7.address;
const ether = 10n ** 18n;

/** Of an account without gas, which pays 'alpha/USDC'. */
const ofPoor = {
  paid: [accounts.dev9.address, 'alpha/USDC'],
  ether: [accounts.dev9.address, 'alpha/ETH'],
  got: [recipient, 'beta/USDC'],
} as const;

/** Quotes, executes and returns what user and recipient lost and got. */
async function swap(wish: Omit<Wish, 'recipient'>) {
  const quote = await getQuote({ ...wish, recipient });
  const wallet = walletOn(currencyOf(wish.from).chain);
  let sent: string[] = [];
  const holdings = { paid: [user, wish.from], got: [recipient, wish.to] } as const;
  const moved = await changes(sandbox, holdings, async () => {
    const done = await execute(quote, wallet);
    sent = sentBy(done);
    expect(done.steps.flatMap(({ items }) => items.map(({ status }) => status))).not.toContain('incomplete');
  });
  const gas = wish.from.endsWith('/ETH') ? await gasOf(sandbox, currencyOf(wish.from).chain, sent) : 0n;
  return { quote, paid: -moved.paid - gas, got: moved.got };
}

/** Pays USDC from alpha, is refunded, and resolves to what came of it: the record, and what of the input was withheld. */
async function refunded(amount: bigint, isForced = false) {
  const quote = await getQuote({ from: 'alpha/USDC', to: 'beta/USDC', amount, recipient });
  const { requestId } = quote.steps[0] ?? {};
  if (!isForced) await addFault(sandbox, 'service', { kind: 'solver', does: 'refund', match: { requestId } });
  const holdings = { user: [user, 'alpha/USDC'], got: [recipient, 'beta/USDC'] } as const;
  const moved = await changes(sandbox, holdings, async () => {
    await expect(execute(quote, walletOn('alpha'))).rejects.toThrow('Transaction failed: Refunded');
  });
  const { requests } = await ask(sandbox, `/requests/v3?id=${requestId}`);
  const withheld = amount - BigInt(requests[0].data.refundCurrencyData.amount);
  expect(moved).toEqual({ user: -withheld, got: 0n });
  return { requestId, data: requests[0].data, withheld };
}

const amountIn = ({ details }: Quote) => BigInt(details.currencyIn?.amount ?? 0);
const amountOut = ({ details }: Quote) => BigInt(details.currencyOut?.amount ?? 0);

describe('execute', () => {
  test.each([
    ['a bridge', 'alpha/USDC', 'beta/USDC', 100_000_000n],
    ['a bridge of native currency', 'alpha/ETH', 'beta/ETH', ether / 10n],
    ['a bridge of a token that wants zero first', 'alpha/USDT', 'beta/USDT', 50_000_000n],
    ['a swap on the origin chain', 'alpha/GULL', 'beta/USDC', 100n * ether],
    ['a swap on the destination chain', 'alpha/USDC', 'beta/GULL', 20_000_000n],
    ['a swap on one chain', 'alpha/USDC', 'alpha/WETH', 30_000_000n],
    ['a swap of native currency on one chain', 'alpha/ETH', 'alpha/USDC', ether / 100n],
    ['a wrap', 'beta/ETH', 'beta/WETH', ether / 100n],
    ['a send', 'alpha/USDC', 'alpha/USDC', 1_000_000n],
  ] as const)('default: %s pays the input and delivers the quoted output', async (_, from, to, amount) => {
    const { quote, paid, got } = await swap({ from, to, amount });
    expect({ paid, got }).toEqual({ paid: amount, got: amountOut(quote) });
    expect(amountIn(quote)).toBe(amount);
  });

  test.each([
    ['alpha/USDC', 'beta/USDC', 25_000_000n],
    ['alpha/ETH', 'beta/USDC', 25_000_000n],
  ] as const)('default: an exact output from %s to %s', async (from, to, amount) => {
    const { quote, paid, got } = await swap({ from, to, amount, tradeType: 'EXACT_OUTPUT' });
    expect({ paid, got, quoted: amountOut(quote) }).toEqual({ paid: amountIn(quote), got: amount, quoted: amount });
  });

  test.each([
    ['alpha/USDC', 'beta/USDC', 25_000_000n],
    ['alpha/USDC', 'beta/GULL', 10n * ether],
    ['alpha/GULL', 'beta/ETH', ether / 1_000n],
  ] as const)('default: an expected output from %s to %s', async (from, to, amount) => {
    const { quote, paid, got } = await swap({ from, to, amount, tradeType: 'EXPECTED_OUTPUT' });
    expect({ paid, got }).toEqual({ paid: amountIn(quote), got: amountOut(quote) });
    // The input is rounded up to its base unit, and all of it is swapped.
    expect(got).toBeGreaterThanOrEqual(amount);
    expect(got - amount).toBeLessThan(amount / 1_000_000n);
  });

  test.each([
    ['swaps on both chains', { from: 'alpha/GULL', to: 'beta/DAI', amount: 100n * ether }],
    [
      'an exact output on one chain',
      { from: 'alpha/USDC', to: 'alpha/GULL', amount: 10n * ether, tradeType: 'EXACT_OUTPUT' },
    ],
  ] as const)(
    'default: %s: the recipient gets what was quoted, and what the swaps yield beyond it',
    async (_, wish) => {
      const { quote, paid, got } = await swap(wish);
      const record = async () => (await ask(sandbox, `/requests/v3?id=${quote.steps.at(-1)?.requestId}`)).requests[0];
      // The client is done once the transaction is mined; what it yielded is recorded after that.
      await expect.poll(async () => (await record()).status).toBe('success');
      const { amount } = (await record()).data.route.actual.destination.outputCurrency;
      expect({ paid, got }).toEqual({ paid: amountIn(quote), got: BigInt(amount) });
      expect(got).toBeGreaterThanOrEqual(amountOut(quote));
      expect(got).toBeLessThan((amountOut(quote) * 103n) / 100n);
    },
  );
});

describe('executeGaslessBatch', () => {
  const wish = { from: 'alpha/USDC', to: 'beta/USDC', amount: 10_000_000n, account: 'dev9', recipient } as const;

  test.each([
    ['by its gas alone', {}],
    ['by all fees', { subsidizeFees: true }],
  ])('default: an account without gas pays the input, sponsored %s', async (_, options) => {
    const quote = await getQuote(wish);
    const statuses: string[] = [];
    const moved = await changes(sandbox, ofPoor, async () => {
      const { requestId } = await executeGaslessBatch({
        quote,
        walletClient: walletOn('alpha', 'dev9'),
        onProgress: ({ status }) => statuses.push(status),
        ...options,
      });
      expect(requestId).toBe(quote.steps[0]?.requestId);
    });
    expect(moved).toEqual({ paid: -10_000_000n, ether: 0n, got: amountOut(quote) });
    expect(statuses.at(-1)).toBe('success');
  });
});

describe('app fees', () => {
  test('default: what an app earned is shown, claimed by its signature and paid less the gas', async () => {
    const app = accounts.dev6;
    const quote = await getQuote({
      from: 'alpha/USDC',
      to: 'beta/USDC',
      amount: 100_000_000n,
      recipient,
      options: { appFees: [{ recipient: app.address, fee: '50' }] },
    });
    const paid = await changes(sandbox, { got: [recipient, 'beta/USDC'] }, () => execute(quote, walletOn('alpha')));
    expect(paid.got).toBe(amountOut(quote));
    const { actions } = getClient();
    const balances = () => actions.getAppFees({ wallet: app.address });
    const [earned] = await balances();
    expect([earned?.amount, earned?.currency?.symbol]).toEqual(['500000', 'USDC']);
    const { chainId = 0, address = '' } = earned?.currency ?? {};
    const held = await balance(sandbox, [app.address, 'alpha/USDC']);
    const moved = await changes(sandbox, { got: [app.address, 'alpha/USDC'] }, async () => {
      await actions.claimAppFees({ wallet: walletOn('alpha', 'dev6'), chainId, currency: address });
      await expect.poll(() => balance(sandbox, [app.address, 'alpha/USDC']), { interval: 20 }).not.toBe(held);
    });
    expect(await balances()).toEqual([]);
    const [claim] = (await ask(sandbox, `/app-fees/${app.address}/claims`)).claims;
    const gas = await gasInUsdc(sandbox, 'alpha', claim.txHash);
    expect(moved.got).toBe(500_000n - gas);
  });
});

describe('the WebSocket of statuses', () => {
  afterEach(() => connectSdk(sandbox));

  test('default: a bridge is followed to its delivery without polling', async () => {
    await connectSdk(sandbox, { follows: 'webSocket' });
    const { quote, paid, got } = await swap({ from: 'alpha/USDC', to: 'beta/USDC', amount: 35_000_000n });
    expect({ paid, got }).toEqual({ paid: 35_000_000n, got: amountOut(quote) });
  });

  test('behavior: a refund rejects the promise', async () => {
    await connectSdk(sandbox, { follows: 'webSocket' });
    await refunded(45_000_000n);
  });
});

describe('a refund', () => {
  afterEach(() => connectSdk(sandbox));

  const follows = ['polling', 'webSocket'] as const;

  test.each(follows)('default: an application without a key forces one by its source, followed by %s', async (how) => {
    await connectSdk(sandbox, { follows: how, source: 'debug-force-refund' });
    const { data, withheld } = await refunded(42_000_000n, true);
    expect(data).toMatchObject({ referrer: 'debug-force-refund', failReason: 'MANUAL_ADMIN_REFUND' });
    expect(withheld).toBeGreaterThan(0n);
  });

  test('error: any other source without a key is refused', async () => {
    await connectSdk(sandbox, { source: 'somebody.example' });
    const asked = getQuote({ from: 'alpha/USDC', to: 'beta/USDC', amount: 42_000_000n, recipient });
    await expect(asked).rejects.toThrow('Please provide an api key');
  });

  test('default: the promise is rejected, and the deposit returned less the gas of the refund', async () => {
    const { requestId, withheld } = await refunded(40_000_000n);
    const { txHashes } = await ask(sandbox, `/intents/status/v3?requestId=${requestId}`);
    const gas = await gasInUsdc(sandbox, 'alpha', txHashes[0]);
    expect([withheld >= gas, withheld <= 2n * gas]).toEqual([true, true]);
  });
});

describe('a permit', () => {
  afterEach(() => connectSdk(sandbox));

  const follows = [['polling'], ['webSocket']] as const;

  async function permit(fault: Omit<SolverFault, 'kind' | 'match'>) {
    const wish = { from: 'alpha/USDC', to: 'beta/USDC', amount: 15_000_000n, account: 'dev9', recipient } as const;
    const quote = await getQuote({ ...wish, options: { usePermit: true } });
    expect(quote.steps.map(({ kind }) => kind)).toEqual(['signature']);
    const { requestId } = quote.steps[0] ?? {};
    await addFault(sandbox, 'service', { kind: 'solver', ...fault, match: { requestId } });
    return { quote, requestId, run: () => execute(quote, walletOn('alpha', 'dev9')) };
  }

  test.each(follows)('default: it is delivered when the promise resolves, followed by %s', async (how) => {
    await connectSdk(sandbox, { follows: how });
    const { quote, run } = await permit({ does: 'delay', delayMs: 300 });
    const moved = await changes(sandbox, ofPoor, run);
    expect(moved).toEqual({ paid: -15_000_000n, ether: 0n, got: amountOut(quote) });
  });

  test.each(follows)('behavior: the promise is rejected if it was refunded, followed by %s', async (how) => {
    // By polling the SDK knows no refund, and asks on until it gives up.
    await connectSdk(sandbox, { follows: how, attempts: 60 });
    const { requestId, run } = await permit({ does: 'refund' });
    const moved = await changes(sandbox, ofPoor, async () => {
      const reason = how === 'polling' ? /^Failed to get an ok response/ : 'Transaction failed: Refunded';
      await expect(run()).rejects.toThrow(reason);
      const status = async () => (await ask(sandbox, `/intents/status/v3?requestId=${requestId}`)).status;
      await expect.poll(status).toBe('refund');
    });
    const { requests } = await ask(sandbox, `/requests/v3?id=${requestId}`);
    const withheld = 15_000_000n - BigInt(requests[0].data.refundCurrencyData.amount);
    expect(moved).toEqual({ paid: -withheld, ether: 0n, got: 0n });
  });
});

/** `alpha/USDC`; `alpha/ETH` is the native asset. */
type CurrencyName = `${ChainName}/${TokenSymbol | 'ETH'}`;

type Wish = {
  from: CurrencyName;
  to: CurrencyName;
  amount: bigint;
  account?: Name;
  recipient?: Address;
  tradeType?: GetQuoteParameters['tradeType'];
  options?: GetQuoteParameters['options'];
};

type Quote = Execute & { details: NonNullable<Execute['details']> };

type SolverFault = Extract<Input, { kind: 'solver' }>;

/** Whose balance of what. */
type Holding = readonly [holder: Address, currency: CurrencyName];

const pollingMs = 20;

/** What the SDK looks for to open a WebSocket: that of a browser, which recent versions of Node have in part. */
const browser = { WebSocket: Reflect.get(globalThis, 'WebSocket') ?? WebSocket, window: { WebSocket } };
const had = Object.keys(browser).filter((name) => name in globalThis);

/**
 * Sets up the one client that the SDK has for a process.
 *
 * @param how.follows `webSocket` leaves polling no time
 * @param how.attempts how often it asks for a status before it gives up
 * @param how.source the SDK's word for the referrer; with one of its own, an application has no key here
 */
async function connectSdk(
  sandbox: TestSandbox,
  {
    follows = 'polling',
    attempts = 500,
    source,
  }: { follows?: 'polling' | 'webSocket'; attempts?: number; source?: string } = {},
): Promise<void> {
  const bySocket = follows === 'webSocket';
  Object.assign(globalThis, browser);
  const options = {
    baseApiUrl: sandbox.baseUrl,
    source: source ?? network.referrer ?? '',
    apiKey: source === undefined ? (network.apiKey ?? '') : '',
    pollingInterval: bySocket ? 60_000 : pollingMs,
    confirmationPollingInterval: pollingMs,
    maxPollingAttemptsBeforeTimeout: attempts,
    websocket: { enabled: bySocket, url: Url.webSocket(sandbox.baseUrl) },
  };
  const client = createClient(options);
  // The constructor knows less than this.
  client.configure(options);
  const { axios } = client.utils;
  axios.defaults.proxy = false;
  axios.interceptors.request.clear();
  // The SDK sends the key to the service's own hosts alone.
  axios.interceptors.request.use((request) => {
    if (options.apiKey !== '') request.headers.set('x-api-key', options.apiKey);
    return request;
  });
  await configureDynamicChains();
}

/** Takes from the process again what `connectSdk` gave it. */
function disconnectSdk(): void {
  for (const name of Object.keys(browser)) if (!had.includes(name)) Reflect.deleteProperty(globalThis, name);
}

async function getQuote({ from, to, amount, account = 'dev0', recipient, ...rest }: Wish): Promise<Quote> {
  const { address } = accounts[account];
  const [origin, destination] = [currencyOf(from), currencyOf(to)];
  const quote = await getClient().actions.getQuote({
    chainId: origin.chainId,
    currency: origin.address,
    toChainId: destination.chainId,
    toCurrency: destination.address,
    user: address,
    recipient: recipient ?? address,
    amount: amount.toString(),
    tradeType: rest.tradeType ?? 'EXACT_INPUT',
    options: { refundTo: address, ...rest.options },
  });
  return quote as Quote;
}

/** A wallet as an application has one: with an account, on one chain. */
function walletOn(chain: ChainName, account: Name = 'dev0'): WalletClient {
  const { viemChain } = getClient().chains.find(({ id }) => id === deployments[chain].id) ?? {};
  if (!viemChain) throw new Error(`The SDK does not know ${chain}.`);
  const signer = privateKeyToAccount(accounts[account].privateKey);
  return createWalletClient({ account: signer, chain: viemChain, transport: http(), pollingInterval: pollingMs });
}

/** Executes the quote and returns what the SDK's promise resolves to. */
async function execute(quote: Quote, wallet: WalletClient): Promise<Execute> {
  // It would ask the node for the capabilities of a wallet.
  return (await getClient().actions.execute({ quote, wallet, disableCapabilitiesCheck: true })).data;
}

/** What the sandbox answers to anybody with a key. */
// biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint
async function ask(sandbox: TestSandbox, path: string): Promise<any> {
  return await (await fetch(`${sandbox.baseUrl}${path}`, { headers: { 'x-api-key': network.apiKey ?? '' } })).json();
}

/** A balance in base units, by the node's word. */
async function balance(sandbox: TestSandbox, [holder, currency]: Holding): Promise<bigint> {
  const { chain, address } = currencyOf(currency);
  return await balanceAt(sandbox.rpcUrls[chain], address, holder);
}

/** What balances change by while something is done. */
async function changes<key extends string>(
  sandbox: TestSandbox,
  holdings: Readonly<Record<key, Holding>>,
  act: () => Promise<unknown>,
): Promise<Record<key, bigint>> {
  const names = Object.keys(holdings) as key[];
  const read = (): Promise<bigint[]> => Promise.all(names.map((name) => balance(sandbox, holdings[name])));
  const before = await read();
  await act();
  const after = await read();
  const moved = names.map((name, index) => [name, (after[index] ?? 0n) - (before[index] ?? 0n)] as const);
  return Object.fromEntries(moved) as Record<key, bigint>;
}

/** What an account paid for the gas of its transactions, in wei. */
async function gasOf(sandbox: TestSandbox, chain: ChainName, hashes: readonly string[]): Promise<bigint> {
  const url = sandbox.rpcUrls[chain];
  const receipts = await Promise.all(hashes.map((hash) => askNode(url, 'eth_getTransactionReceipt', hash)));
  return (receipts as { gasUsed: string; effectiveGasPrice: string }[]).reduce(
    (sum, { gasUsed, effectiveGasPrice }) => sum + BigInt(gasUsed) * BigInt(effectiveGasPrice),
    0n,
  );
}

/** What a transaction paid for gas, in base units of USDC at the sandbox's price of ether, rounded up. */
async function gasInUsdc(sandbox: TestSandbox, chain: ChainName, hash: string): Promise<bigint> {
  const perEther = 2_500n * 10n ** 6n;
  const wei = await gasOf(sandbox, chain, [hash]);
  return (wei * perEther + 10n ** 18n - 1n) / 10n ** 18n;
}

/** The hashes of the transactions that the wallet sent. */
function sentBy({ steps }: Execute): string[] {
  const items = steps.flatMap((step) => step.items);
  const hashes = items.flatMap((item) => item.internalTxHashes ?? item.txHashes ?? []);
  return [...new Set(hashes.map(({ txHash }) => txHash))];
}

function currencyOf(name: CurrencyName): { chain: ChainName; chainId: number; address: Address } {
  const [chain, symbol] = name.split('/') as [ChainName, TokenSymbol | 'ETH'];
  const { id, tokens } = deployments[chain];
  return { chain, chainId: id, address: symbol === 'ETH' ? native : tokens[symbol].address };
}
