/** How much gas a transaction needs, and what it pays for it. */
import { type Client, toHex } from 'viem';
import { getBalance } from 'viem/actions';
import type { Call, GasOffer } from '../../core/ports/Ports.js';
import { ChainError, innermost, isFailure, isShort, type Node, nodeFacts, reverted } from './chainError.js';
import { RpcError } from './jsonRpc.js';

/** Number of recent blocks the priority fee is derived from. */
const tipBlocks = 20;

/** What is read of the latest block; the base fee is null on a chain without one. */
type Latest = { baseFeePerGas: bigint | null; timestamp: bigint };

/** @throws chain.refused for a chain without EIP-1559 fees */
export async function offerGas(client: Client, node: Node, latest: Promise<Latest>): Promise<GasOffer> {
  const baseFee = latest.then(({ baseFeePerGas: fee }) => {
    if (fee === null)
      throw new ChainError(
        'chain.refused',
        `The RPC node of ${node.chain.name} does not support EIP-1559 fees.`,
        node,
        {
          hint: 'ferry only sends EIP-1559 transactions.',
        },
      );
    return fee;
  });
  const tip = priorityFee(client, baseFee);
  // The error of the block says more.
  tip.catch(() => {});
  const [baseFeePerGas, maxPriorityFeePerGas, { timestamp }] = [await baseFee, await tip, await latest];
  // The base fee rises by at most an eighth per block, so twice the current fee covers five full blocks.
  return { baseFeePerGas, maxFeePerGas: baseFeePerGas * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas, timestamp };
}

/** @throws submit.simulation if it would fail, submit.insufficient-balance, submit.insufficient-gas */
export async function estimateGas(call: Call, client: Client, node: Node): Promise<bigint> {
  const { from, to, data, value } = call;
  try {
    return BigInt(
      await client.request({ method: 'eth_estimateGas', params: [{ from, to, data, value: toHex(value) }] }),
    );
  } catch (thrown) {
    const error = innermost(thrown);
    if (!(error instanceof RpcError)) throw thrown;
    if (isShort(error)) throw await insufficient(error, call, client, node);
    throw isFailure(error) ? reverted(error, node) : error;
  }
}

export async function insufficient(
  error: RpcError,
  { from, value }: Call,
  client: Client,
  node: Node,
): Promise<ChainError> {
  const balance = await getBalance(client, { address: from }).catch(() => undefined);
  const short = balance !== undefined && value > balance;
  const { chain } = node;
  return new ChainError(
    short ? 'submit.insufficient-balance' : 'submit.insufficient-gas',
    short
      ? `The balance on ${chain.name} is smaller than the amount.`
      : `The account cannot pay for gas on ${chain.name}.`,
    node,
    {
      facts: [['account', from], ...nodeFacts(error, node)],
      hint: `Send ${chain.native.symbol} to the account on ${chain.name}.`,
    },
  );
}

/**
 * The median priority fee paid in recent blocks. If they have no transactions, or the node keeps no fee history, the
 * node's own suggestion.
 */
async function priorityFee(client: Client, baseFee: Promise<bigint>): Promise<bigint> {
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
