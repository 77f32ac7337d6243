/** A real node, and a server in front of it that fails as a test says. */
import { encodeDeployData, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, onTestFinished } from 'vitest';
import type { Chain as NetworkChain } from '../../src/core/network/Network.js';
import type { Chain, Transaction } from '../../src/core/ports/Ports.js';
import { type ChainOptions, createChain } from '../../src/io/chain/chainClient.js';
import { createHttp } from '../../src/io/http/httpClient.js';
import * as Anvil from '../../src/sandbox/chain/anvil.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import bytecode from '../build/bytecode.json' with { type: 'json' };
import { type Behaviour, forward, json, type Loopback, loopback, type ReceivedRequest } from './loopback.js';
import { until } from './until.js';

/** Starts an anvil that runs until the end of the file. Call it in `beforeAll`. */
export async function startNode(chainId = 313371): Promise<string> {
  const anvil = await Anvil.start({ path: Anvil.find({}), chainId });
  afterAll(() => anvil.stop());
  return anvil.rpcUrl;
}

/** The alpha chain as a network describes it. */
const alpha: NetworkChain = {
  id: 313371,
  name: 'alpha',
  displayName: 'Alpha',
  slug: 'alpha',
  vm: 'evm',
  native: { symbol: 'ETH', name: 'Ether', address: '0x0000000000000000000000000000000000000000', decimals: 18 },
  contracts: {},
  tokens: [],
};

export type Setting = { network?: string; timeoutMs?: number; signal?: AbortSignal };

/** The chain at an RPC URL, over the real client, with pauses cut short. */
export function chainAt(rpcUrl: string, setting: Setting = {}): Chain {
  return createChain(optionsAt(rpcUrl, setting));
}

export function optionsAt(
  rpcUrl: string,
  { network = 'testnet', timeoutMs = 5_000, signal }: Setting = {},
): ChainOptions {
  const own = new AbortController().signal;
  const http = createHttp({ signal: signal ?? own, env: {}, userAgent: 'ferry/test', timeoutMs });
  onTestFinished(() => http.close());
  const clock = { now: Date.now, sleep: (_: number) => new Promise<void>((resolve) => setImmediate(resolve)) };
  return { fetch: http.fetch, network, chain: alpha, rpcUrl, clock, random: () => 0, signal: signal ?? own };
}

/** Sends a request to the node itself. */
export async function ask(rpcUrl: string, method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}

/** A balance in base units by the node's own word: of the native asset for the zero address, else of an ERC-20 token. */
export async function balanceAt(rpcUrl: string, token: string, owner: string): Promise<bigint> {
  if (/^0x0+$/.test(token)) return BigInt(String(await ask(rpcUrl, 'eth_getBalance', owner, 'latest')));
  const data = `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}`;
  return BigInt(String(await ask(rpcUrl, 'eth_call', { to: token, data }, 'latest')));
}

const word = (value: string | bigint): string => BigInt(value).toString(16).padStart(64, '0');

/** What a spender may take of an account's tokens, in base units. */
export async function allowanceAt(rpcUrl: string, token: string, owner: string, spender: string): Promise<bigint> {
  const data = `0xdd62ed3e${word(owner)}${word(spender)}`;
  return BigInt(String(await ask(rpcUrl, 'eth_call', { to: token, data }, 'latest')));
}

/** Lets a spender take an amount of a development account's tokens. */
export async function approveAt(
  rpcUrl: string,
  token: string,
  owner: string,
  spender: string,
  amount: bigint,
): Promise<void> {
  const data = `0x095ea7b3${word(spender)}${word(amount)}`;
  await minedAt(rpcUrl, { from: owner, to: token, data });
}

/** Has an unlocked account send a transaction. Resolves to its hash once it is mined. */
export async function minedAt(rpcUrl: string, transaction: Readonly<Record<string, unknown>>): Promise<Hex> {
  const hash = (await ask(rpcUrl, 'eth_sendTransaction', transaction)) as Hex;
  await receiptAt(rpcUrl, hash);
  return hash;
}

