/** Client of one EVM node, built on viem with ferry's own transport: viem never sees the RPC URL and can't print it. */

import { type Client, createClient, custom, isHex, type TransactionReceipt, toHex } from 'viem';
import { getBlock, getChainId, getCode, getTransactionCount, getTransactionReceipt } from 'viem/actions';
import type { Hex } from '../../core/base/Hex.js';
import * as Url from '../../core/base/Url.js';
import type { Call, Chain, Receipt, SentTransaction } from '../../core/ports/Ports.js';
import * as Frame from '../../core/trace/Frame.js';
import { broadcast } from './broadcast.js';
import { isShort, type Node, toChainError } from './chainError.js';
import { bytes, createBatchSequences, createContractReads } from './contractReads.js';
import { estimateGas, insufficient, offerGas } from './gas.js';
import { createRpc, type Rpc, RpcError, type RpcOptions } from './jsonRpc.js';
import { type Head, isUnknownMethod, simulate } from './simulation.js';
import { usedNonce } from './usedNonce.js';

export type ChainOptions = RpcOptions & Node;

export function createChain({ fetch, network, chain, rpcUrl, clock, random, signal }: ChainOptions): Chain {
  const node: Node = { network, chain, rpcUrl };
  const host = Url.redact(rpcUrl);
  const rpc = createRpc({ fetch, rpcUrl, clock, random, signal });
  const client = createClient({ transport: custom(rpc, { retryCount: 0 }) });

  const contracts = createContractReads(client, node);
  const sequenceAt = createBatchSequences(client, node);
  /** The latest block, as it was when the fees were asked for. */
  let seen: Head | undefined;

  const failed = (error: unknown): never => {
    throw signal.aborted ? signal.reason : toChainError(error, node);
  };
  const reading = async <T>(answer: Promise<T>): Promise<T> => answer.catch(failed);

  const blockAt = (at: BlockPlace) => reading(readBlock(client, at));
  async function returned({ to, data }: Pick<Call, 'to' | 'data'>, block: Hex | 'latest'): Promise<Hex> {
    return reading(client.request({ method: 'eth_call', params: [{ to, data }, block] }).then(bytes));
  }

  return {
    chainId: () => reading(getChainId(client)),

    async tip() {
      const { number, timestamp } = await blockAt({ blockTag: 'latest' });
      return { number, timestamp };
    },
    blockTime: async (block) => (await blockAt({ blockNumber: block })).timestamp,
    balance: (owner, token, block) => reading(contracts.balance(owner, token, block)),
    allowance: (token, owner, spender) => reading(contracts.allowance(token, owner, spender)),
    token: (token) => reading(contracts.token(token)),
    round: (feed) => reading(contracts.round(feed)),
    code: (address) => reading(getCode(client, { address }).then((code) => bytes(code ?? '0x'))),
    batchSequence: (owner, batchExecutor) => reading(sequenceAt('latest', owner, batchExecutor)),

    async finalizedSequence(owner, batchExecutor) {
      const { number, timestamp } = await blockAt({ blockTag: 'finalized' });
      return { sequence: await reading(sequenceAt(number, owner, batchExecutor)), timestamp, witnesses: [host] };
    },
    read: (call) => returned(call, 'latest'),

    async finalizedRead(call) {
      const { number, timestamp } = await blockAt({ blockTag: 'finalized' });
      return { result: await returned(call, toHex(number)), timestamp, witnesses: [host] };
    },
    nonce: (owner) => reading(getTransactionCount(client, { address: owner, blockTag: 'pending' })),

    minedNonce: (owner, block) => reading(minedNonce(client, owner, block)),

    knows: async (hash) =>
      (await reading(rpc.request({ method: 'eth_getTransactionByHash', params: [hash] }))) !== null,

    transaction: (hash) => reading(transactionOf(client, hash)),
    usedNonce: (owner, nonce) => reading(usedNonce(owner, nonce, client)),

    gasPrice: () => {
      const latest = readBlock(client, { blockTag: 'latest' }).then((block) => {
        const { hash, number, timestamp, miner, mixHash } = block;
        seen = { hash, number: toHex(number), timestamp: toHex(timestamp), miner, mixHash };
        return block;
      });
      return reading(offerGas(client, node, latest));
    },
    estimateGas: (call) => estimateGas(call, client, node).catch(failed),
    broadcast: (signed) => broadcast(signed, { rpc, node, clock, signal }),

    receipt: (hash) => reading(receiptOf(client, hash, host)),

    simulate: (calls, reads, as) =>
      simulate(calls, reads, { rpc, node, as, nowMs: clock.now(), seen }).catch(async (error: unknown) => {
        const largest = calls.toSorted((a, b) => (a.value > b.value ? -1 : 1))[0];
        return failed(
          largest && error instanceof RpcError && isShort(error)
            ? await insufficient(error, largest, client, node)
            : error,
        );
      }),

    trace: (hash) => reading(traced(rpc, 'debug_traceTransaction', [hash])),
    traceCall: (call) => reading(traced(rpc, 'debug_traceCall', [tracedCall(call), 'latest'])),
  };
}

