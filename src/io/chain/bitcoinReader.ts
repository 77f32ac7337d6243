/** Payments on Bitcoin, by the JSON-RPC of a node with an index of transactions: the outputs that an address can spend. */
import { bytesToHex } from 'viem/utils';
import * as z from 'zod/mini';
import * as BitcoinAddress from '../../core/order/BitcoinAddress.js';
import type { PaymentReader } from '../../core/ports/Ports.js';
import { type Rpc, RpcError } from './jsonRpc.js';

const schema = z.object({
  txid: z.string(),
  /** Absent while the transaction waits for a block. */
  blockhash: z.optional(z.string()),
  vout: z.array(
    z.object({
      /** In bitcoin, with up to eight decimals. */
      value: z.number().check(z.gte(0), z.lte(21_000_000)),
      n: z.int(),
      scriptPubKey: z.object({ hex: z.string() }),
    }),
  ),
});

const header = z.object({
  height: z.int(),
  time: z.int(),
  /** Negative for a block that is not in the chain of most work. */
  confirmations: z.int(),
});

/** The code of a node that has no such transaction. */
const unknownTransaction = -5;

/** A reader of a Bitcoin node. A transaction counts once it is in a block. */
export function readBitcoin(rpc: Rpc): PaymentReader {
  return {
    async tip() {
      return { number: BigInt(z.int().parse(await rpc.request({ method: 'getblockcount' }))) };
    },
    async payments(id, to) {
      const script = BitcoinAddress.script(to);
      const found = await transaction(id, rpc);
      if (!found?.blockhash || script === undefined || found.txid !== id) return undefined;
      const block = header.parse(await rpc.request({ method: 'getblockheader', params: [found.blockhash] }));
      if (block.confirmations < 1) return undefined;
      const own = found.vout.filter(({ scriptPubKey }) => `0x${scriptPubKey.hex}` === bytesToHex(script));
      return {
        block: BigInt(block.height),
        timestamp: BigInt(block.time),
        // A double holds every amount of bitcoin exactly to eight decimals.
        payments: own.map(({ value, n }) => ({ id: `${id}.${n}`, amount: BigInt(Math.round(value * 1e8)) })),
      };
    },
  };
}

async function transaction(id: string, rpc: Rpc): Promise<z.output<typeof schema> | undefined> {
  try {
    return schema.parse(await rpc.request({ method: 'getrawtransaction', params: [id, true] }));
  } catch (error) {
    if (error instanceof RpcError && error.code === unknownTransaction) return undefined;
    throw error;
  }
}
