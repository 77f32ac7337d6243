/** Client of one EVM node, built on viem with ferry's own transport: viem never sees the RPC URL and can't print it. */

import {
  createClient,
  custom,
  decodeFunctionResult,
  encodeFunctionData,
  hexToString,
  isHex,
  parseAbi,
  type TransactionReceipt,
  toHex,
  trim,
} from 'viem';
import { getBalance, getBlock, getChainId, getCode, getTransactionCount, getTransactionReceipt } from 'viem/actions';
import * as Address from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as Url from '../../core/base/Url.js';
import type { Chain as NetworkChain } from '../../core/network/Network.js';
import type { Call, Chain, Clock, GasOffer } from '../../core/ports/Ports.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import type { Fetch } from '../http/httpClient.js';
import { broadcast } from './broadcast.js';
import { ChainError, innermost, type Node, nodeFacts, revertData, reverted, toChainError } from './chainError.js';
import { createRpc, RpcError } from './jsonRpc.js';
import { type Head, simulate } from './simulation.js';
import * as tracing from './tracing.js';
import { usedNonce } from './usedNonce.js';

export type ChainOptions = {
  fetch: Fetch;
  /** The network's name, for the settings that an error points to. */
  network: string;
  chain: NetworkChain;
  rpcUrl: string;
  clock: Clock;
  /** A random number in [0, 1), for retry jitter. */
  random: () => number;
  signal: AbortSignal;
};

/** Number of recent blocks the priority fee is derived from. */
const tipBlocks = 20;