/** Has the node mine what is sent to it, and what waits; or leave all in its pool. */
export async function miningAt(rpcUrl: string, isOn: boolean): Promise<void> {
  await ask(rpcUrl, 'evm_setAutomine', isOn);
  if (isOn) await ask(rpcUrl, 'evm_mine');
}

/** The number of transactions of an account that are mined, or with `pending` those that wait too. */
export async function nonceAt(rpcUrl: string, owner: string, block: 'latest' | 'pending' = 'latest'): Promise<number> {
  return Number(await ask(rpcUrl, 'eth_getTransactionCount', owner, block));
}

/** The receipt of a transaction that the node has accepted, as soon as it is mined. */
export async function receiptAt(rpcUrl: string, hash: Hex): Promise<{ contractAddress: Hex; transactionHash: Hex }> {
  const receipt = await until(() => ask(rpcUrl, 'eth_getTransactionReceipt', hash), `${hash} is mined`);
  return receipt as { contractAddress: Hex; transactionHash: Hex };
}

/** A node in front of another, which gives these answers, by method, in its place. */
export async function answering(
  rpcUrl: string,
  answers: Readonly<Record<string, { result: unknown } | { error: object }>>,
): Promise<Chain> {
  const behaviours = Object.entries(answers).map(([method, answer]) => [
    method,
    json({ jsonrpc: '2.0', id: 1, ...answer }),
  ]);
  return chainAt((await inFrontOf(rpcUrl, Object.fromEntries(behaviours))).url);
}

/** Deploys a token GULL with 18 decimals, of which dev0 has 1,000 base units. */
export async function deployGull(rpcUrl: string): Promise<Hex> {
  const abi = parseAbi(['constructor(string, string, uint8)', 'function mint(address, uint256)']);
  const data = encodeDeployData({ abi, bytecode: bytecode.Token as Hex, args: ['Gull', 'GULL', 18] });
  const from = accounts.dev0.address;
  const { contractAddress: to } = await receiptAt(
    rpcUrl,
    (await ask(rpcUrl, 'eth_sendTransaction', { from, data })) as Hex,
  );
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [from, 1_000n] });
  await receiptAt(rpcUrl, (await ask(rpcUrl, 'eth_sendTransaction', { from, to, data: mint })) as Hex);
  return to;
}

/** The method of a question, or those of a batch. */
export function methodOf(seen: ReceivedRequest): string {
  return methodsOf(seen).join(' + ');
}

function methodsOf({ body }: ReceivedRequest): string[] {
  const asked = JSON.parse(body) as { method: string } | { method: string }[];
  return [asked].flat().map(({ method }) => method);
}

/** A server in front of a node. It forwards everything except the methods with a behaviour. */
export async function inFrontOf(rpcUrl: string, behaviours: Readonly<Record<string, Behaviour>>): Promise<Loopback> {
  return loopback((response, request) => {
    const behave = methodsOf(request).some((method) => behaviours[method]) ? refuseBatch(behaviours) : passOn(rpcUrl);
    behave(response, request);
  });
}

/** Behaves by the method. A behaviour is that of one answer, so questions together are refused, as by some nodes. */
function refuseBatch(behaviours: Readonly<Record<string, Behaviour>>): Behaviour {
  return (response, request) => {
    const error = { code: -32600, message: 'Batches are not supported' };
    const behave = behaviours[methodOf(request)] ?? json({ jsonrpc: '2.0', id: null, error });
    behave(response, request);
  };
}

/** Forwards the request, then responds like the node or as the behaviour says. */
export function passOn(rpcUrl: string, then?: Behaviour): Behaviour {
  return (response, request) => {
    forward(rpcUrl, request)
      .then(({ text }) => (then ?? json(JSON.parse(text)))(response, request))
      .catch(() => response.destroy());
  };
}

/** A transaction of a development account, signed. */
export async function signedBy(
  who: 'dev0' | 'dev1' | 'dev2' | 'dev4',
  extra: Partial<Omit<Transaction, 'authorizationList' | 'to'>> & { to?: Transaction['to'] | null },
): Promise<Hex> {
  return privateKeyToAccount(accounts[who].privateKey).signTransaction({
    type: 'eip1559',
    chainId: 313371,
    nonce: 0,
    to: accounts.dev3.address,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1_000_000n,
    ...extra,
  });
}
