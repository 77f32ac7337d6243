/** Reads the chain state that prices and fills depend on. */
import { decodeAbiParameters, encodeFunctionData, hexToBigInt } from 'viem';
import { type Address, native } from '../../core/base/Address.js';
import * as Network from '../../core/network/Network.js';
import { network } from '../../core/network/sandbox.js';
import * as abi from '../values/abi.js';
import type { Deployment } from '../values/deployment.js';
import type * as Market from '../values/Market.js';
import { emptyWallet } from '../values/Market.js';
import { gasPrice } from './anvil.js';
import type { ChainKeeper } from './chainKeeper.js';
import * as nodeRpc from './nodeRpc.js';

/** A running chain of the sandbox. */
export type Node = Deployment & {
  rpcUrl: string;
  /** The RPC URL given to clients, if it differs from `rpcUrl`. */
  publicUrl?: string | undefined;
  /** Told of what the service sends to the chain. */
  keeper?: ChainKeeper | undefined;
};

/** Reference prices in millionths of a US dollar. */
const pricesUsd: Readonly<Record<string, bigint>> = {
  ETH: 2_500_000_000n,
  WETH: 2_500_000_000n,
  USDC: 1_000_000n,
  USDT: 1_000_000n,
  DAI: 1_000_000n,
  GULL: 250_000n,
  KELP: 100_000n,
};

export async function readMarket(nodes: readonly Node[], nowMs: number): Promise<Market.Market<Market.EvmChain>> {
  return { nowMs, chains: await Promise.all(nodes.map(readChain)) };
}

/** A user's balance and allowances of a currency. */
export async function readWallet(node: Node, user: Address, currency: Address): Promise<Market.Wallet> {
  const { depository, approvalProxy } = node;
  if (currency === native) {
    return { ...emptyWallet, balance: quantity(await nodeRpc.call(node.rpcUrl, 'eth_getBalance', user, 'latest')) };
  }
  const allowance = (spender: Address) =>
    view(currency, encodeFunctionData({ abi: abi.token, functionName: 'allowance', args: [user, spender] }));
  const [balance, depositoryAllowance, approvalProxyAllowance] = await nodeRpc.callAll(node.rpcUrl, [
    view(currency, encodeFunctionData({ abi: abi.token, functionName: 'balanceOf', args: [user] })),
    allowance(depository),
    allowance(approvalProxy),
  ]);
  return {
    balance: quantity(balance),
    depositoryAllowance: quantity(depositoryAllowance),
    approvalProxyAllowance: quantity(approvalProxyAllowance),
  };
}

/** The chain's native token at its reference price. */
export function nativeToken(node: Deployment): Market.EvmToken {
  return tokenOf(Network.chain(network, node.name).native);
}

/** The immutable part of a chain's market: its name, contracts and tokens. */
type ChainDescription = Pick<Market.EvmChain, 'vm' | 'id' | 'slug' | 'displayName' | 'contracts' | 'tokens'>;

export function describeChain(node: Deployment): ChainDescription {
  const { depository, router, approvalProxy, multicall3, aggregator, swapExecutor, id } = node;
  const { slug, displayName, native: own, tokens } = Network.chain(network, node.name);
  const { depositFactory, depositImplementation } = node;
  const deposits = { depositFactory, depositImplementation };
  const wrapped = node.tokens.WETH.address;
  const contracts = { depository, router, approvalProxy, wrapped, multicall3, aggregator, swapExecutor, ...deposits };
  return { vm: 'evm', id, slug, displayName, contracts, tokens: [own, ...tokens].map(tokenOf) };
}

function tokenOf({ symbol, name, decimals, address }: Network.Token): Market.EvmToken {
  const priceUsd = pricesUsd[symbol];
  if (priceUsd === undefined) throw new Error(`The sandbox has no price of ${symbol}.`);
  return {
    symbol,
    name,
    decimals,
    address: address as Address,
    priceUsd,
    needsZeroApproval: symbol === 'USDT',
    takesPermits: symbol === 'USDC',
  };
}

const reservesCall = encodeFunctionData({ abi: abi.pool, functionName: 'reserves' });

export async function readChain(node: Node): Promise<Market.EvmChain> {
  const { pools, rpcUrl } = node;
  const [block, ...reserves] = await nodeRpc.callAll(rpcUrl, [
    ['eth_getBlockByNumber', 'latest', false],
    // Read pending state: otherwise two concurrent fills would count on the same liquidity.
    ...pools.map((pool): nodeRpc.Call => ['eth_call', { to: pool.address, data: reservesCall }, 'pending']),
  ]);
  return {
    ...describeChain(node),
    ...feesAfter(block),
    pools: pools.map((pool, index) => poolOf(pool, reserves[index])),
  };
}

type Fees = Pick<Market.EvmChain, 'gasPriceWei' | 'maxFeePerGasWei' | 'maxPriorityFeePerGasWei'>;

export async function readFees({ rpcUrl }: Pick<Node, 'rpcUrl'>): Promise<Fees> {
  return feesAfter(await nodeRpc.call(rpcUrl, 'eth_getBlockByNumber', 'latest', false));
}

function feesAfter(block: unknown): Fees {
  const baseFeeWei = quantity((block as { baseFeePerGas: string }).baseFeePerGas);
  return {
    gasPriceWei: baseFeeWei + gasPrice.maxPriorityFeePerGas,
    maxFeePerGasWei: 2n * baseFeeWei + gasPrice.maxPriorityFeePerGas,
    maxPriorityFeePerGasWei: gasPrice.maxPriorityFeePerGas,
  };
}

function poolOf({ address, token0, token1, feeBps }: Deployment['pools'][number], answer: unknown): Market.Pool {
  const types = [{ type: 'uint256' }, { type: 'uint256' }] as const;
  const [reserve0, reserve1] = decodeAbiParameters(types, answer as `0x${string}`);
  return { address, token0, token1, reserve0, reserve1, feeBps };
}

function view(to: Address, data: `0x${string}`): nodeRpc.Call {
  return ['eth_call', { to, data }, 'latest'];
}

/** Decodes a hex quantity; an empty result counts as zero. */
function quantity(answer: unknown): bigint {
  return answer === '0x' || answer === undefined ? 0n : hexToBigInt(answer as `0x${string}`);
}
