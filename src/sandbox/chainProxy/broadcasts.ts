/**
 * Remembers the latest transactions that were submitted through a chain's gate, whether or not they reached the chain.
 */

import { isHex, keccak256, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem';
import type { Address } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';

export type Broadcast = {
  hash: Hex;
  from: Address;
  to: Address | null;
  nonce: number;
  /** Gas limit. */
  gas: bigint;
  /** `0x2` for EIP-1559. */
  type: Hex;
};

export type Broadcasts = {
  /** Decodes and remembers a signed transaction; undefined if the bytes are not one. */
  read(raw: unknown): Promise<Broadcast | undefined>;
  /** The transaction with a hash, as submitted to the gate or as known to the chain. */
  find(hash: string): Promise<Broadcast | undefined>;
};

/** Of more, the oldest are forgotten: faults strike what was sent just now. */
const mostSeen = 1_000;

export function createBroadcasts(rpcUrl: string): Broadcasts {
  const seen = new Map<string, Broadcast>();

  return {
    async read(raw) {
      if (!isHex(raw)) return undefined;
      const hash = keccak256(raw);
      const known = seen.get(hash);
      if (known) return known;
      try {
        const { to, nonce = 0, gas = 0n, type } = parseTransaction(raw);
        const from = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized });
        const broadcast = { hash, from, to: to ?? null, nonce, gas, type: types[type ?? 'eip1559'] };
        seen.set(hash, broadcast);
        const [oldest = hash] = seen.keys();
        if (seen.size > mostSeen) seen.delete(oldest);
        return broadcast;
      } catch {
        return undefined;
      }
    },
    async find(hash) {
      const known = seen.get(hash.toLowerCase());
      if (known) return known;
      const found = await nodeRpc.call(rpcUrl, 'eth_getTransactionByHash', hash).catch(() => null);
      if (found === null) return undefined;
      const { from, to, nonce, gas, type } = found as Omit<Broadcast, 'nonce' | 'gas'> & { nonce: Hex; gas: Hex };
      return { hash: hash.toLowerCase() as Hex, from, to, nonce: Number(nonce), gas: BigInt(gas), type };
    },
  };
}

const types = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2', eip4844: '0x3', eip7702: '0x4' } as const;
