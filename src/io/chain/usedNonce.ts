/**
 * Finds the transaction that used an account's nonce: its own, or anybody's that has delegated it. Nodes have no method for
 * that, so the blocks are searched.
 */
import type { Client, Transaction } from 'viem';
import { getBlock, getBlockNumber, getTransactionCount } from 'viem/actions';
import { recoverAuthorizationAddress } from 'viem/utils';
import * as Address from '../../core/base/Address.js';
import type { UsedNonce } from '../../core/ports/Ports.js';

/** Considers only mined transactions. @throws the node's error if it does not return the transaction count */
export async function usedNonce(owner: Address.Address, nonce: number, client: Client): Promise<UsedNonce> {
  const latest = await getBlockNumber(client, { cacheTime: 0 });
  const isUsedAt = async (blockNumber: bigint): Promise<boolean> =>
    (await getTransactionCount(client, { address: owner, blockNumber })) > nonce;
  if (!(await isUsedAt(latest))) return { state: 'free' };
  try {
    const blockNumber = await firstWhere(isUsedAt, latest);
    const { transactions } = await getBlock(client, { blockNumber, includeTransactions: true });
    const own = transactions.find((each) => each.nonce === nonce && Address.isEqual(each.from, owner));
    const found = own ?? (await delegating(transactions, owner, nonce));
    if (!found) return { state: 'used' };
    const { hash, to, input: data, value } = found;
    return { state: 'found', hash, to: to ?? undefined, data, value };
  } catch {
    // Most nodes keep only the state of recent blocks.
    return { state: 'used' };
  }
}

/** The transaction that carries an authorization of the account (EIP-7702) with this nonce. */
async function delegating(
  transactions: readonly Transaction[],
  owner: Address.Address,
  nonce: number,
): Promise<Transaction | undefined> {
  for (const transaction of transactions)
    for (const authorization of transaction.authorizationList ?? []) {
      if (authorization.nonce !== nonce) continue;
      const by = await recoverAuthorizationAddress({ authorization }).catch(() => undefined);
      if (by && Address.isEqual(by, owner)) return transaction;
    }
  return undefined;
}

/** The first block where the condition holds. It must hold at the latest block, and at every block after the first. */
async function firstWhere(holds: (block: bigint) => Promise<boolean>, latest: bigint): Promise<bigint> {
  let after = latest;
  let before = latest;
  for (let step = 1n; before > 0n; step *= 2n) {
    before = latest > step ? latest - step : 0n;
    if (!(await holds(before))) break;
    after = before;
  }
  while (after - before > 1n) {
    const middle = (before + after) / 2n;
    if (await holds(middle)) after = middle;
    else before = middle;
  }
  return after;
}