/** Creates the client for a chain's node. */
export function createChain({ fetch, network, chain, rpcUrl, clock, random, signal }: ChainOptions): Chain {
  const node: Node = { network, chain, rpcUrl };
  const host = Url.redact(rpcUrl);
  const rpc = createRpc({ fetch, rpcUrl, clock, random, signal });
  const client = createClient({ transport: custom(rpc, { retryCount: 0 }) });

  /** The latest block, as it was when the fees were asked for. */
  let seen: Head | undefined;

  async function reading<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      throw signal.aborted ? signal.reason : toChainError(error, node);
    });
  }

  /** A block, which viem also reads where the node leaves out its number or time. */
  async function blockAt(at: { blockTag: 'latest' | 'finalized' } | { blockNumber: bigint }) {
    const block = await getBlock(client, at);
    const { number, timestamp } = block;
    if (typeof number !== 'bigint' || typeof timestamp !== 'bigint')
      throw new TypeError('The block has no number, or no time.');
    return { ...block, number, hash: block.hash ?? undefined };
  }

  /** Return data of a call to a contract; `0x` if the call reverts, the same as for an address without code. */
  async function view(to: Address.Address, data: Hex, block?: bigint): Promise<Hex> {
    try {
      return bytes(
        await client.request({
          method: 'eth_call',
          params: [{ to, data }, block === undefined ? 'latest' : toHex(block)],
        }),
      );
    } catch (error) {
      const cause = innermost(error);
      if (cause instanceof RpcError && isFailure(cause)) return '0x';
      throw error;
    }
  }

  /** @throws chain.not-a-contract if the contract does not answer as a price feed */
  async function latestRound(feed: Address.Address): Promise<Awaited<ReturnType<Chain['round']>>> {
    const data = await view(feed, encodeFunctionData({ abi: priceFeed }));
    if (data.length !== 2 + 5 * 64) throw notAFeed(feed, node);
    const [, answer, startedAt, updatedAt] = decodeFunctionResult({ abi: priceFeed, data });
    return { answer, startedAt, updatedAt };
  }

  async function amount(token: Address.Address, data: Hex, block?: bigint): Promise<bigint> {
    const word = await reading(view(token, data, block));
    if (word.length !== 66) throw notAToken(token, node);
    return BigInt(word);
  }

  /**
   * The median priority fee paid in recent blocks. If they have no transactions, or the node keeps no fee history, the
   * node's own suggestion.
   */
  async function priorityFee(baseFee: Promise<bigint>): Promise<bigint> {
    try {
      const { reward = [], gasUsedRatio } = await client.request({
        method: 'eth_feeHistory',
        params: [toHex(tipBlocks), 'latest', [50]],
      });
      const paid = reward.flatMap(([tip], block) => (tip && gasUsedRatio[block] ? [BigInt(tip)] : []));
      paid.sort((a, b) => (a < b ? -1 : 1));
      const median = paid[Math.floor(paid.length / 2)];
      if (median !== undefined) return median;
    } catch (error) {
      if (!(innermost(error) instanceof RpcError)) throw error;
    }
    try {
      return BigInt(await client.request({ method: 'eth_maxPriorityFeePerGas' }));
    } catch (error) {
      if (!(innermost(error) instanceof RpcError)) throw error;
      // Nodes without a method for the priority fee still report the whole gas price.
      const price = BigInt(await client.request({ method: 'eth_gasPrice' }));
      const baseFeePerGas = await baseFee;
      return price > baseFeePerGas ? price - baseFeePerGas : 0n;
    }
  }

  async function price(): Promise<GasOffer> {
    const baseFee = blockAt({ blockTag: 'latest' }).then((block) => {
      const { hash, number, timestamp, miner, mixHash } = block;
      seen = { hash, number: toHex(number), timestamp: toHex(timestamp), miner, mixHash };
      if (block.baseFeePerGas === null) throw noDynamicFees(node);
      return block.baseFeePerGas;
    });
    const tip = priorityFee(baseFee);
    // That the block cannot be read says more.
    tip.catch(() => {});
    const [baseFeePerGas, maxPriorityFeePerGas] = [await baseFee, await tip];
    // The base fee rises by at most an eighth per block, so twice the current fee covers five full blocks.
    return { baseFeePerGas, maxFeePerGas: baseFeePerGas * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas };
  }

  /** The executor's code, which cannot change. What failed, or was not there yet, is asked for again. */
  const executors = new Map<Address.Address, Promise<Hex>>();
  function codeOf(batchExecutor: Address.Address): Promise<Hex> {
    const known = executors.get(batchExecutor);
    if (known !== undefined) return known;
    const asked = reading(getCode(client, { address: batchExecutor })).then((code) => {
      if (!code) throw noExecutor(batchExecutor, node);
      return code;
    });
    executors.set(batchExecutor, asked);
    asked.catch(() => executors.delete(batchExecutor));
    return asked;
  }

  /** Reads the account's storage with the executor's code as an override, as if the account were delegated already. */
  async function sequenceAt(
    block: Hex | 'latest',
    owner: Address.Address,
    batchExecutor: Address.Address,
  ): Promise<bigint> {
    const code = await codeOf(batchExecutor);
    const data = encodeFunctionData({ abi: executorAbi, functionName: 'getSeq', args: [0n] });
    const params = [{ to: owner, data }, block, { [owner]: { code } }];
    return reading(client.request({ method: 'eth_call', params } as never).then((word) => BigInt(bytes(word))));
  }

  async function returned({ to, data }: Pick<Call, 'to' | 'data'>, block: Hex | 'latest'): Promise<Hex> {
    return reading(client.request({ method: 'eth_call', params: [{ to, data }, block] }).then(bytes));
  }

  async function insufficient(error: RpcError, { from, value }: Call): Promise<ChainError> {
    const balance = await getBalance(client, { address: from }).catch(() => undefined);
    const short = balance !== undefined && value > balance;
    const { symbol } = chain.native;
    return new ChainError(
      short ? 'submit.insufficient-balance' : 'submit.insufficient-gas',
      short
        ? `The balance on ${chain.name} is smaller than the amount.`
        : `The account cannot pay for gas on ${chain.name}.`,
      node,
      {
        facts: [['account', from], ...nodeFacts(error, node)],
        hint: `Send ${symbol} to the account on ${chain.name}.`,
      },
    );
  }

  return {
    chainId: () => reading(getChainId(client)),

    async tip() {
      const { number, timestamp } = await reading(blockAt({ blockTag: 'latest' }));
      return { number, timestamp };
    },

    blockTime: async (block) => (await reading(blockAt({ blockNumber: block }))).timestamp,

    balance: (owner, token, block) =>
      Address.isEqual(token, Address.native)
        ? reading(getBalance(client, { address: owner, ...(block === undefined ? {} : { blockNumber: block }) }))
        : amount(token, encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [owner] }), block),

    allowance: (token, owner, spender) =>
      amount(token, encodeFunctionData({ abi: erc20, functionName: 'allowance', args: [owner, spender] })),

    async token(token) {
      if (Address.isEqual(token, Address.native)) return chain.native;
      const read = (functionName: 'symbol' | 'name' | 'decimals'): Promise<Hex> =>
        view(token, encodeFunctionData({ abi: erc20, functionName }));
      const [code, decimals, symbol, name] = await reading(
        Promise.all([getCode(client, { address: token }), read('decimals'), read('symbol'), read('name')]),
      );
      if (!code || decimals.length !== 66 || BigInt(decimals) > 255n) throw notAToken(token, node);
      const label = toText(symbol) || Address.shorten(token);
      return { symbol: label, name: toText(name) || label, decimals: Number(decimals) };
    },

    round: (feed) => reading(latestRound(feed)),

    code: async (address) => (await reading(getCode(client, { address }))) ?? '0x',

    batchSequence: (owner, batchExecutor) => sequenceAt('latest', owner, batchExecutor),

    async finalizedSequence(owner, batchExecutor) {
      const { number, timestamp } = await reading(blockAt({ blockTag: 'finalized' }));
      return { sequence: await sequenceAt(toHex(number), owner, batchExecutor), timestamp, witnesses: [host] };
    },

    read: (call) => returned(call, 'latest'),

    async finalizedRead(call) {
      const { number, timestamp } = await reading(blockAt({ blockTag: 'finalized' }));
      return { result: await returned(call, toHex(number)), timestamp, witnesses: [host] };
    },

    nonce: (owner) => reading(getTransactionCount(client, { address: owner, blockTag: 'pending' })),

    minedNonce: (owner, block) =>
      reading(
        getTransactionCount(client, {
          address: owner,
          ...(block === undefined ? { blockTag: 'latest' } : { blockNumber: block }),
        }),
      ),

    knows: async (hash) =>
      (await reading(rpc.request({ method: 'eth_getTransactionByHash', params: [hash] }))) !== null,

    async transaction(hash) {
      const found = await reading(client.request({ method: 'eth_getTransactionByHash', params: [hash] }));
      if (!found) return undefined;
      return { from: found.from, to: found.to ?? undefined, data: found.input, value: BigInt(found.value) };
    },

    usedNonce: (owner, nonce) => reading(usedNonce(owner, nonce, client)),

    gasPrice: () => reading(price()),

    async estimateGas({ from, to, data, value }) {
      try {
        const gas = await client.request({
          method: 'eth_estimateGas',
          params: [{ from, to, data, value: toHex(value) }],
        });
        return BigInt(gas);
      } catch (thrown) {
        const error = innermost(thrown);
        if (signal.aborted) throw signal.reason;
        if (!(error instanceof RpcError)) throw toChainError(thrown, node);
        if (isShort(error)) throw await insufficient(error, { from, to, data, value });
        throw isFailure(error) ? reverted(error, node) : toChainError(error, node);
      }
    },

    broadcast: (signed) => broadcast(signed, { rpc, node, clock, signal }),

    async receipt(hash) {
      const found = await reading(
        getTransactionReceipt(client, { hash }).then(assertWhole, (error: unknown) => {
          if ((error as Error).name === 'TransactionReceiptNotFoundError') return undefined;
          throw error;
        }),
      );
      if (!found) return undefined;
      const { from, status, blockNumber, gasUsed, effectiveGasPrice } = found;
      const logs = found.logs.map(({ address, topics, data }) => ({ address, topics, data }));
      // viem passes on what it does not know.
      const { l1Fee } = found as { l1Fee?: unknown };
      const dataFee = typeof l1Fee === 'string' && /^0x[0-9a-f]+$/i.test(l1Fee) ? BigInt(l1Fee) : 0n;
      const fee = gasUsed * effectiveGasPrice + dataFee;
      return { hash, from, status, blockNumber, gasUsed, effectiveGasPrice, fee, logs, witnesses: [host] };
    },

    async simulate(calls, reads, as) {
      try {
        return await simulate(calls, reads, { rpc, node, as, nowMs: clock.now(), seen });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const largest = calls.toSorted((a, b) => (a.value > b.value ? -1 : 1))[0];
        if (largest && error instanceof RpcError && isShort(error)) throw await insufficient(error, largest);
        throw toChainError(error, node);
      }
    },

    trace: (hash) => reading(tracing.trace(hash, rpc)),
    traceCall: (call) => reading(tracing.traceCall(call, rpc)),
  };
}

