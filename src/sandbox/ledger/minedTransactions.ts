/** Reads mined transactions: their content, cost and effects. */

import { decodeEventLog, hexToBigInt, hexToNumber } from 'viem';
import { type Address, isEqual } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import { type Node, nativeToken } from '../chain/readMarket.js';
import * as abi from '../values/abi.js';
import type { Frame } from '../values/CallTrace.js';
import type { Account } from '../values/PartyAccount.js';
import * as Valuation from '../values/Valuation.js';

export type Log = { address: Address; topics: readonly Hex[]; data: Hex; logIndex: number; hash: Hex };

export type Mined = {
  hash: Hex;
  from: Address;
  /** Undefined for a contract creation. */
  to: Address | undefined;
  data: Hex;
  value: bigint;
  isSuccess: boolean;
  block: number;
  /** Unix time in seconds. */
  timestamp: number;
  /** In wei. */
  fee: bigint;
  logs: readonly Log[];
};

/**
 * A transaction that belongs to a request: mined, or final on the venue. `fee` in base units of the native currency,
 * `feeUsd` in millionths of a US dollar, `timestamp` in Unix seconds.
 */
export type Transaction = {
  hash: string;
  chainId: number;
  block: number;
  timestamp: number;
  fee: bigint;
  feeUsd: bigint;
  status: 'success' | 'failure';
};

/** Reads a transaction: undefined if the node does not know it, `pending` until it is mined. */
export async function read(node: Node, hash: Hex): Promise<Mined | 'pending' | undefined> {
  const [transaction, receipt] = (await nodeRpc.callAll(node.rpcUrl, [
    ['eth_getTransactionByHash', hash],
    ['eth_getTransactionReceipt', hash],
  ])) as [RpcTransaction | null, RpcReceipt | null];
  if (!transaction) return undefined;
  if (!receipt) return 'pending';
  const block = (await nodeRpc.call(node.rpcUrl, 'eth_getBlockByNumber', receipt.blockNumber, false)) as RpcBlock;
  return {
    hash,
    from: transaction.from,
    to: transaction.to ?? undefined,
    data: transaction.input,
    value: hexToBigInt(transaction.value),
    isSuccess: receipt.status === '0x1',
    block: hexToNumber(receipt.blockNumber),
    timestamp: hexToNumber(block.timestamp),
    fee: hexToBigInt(receipt.gasUsed) * hexToBigInt(receipt.effectiveGasPrice),
    logs: receipt.logs.map(logFrom),
  };
}

/** Converts a mined transaction to the ledger's format. */
export function toTransaction(node: Node, mined: Mined): Transaction {
  const { hash, block, timestamp, fee, isSuccess } = mined;
  const feeUsd = Valuation.toUsd(fee, nativeToken(node));
  return { hash, chainId: node.id, block, timestamp, fee, feeUsd, status: isSuccess ? 'success' : 'failure' };
}

/** Polls until a transaction is mined. Rejects with the signal's reason on abort. */
export async function waitFor(node: Node, hash: Hex, signal: AbortSignal): Promise<Mined> {
  return await whenFinal(() => read(node, hash), signal);
}

/** Reads until there is something final. Rejects with the signal's reason on abort. */
export async function whenFinal<Final>(
  readAgain: () => Promise<Final | 'pending' | undefined>,
  signal: AbortSignal,
): Promise<Final> {
  for (let pauseMs = 2; ; pauseMs = Math.min(2 * pauseMs, 100)) {
    const found = await readAgain();
    if (found && found !== 'pending') return found;
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Logs of the given contracts in an inclusive range of blocks. */
export async function readLogs(
  node: Node,
  range: { addresses: readonly Address[]; from: bigint; to: bigint },
): Promise<readonly Log[]> {
  const filter = {
    address: range.addresses,
    fromBlock: `0x${range.from.toString(16)}`,
    toBlock: `0x${range.to.toString(16)}`,
  };
  return ((await nodeRpc.call(node.rpcUrl, 'eth_getLogs', filter)) as readonly RpcLog[]).map(logFrom);
}

/** Net amount of a token that an account received in a transaction, from its events. */
export function tokensReceived(mined: Mined, token: string, account: Account): bigint {
  let received = 0n;
  for (const log of mined.logs) {
    if (!isEqual(log.address, token)) continue;
    const event = decode([...abi.token, ...abi.weth], log);
    if (event?.eventName === 'Transfer') {
      if (isEqual(event.args.to, account)) received += event.args.value;
      if (isEqual(event.args.from, account)) received -= event.args.value;
    }
    // Wrapping emits Deposit, not Transfer.
    if (event?.eventName === 'Deposit' && isEqual(event.args.dst, account)) received += event.args.wad;
  }
  return received;
}

/**
 * Native amount in wei that an account received in a transaction, from its trace; undefined if the node has no trace.
 */
export async function nativeReceived(node: Node, hash: Hex, account: Account): Promise<bigint | undefined> {
  const trace = await nodeRpc.call(node.rpcUrl, 'debug_traceTransaction', hash, { tracer: 'callTracer' });
  return (trace as Partial<Frame>).type === undefined ? undefined : receivedIn(trace as Frame, account);
}

/** Decodes a log; undefined if the ABI has no matching event. */
export function decode<const interface_ extends readonly unknown[]>(interface_: interface_, log: Log) {
  try {
    const [signature, ...topics] = log.topics;
    if (!signature) return undefined;
    return decodeEventLog({ abi: interface_, topics: [signature, ...topics], data: log.data });
  } catch {
    return undefined;
  }
}

function receivedIn(frame: Frame, account: Account): bigint {
  if (frame.error !== undefined) return 0n;
  const isPaid = frame.type === 'CALL' && frame.to !== undefined && isEqual(frame.to, account);
  const own = isPaid && frame.value ? hexToBigInt(frame.value) : 0n;
  return (frame.calls ?? []).reduce((sum, inner) => sum + receivedIn(inner, account), own);
}

type RpcTransaction = { from: Address; to: Address | null; input: Hex; value: Hex };
type RpcReceipt = { status: Hex; blockNumber: Hex; gasUsed: Hex; effectiveGasPrice: Hex; logs: readonly RpcLog[] };
type RpcBlock = { timestamp: Hex };
type RpcLog = { address: Address; topics: readonly Hex[]; data: Hex; logIndex: Hex; transactionHash: Hex };

function logFrom(log: RpcLog): Log {
  const { address, topics, data, transactionHash } = log;
  return { address, topics, data, logIndex: hexToNumber(log.logIndex), hash: transactionHash };
}
