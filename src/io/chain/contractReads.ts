/** Reads tokens, price feeds and the sequences of the batch executor of a chain from one node. */
import {
  type Client,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  hexToString,
  isHex,
  parseAbi,
  toHex,
  trim,
} from 'viem';
import { getBalance, getCode } from 'viem/actions';
import * as Address from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import { onceEach } from '../../core/base/Once.js';
import type { Chain } from '../../core/ports/Ports.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import { attempt } from '../files/attempt.js';
import { ChainError, innermost, isFailure, type Node } from './chainError.js';
import { RpcError } from './jsonRpc.js';

/** The methods throw what the node or viem throws, but for the errors that they name. */
export function createContractReads(
  client: Client,
  node: Node,
): Pick<Chain, 'balance' | 'allowance' | 'token' | 'round'> {
  const { chain } = node;

  /** Return data of a call to a contract; `0x` if the call reverts, the same as for an address without code. */
  async function view(to: Address.Address, data: Hex, block?: bigint): Promise<Hex> {
    try {
      const params = [{ to, data }, block === undefined ? 'latest' : toHex(block)] as const;
      return bytes(await client.request({ method: 'eth_call', params: [...params] }));
    } catch (error) {
      const cause = innermost(error);
      if (cause instanceof RpcError && isFailure(cause)) return '0x';
      throw error;
    }
  }

  async function amount(token: Address.Address, data: Hex, block?: bigint): Promise<bigint> {
    const word = await view(token, data, block);
    if (word.length !== 66) throw notAToken(token, node);
    return BigInt(word);
  }

  return {
    balance: (owner, token, block) =>
      Address.isEqual(token, Address.native)
        ? getBalance(client, { address: owner, ...(block === undefined ? {} : { blockNumber: block }) })
        : amount(token, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }), block),

    allowance: (token, owner, spender) =>
      amount(token, encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] })),

    async token(token) {
      if (Address.isEqual(token, Address.native)) return chain.native;
      const read = (functionName: 'symbol' | 'name' | 'decimals'): Promise<Hex> =>
        view(token, encodeFunctionData({ abi: erc20Abi, functionName }));
      const [code, decimals, symbol, name] = await Promise.all([
        getCode(client, { address: token }),
        read('decimals'),
        read('symbol'),
        read('name'),
      ]);
      if (!code || decimals.length !== 66 || BigInt(decimals) > 255n) throw notAToken(token, node);
      const label = toText(symbol) || Address.shorten(token);
      return { symbol: label, name: toText(name) || label, decimals: Number(decimals) };
    },

    /** @throws chain.not-a-contract if the contract does not answer as a price feed */
    async round(feed) {
      const data = await view(feed, encodeFunctionData({ abi: priceFeed }));
      if (data.length !== 2 + 5 * 64) throw notAFeed(feed, node);
      const [, answer, startedAt, updatedAt] = decodeFunctionResult({ abi: priceFeed, data });
      return { answer, startedAt, updatedAt };
    },
  };
}

/**
 * The sequence of an account in the batch executor at a block. Reads the account's storage with the executor's code as an
 * override, as if the account were delegated already.
 *
 * @throws chain.not-a-contract
 */
export function createBatchSequences(client: Client, node: Node) {
  /** The executor's code, which cannot change. What failed, or was not there yet, is asked for again. */
  const codeOf = onceEach(async (batchExecutor: Address.Address): Promise<Hex> => {
    const code = await getCode(client, { address: batchExecutor });
    if (!code) throw noExecutor(batchExecutor, node);
    return code;
  });

  return async (block: bigint | 'latest', owner: Address.Address, batchExecutor: Address.Address): Promise<bigint> => {
    const code = await codeOf(batchExecutor);
    const data = encodeFunctionData({ abi: executorAbi, functionName: 'getSeq', args: [0n] });
    const params = [{ to: owner, data }, block === 'latest' ? block : toHex(block), { [owner]: { code } }];
    const sequence = BigInt(bytes(await client.request({ method: 'eth_call', params } as never)));
    // The bits above name another key: a batch signed for that one would never be seen as used.
    if (sequence >= 2n ** 64n) throw new TypeError('The node names a sequence of another key.');
    return sequence;
  };
}

const executorAbi = parseAbi(['function getSeq(uint256 key) view returns (uint256)']);

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

/** @throws if a node answers a call with anything but bytes */
export function bytes(answer: unknown): Hex {
  if (!isHex(answer)) throw new TypeError('no bytes');
  return answer;
}

/** Chainlink's AggregatorV3Interface. */
const priceFeed = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

/** Decodes a string, or the bytes32 that pre-standard tokens return. Empty if it is neither. */
function toText(data: Hex): string {
  const read = (): string =>
    data.length === 66
      ? hexToString(trim(data, { dir: 'right' }))
      : decodeFunctionResult({ abi: erc20Abi, functionName: 'symbol', data });
  return attempt(read) ?? '';
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