/** @throws if a receipt lacks what is read from it: viem passes on what a node leaves out */
function assertWhole(receipt: TransactionReceipt): TransactionReceipt {
  const { from, blockNumber, gasUsed, effectiveGasPrice, logs } = receipt;
  const areWhole = [blockNumber, gasUsed, effectiveGasPrice].every((each: unknown) => typeof each === 'bigint');
  const areLogs = logs.every(
    (log) =>
      isHex(log.address) && isHex(log.data) && Array.isArray(log.topics) && log.topics.every((each) => isHex(each)),
  );
  if (!areWhole || !areLogs || !isHex(from)) throw new TypeError('no receipt');
  return receipt;
}

/** @throws if a node answers a call with anything but bytes */
function bytes(answer: unknown): Hex {
  if (!isHex(answer)) throw new TypeError('no bytes');
  return answer;
}

const executorAbi = parseAbi(['function getSeq(uint256 key) view returns (uint256)']);

const erc20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
  'function name() view returns (string)',
]);

/** Chainlink's AggregatorV3Interface. */
const priceFeed = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

/** Whether the call itself failed, rather than the node. */
function isFailure(error: RpcError): boolean {
  return error.code === 3 || revertData(error) !== undefined || failures.test(error.words);
}

const failures =
  /revert|evm error|invalid (opcode|jump)|opcode|stack (under|over)flow|out ?of ?gas|gas required exceeds|intrinsic gas/i;

