/** Fabricates the receipt of a transaction that was never mined. */

import type { Hex } from '../../core/base/Hex.js';
import type { Broadcast } from './broadcasts.js';

export type Block = { hash: Hex; number: Hex; baseFeePerGas: Hex };

/** A receipt as if the transaction were the first in an existing block. */
export function from(
  hash: string,
  transaction: Broadcast | undefined,
  block: Block,
  status: 'success' | 'reverted',
): Readonly<Record<string, unknown>> {
  const gas: Hex = `0x${(transaction?.gas ?? 21_000n).toString(16)}`;
  return {
    type: transaction?.type ?? '0x2',
    status: status === 'success' ? '0x1' : '0x0',
    cumulativeGasUsed: gas,
    logs: [],
    logsBloom: `0x${'00'.repeat(256)}`,
    transactionHash: hash,
    transactionIndex: '0x0',
    blockHash: block.hash,
    blockNumber: block.number,
    gasUsed: gas,
    effectiveGasPrice: block.baseFeePerGas,
    from: transaction?.from ?? zeroAddress,
    to: transaction ? transaction.to : zeroAddress,
    contractAddress: null,
  };
}

const zeroAddress = `0x${'00'.repeat(20)}`;
