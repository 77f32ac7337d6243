/**
 * The solver's hand on one chain. Transactions go out one after another, so that each has its own nonce however many
 * requests are filled at once; nobody waits for another's receipt.
 */
import { hexToNumber, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address } from '../core/Address.js';
import type { Account } from './accounts.js';
import type { Hex } from './mined.js';
import type { Node } from './readMarket.js';
import * as rpc from './rpc.js';

export type Call = { to: Address; data: Hex; value: bigint; gas: bigint };

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
    nonce ??= hexToNumber((await rpc.call(node.rpcUrl, 'eth_getTransactionCount', account.address, 'pending')) as Hex);
    const signed = await account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce,
      to: call.to,
      data: call.data,
      value: call.value,
      gas: call.gas,
      maxFeePerGas: fees.maxFeePerGasWei,
      maxPriorityFeePerGas: fees.maxPriorityFeePerGasWei,
    });
    const hash = keccak256(signed);
    onSigned?.(hash);
    try {
      await rpc.call(node.rpcUrl, 'eth_sendRawTransaction', signed);
      nonce += 1;
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