/** Whether the sender lacks native balance. */
function isShort(error: RpcError): boolean {
  return /insufficient (funds|balance)|out ?of ?funds/i.test(error.words) && revertData(error) === undefined;
}

/** Decodes a string, or the bytes32 that pre-standard tokens return. Empty if it is neither. */
function toText(data: Hex): string {
  try {
    if (data.length === 66) return hexToString(trim(data, { dir: 'right' }));
    return decodeFunctionResult({ abi: erc20, functionName: 'symbol', data });
  } catch {
    return '';
  }
}

function notAToken(token: Address.Address, node: Node): ChainError {
  return new ChainError('chain.not-a-token', `There is no ERC-20 token at ${token} on ${node.chain.name}.`, node, {
    hint: 'The address may belong to a token on another chain.',
    next: ShellCommand.line`ferry tokens ${node.chain.name}`,
  });
}

function notAFeed(address: Address.Address, node: Node): ChainError {
  return new ChainError('chain.not-a-contract', `There is no price feed at ${address} on ${node.chain.name}.`, node, {
    hint: 'The node may serve another chain.',
    next: 'ferry doctor',
  });
}

function noExecutor(address: Address.Address, node: Node): ChainError {
  return new ChainError(
    'chain.not-a-contract',
    `There is no batch executor at ${address} on ${node.chain.name}.`,
    node,
    {
      hint: 'Without it, transfers on that chain must pay their own gas.',
    },
  );
}

function noDynamicFees(node: Node): ChainError {
  return new ChainError('chain.refused', `The RPC node of ${node.chain.name} does not support EIP-1559 fees.`, node, {
    hint: 'ferry only sends EIP-1559 transactions.',
  });
}