type BlockPlace = { blockTag: 'latest' | 'finalized' } | { blockNumber: bigint };

/** A block, which viem also reads where the node leaves out its number or time. */
async function readBlock(client: Client, at: BlockPlace) {
  const block = await getBlock(client, at);
  const { number, timestamp } = block;
  if (typeof number !== 'bigint' || typeof timestamp !== 'bigint' || number < 0n || timestamp < 0n)
    throw new TypeError('The block has no number, or no time.');
  return { ...block, number, hash: block.hash ?? undefined };
}

function minedNonce(client: Client, address: Hex, block: bigint | undefined): Promise<number> {
  return getTransactionCount(client, { address, ...(block === undefined ? {} : { blockNumber: block }) });
}

/** @throws if a node leaves out what is read from it */
async function transactionOf(client: Client, hash: Hex): Promise<SentTransaction | undefined> {
  const found = await client.request({ method: 'eth_getTransactionByHash', params: [hash] });
  if (!found) return undefined;
  const { from, to, input, value } = found;
  return { from: bytes(from), to: to ? bytes(to) : undefined, data: bytes(input), value: BigInt(value) };
}

async function receiptOf(client: Client, hash: Hex, host: string): Promise<Receipt | undefined> {
  const found = await getTransactionReceipt(client, { hash }).catch((error: Error) => {
    if (error.name === 'TransactionReceiptNotFoundError') return undefined;
    throw error;
  });
  if (!found) return undefined;
  const { from, status, blockNumber, gasUsed, effectiveGasPrice } = assertWhole(found);
  const logs = found.logs.map(({ address, topics, data }) => ({ address, topics, data }));
  // viem passes on what it does not know.
  const { l1Fee } = found as { l1Fee?: unknown };
  const dataFee = typeof l1Fee === 'string' && /^0x[0-9a-f]+$/i.test(l1Fee) ? BigInt(l1Fee) : 0n;
  const fee = gasUsed * effectiveGasPrice + dataFee;
  return { hash, from, status, blockNumber, gasUsed, effectiveGasPrice, fee, logs, witnesses: [host] };
}

/** @throws if a receipt lacks what is read from it: viem passes on what a node leaves out */
function assertWhole(receipt: TransactionReceipt): TransactionReceipt {
  const { from, status, blockNumber, gasUsed, effectiveGasPrice, logs } = receipt;
  const numbers: readonly unknown[] = [blockNumber, gasUsed, effectiveGasPrice];
  const areWhole = numbers.every((each) => typeof each === 'bigint' && each >= 0n);
  const areLogs = logs.every(
    (log) =>
      isHex(log.address) && isHex(log.data) && Array.isArray(log.topics) && log.topics.every((each) => isHex(each)),
  );
  const isStatus = status === 'success' || status === 'reverted';
  if (!areWhole || !areLogs || !isStatus || !isHex(from)) throw new TypeError('no receipt');
  return receipt;
}

/** The call trace of a node; undefined if it has no such method or tracer. The node must still have the preceding state. */
async function traced(
  rpc: Rpc,
  method: string,
  params: readonly unknown[],
): Promise<readonly Frame.Frame[] | undefined> {
  try {
    // A node without this tracer may return its own log of opcode steps.
    return Frame.fromCallTracer(await rpc.request({ method, params: [...params, { tracer: 'callTracer' }] }));
  } catch (error) {
    if (error instanceof RpcError && (isUnknownMethod(error) || isForbidden(error))) return undefined;
    throw error;
  }
}

function tracedCall({ from, to, data, value, authorizationList }: Parameters<Chain['traceCall']>[0]) {
  const authorizations = authorizationList?.map(({ chainId, address, nonce, yParity, r, s }) => ({
    ...{ chainId: toHex(chainId), address, nonce: toHex(nonce), yParity: toHex(yParity) },
    // A quantity has no leading zeros.
    ...{ r: toHex(BigInt(r)), s: toHex(BigInt(s)) },
  }));
  return { from, to, data, value: toHex(value), ...(authorizations && { authorizationList: authorizations }) };
}

/** Whether a provider refuses tracing on the current plan, judged by its message. */
function isForbidden({ words }: RpcError): boolean {
  return /\bnamespace\b|\b(plan|tier|upgrade)\b|\btracer\b.*\bnot\b|\bdebug_\w+ (is|was)\b/i.test(words);
}
