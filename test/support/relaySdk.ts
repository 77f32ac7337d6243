/** The service's public SDK, set up as its documentation says, with a sandbox in this process as its service. */
import { createClient, type Execute, type GetQuoteParameters, getClient } from '@relayprotocol/relay-sdk';
import { configureDynamicChains } from '@relayprotocol/relay-sdk/chain-utils';
import { createWalletClient, http, type WalletClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { WebSocket } from 'ws';
import { type Address, native } from '../../src/core/base/Address.js';
import * as Url from '../../src/core/base/Url.js';
import { network } from '../../src/core/network/sandbox.js';
import type { Input } from '../../src/sandbox/http/faults.js';
import { type ChainName, deployments, type Symbol as TokenSymbol } from '../../src/sandbox/values/deployment.js';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import { ask as askNode, balanceAt } from './node.js';
import type { TestSandbox } from './sandbox.js';

/** `alpha/USDC`; `alpha/ETH` is the native asset. */
export type CurrencyName = `${ChainName}/${TokenSymbol | 'ETH'}`;

export type Wish = {
  from: CurrencyName;
  to: CurrencyName;
  amount: bigint;
  account?: Name;
  recipient?: Address;
  tradeType?: GetQuoteParameters['tradeType'];
  options?: GetQuoteParameters['options'];
};

export type Quote = Execute & { details: NonNullable<Execute['details']> };

export type SolverFault = Extract<Input, { kind: 'solver' }>;

/** Whose balance of what. */
export type Holding = readonly [holder: Address, currency: CurrencyName];

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
export async function connectSdk(
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
export function disconnectSdk(): void {
  for (const name of Object.keys(browser)) if (!had.includes(name)) Reflect.deleteProperty(globalThis, name);
}

export async function getQuote({ from, to, amount, account = 'dev0', recipient, ...rest }: Wish): Promise<Quote> {
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
export function walletOn(chain: ChainName, account: Name = 'dev0'): WalletClient {
  const { viemChain } = getClient().chains.find(({ id }) => id === deployments[chain].id) ?? {};
  if (!viemChain) throw new Error(`The SDK does not know ${chain}.`);
  const signer = privateKeyToAccount(accounts[account].privateKey);
  return createWalletClient({ account: signer, chain: viemChain, transport: http(), pollingInterval: pollingMs });
}

/** Executes the quote and returns what the SDK's promise resolves to. */
export async function execute(quote: Quote, wallet: WalletClient): Promise<Execute> {
  // It would ask the node for the capabilities of a wallet.
  return (await getClient().actions.execute({ quote, wallet, disableCapabilitiesCheck: true })).data;
}

/** What the sandbox answers to anybody with a key. */
// biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint
export async function ask(sandbox: TestSandbox, path: string): Promise<any> {
  return await (await fetch(`${sandbox.baseUrl}${path}`, { headers: { 'x-api-key': network.apiKey ?? '' } })).json();
}

/** A balance in base units, by the node's word. */
export async function balance(sandbox: TestSandbox, [holder, currency]: Holding): Promise<bigint> {
  const { chain, address } = currencyOf(currency);
  return await balanceAt(sandbox.rpcUrls[chain], address, holder);
}

/** What balances change by while something is done. */
export async function changes<key extends string>(
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
export async function gasOf(sandbox: TestSandbox, chain: ChainName, hashes: readonly string[]): Promise<bigint> {
  const url = sandbox.rpcUrls[chain];
  const receipts = await Promise.all(hashes.map((hash) => askNode(url, 'eth_getTransactionReceipt', hash)));
  return (receipts as { gasUsed: string; effectiveGasPrice: string }[]).reduce(
    (sum, { gasUsed, effectiveGasPrice }) => sum + BigInt(gasUsed) * BigInt(effectiveGasPrice),
    0n,
  );
}

/** What a transaction paid for gas, in base units of USDC at the sandbox's price of ether, rounded up. */
export async function gasInUsdc(sandbox: TestSandbox, chain: ChainName, hash: string): Promise<bigint> {
  const perEther = 2_500n * 10n ** 6n;
  const wei = await gasOf(sandbox, chain, [hash]);
  return (wei * perEther + 10n ** 18n - 1n) / 10n ** 18n;
}

/** The hashes of the transactions that the wallet sent. */
export function sentBy({ steps }: Execute): string[] {
  const items = steps.flatMap((step) => step.items);
  const hashes = items.flatMap((item) => item.internalTxHashes ?? item.txHashes ?? []);
  return [...new Set(hashes.map(({ txHash }) => txHash))];
}

export function currencyOf(name: CurrencyName): { chain: ChainName; chainId: number; address: Address } {
  const [chain, symbol] = name.split('/') as [ChainName, TokenSymbol | 'ETH'];
  const { id, tokens } = deployments[chain];
  return { chain, chainId: id, address: symbol === 'ETH' ? native : tokens[symbol].address };
}
