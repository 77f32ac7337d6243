/** The sequence numbers of the batch executor for an account, now and as of the final block. */
import { type Client, encodeFunctionData, parseAbi, toHex } from 'viem';
import { getCode } from 'viem/actions';
import type * as Address from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import { ChainError, type Node } from './chainError.js';
import { bytes } from './contractReads.js';

/**
 * Reads the account's storage with the executor's code as an override, as if the account were delegated already.
 *
 * @throws chain.not-a-contract
 */
export function createBatchSequences(client: Client, node: Node) {
  /** The executor's code, which cannot change. What failed, or was not there yet, is asked for again. */
  const executors = new Map<Address.Address, Promise<Hex>>();
  function codeOf(batchExecutor: Address.Address): Promise<Hex> {
    const known = executors.get(batchExecutor);
    if (known !== undefined) return known;
    const asked = getCode(client, { address: batchExecutor }).then((code) => {
      if (!code) throw noExecutor(batchExecutor, node);
      return code;
    });
    executors.set(batchExecutor, asked);
    asked.catch(() => executors.delete(batchExecutor));
    return asked;
  }

  return async (block: bigint | 'latest', owner: Address.Address, batchExecutor: Address.Address): Promise<bigint> => {
    const code = await codeOf(batchExecutor);
    const data = encodeFunctionData({ abi: executorAbi, functionName: 'getSeq', args: [0n] });
    const params = [{ to: owner, data }, block === 'latest' ? block : toHex(block), { [owner]: { code } }];
    return BigInt(bytes(await client.request({ method: 'eth_call', params } as never)));
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
