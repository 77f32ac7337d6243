/**
 * The hand of the solver or the relayer on one chain. Transactions go out one after another, so that each has its own nonce however many
 * requests are filled at once; nobody waits for another's receipt.
 */

import { hexToNumber, keccak256, type SignedAuthorization } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';

import type { Account } from '../values/devAccounts.js';
import * as nodeRpc from './nodeRpc.js';
import type { Node } from './readMarket.js';

export type Call = {
  to: Address;
  data: Hex;
  value: bigint;
  gas: bigint;
  /** Of EIP-7702, in effect before the call. */
  authorizations?: readonly SignedAuthorization[] | undefined;
  /** The code that the sender's own account is to be delegated to before the call. */
  delegateTo?: Address | undefined;
};

export type Fees = { maxFeePerGasWei: bigint; maxPriorityFeePerGasWei: bigint };

export type Sender = {
  address: Address;
  /**
   * Runs the work alone, with a function that signs a call and broadcasts it. `onSigned` hears the hash before anything
   * is sent.
   */
  inTurn<result>(work: (send: Send) => Promise<result>): Promise<result>;
};

export type Send = (call: Call, fees: Fees, onSigned?: (hash: Hex) => void) => Promise<Hex>;

export function createSender(node: Node, chainId: number, { privateKey }: Account): Sender {
  const account = privateKeyToAccount(privateKey);
  let nonce: number | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const send: Send = async (call, fees, onSigned) => {
    nonce ??= hexToNumber(
      (await nodeRpc.call(node.rpcUrl, 'eth_getTransactionCount', account.address, 'pending')) as Hex,
    );
    const authorizationList = [...(call.authorizations ?? [])];
    if (call.delegateTo) {
      // The transaction itself takes the nonce before.
      const own = { chainId, nonce: nonce + 1, contractAddress: call.delegateTo };
      authorizationList.push(await account.signAuthorization(own));
    }
    const body = {
      chainId,
      nonce,
      to: call.to,
      data: call.data,
      value: call.value,
      gas: call.gas,
      maxFeePerGas: fees.maxFeePerGasWei,
      maxPriorityFeePerGas: fees.maxPriorityFeePerGasWei,
    };
    const signed = await account.signTransaction(
      authorizationList.length > 0 ? { ...body, type: 'eip7702', authorizationList } : { ...body, type: 'eip1559' },
    );
    const hash = keccak256(signed);
    onSigned?.(hash);
    try {
      await nodeRpc.call(node.rpcUrl, 'eth_sendRawTransaction', signed);
      nonce += call.delegateTo ? 2 : 1;
      return hash;
    } catch (error) {
      // Whatever the node has of it decides the next nonce.
      nonce = undefined;
      throw error;
    }
  };

  return {
    address: account.address,
    inTurn(work) {
      const turn = last.then(() => work(send));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
