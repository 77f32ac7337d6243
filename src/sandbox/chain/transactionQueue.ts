/**
 * Sends the transactions of the solver or the relayer on one chain. Transactions are sent one at a time, so nonces
 * never collide however many requests are filled concurrently; sending does not wait for receipts.
 */

import { hexToNumber, keccak256, type SignedAuthorization } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import type { Account } from '../values/devAccounts.js';
import { createKeyedMutex } from './keyedMutex.js';
import * as nodeRpc from './nodeRpc.js';
import { type Node, readFees } from './readMarket.js';

export type Call = {
  to: Address;
  data: Hex;
  value: bigint;
  gas: bigint;
  /** EIP-7702 authorizations, applied before the call. */
  authorizations?: readonly SignedAuthorization[] | undefined;
};

export type TransactionQueue = ReturnType<typeof createTransactionQueue>;

export type Send = (call: Call, onSigned?: (hash: Hex) => void) => Promise<Hex>;

export function createTransactionQueue(node: Node, { privateKey }: Account) {
  const account = privateKeyToAccount(privateKey);
  let nonce: number | undefined;
  const inTurn = createKeyedMutex();

  const send: Send = async (call, onSigned) => {
    const { maxFeePerGasWei, maxPriorityFeePerGasWei } = await readFees(node);
    nonce ??= hexToNumber(
      (await nodeRpc.call(node.rpcUrl, 'eth_getTransactionCount', account.address, 'pending')) as Hex,
    );
    const authorizationList = [...(call.authorizations ?? [])];
    const { authorizations: _, ...content } = call;
    const fees = { maxFeePerGas: maxFeePerGasWei, maxPriorityFeePerGas: maxPriorityFeePerGasWei };
    const body = { chainId: node.id, nonce, ...content, ...fees };
    const signed = await account.signTransaction(
      authorizationList.length > 0 ? { ...body, type: 'eip7702', authorizationList } : { ...body, type: 'eip1559' },
    );
    const hash = keccak256(signed);
    onSigned?.(hash);
    const done = node.keeper?.willChange('a transaction');
    try {
      await nodeRpc.call(node.rpcUrl, 'eth_sendRawTransaction', signed);
      nonce++;
      return hash;
    } catch (error) {
      // Refetch the nonce: the node may or may not have accepted the transaction.
      nonce = undefined;
      throw error;
    } finally {
      done?.();
    }
  };

  return {
    address: account.address,
    /**
     * Runs the work exclusively, with a function that signs and broadcasts a call at the chain's current fees. That
     * function reports the hash to `onSigned` before broadcasting.
     */
    runExclusive: <result>(work: (send: Send) => Promise<result>): Promise<result> =>
      inTurn(account.address, () => work(send)),
  };
}
