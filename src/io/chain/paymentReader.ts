/**
 * Reads arrivals on chains that ferry only pays to, at the nodes that are configured.
 *
 * Solana by `getTransaction`, what the wallet's token accounts gained; Bitcoin by `getrawtransaction`, the outputs that
 * the address can spend, once in a block. Elsewhere, and without a node, the service's word is left, and the outcome
 * names it as the only witness.
 */
import { type Chain, type Network, NoRpcError } from '../../core/network/Network.js';
import type { PaidAccount, PaymentReader } from '../../core/ports/Ports.js';
import { readBitcoin } from './bitcoinReader.js';
import type { ChainOptions } from './chainClient.js';
import { toChainError } from './chainError.js';
import { createRpc, type Rpc } from './jsonRpc.js';
import { readSolana } from './solanaReader.js';

export type ReaderOptions = Pick<ChainOptions, 'fetch' | 'clock' | 'random' | 'signal'> & { network: Network };

/** Reads a kind of chain by the JSON-RPC of its own nodes. What it throws is not yet a `chain.*` error. */
export type ReadChain = (rpc: Rpc) => PaymentReader;

const kinds: Readonly<Partial<Record<Chain['vm'], ReadChain>>> = { svm: readSolana, bvm: readBitcoin };

/**
 * The reader of a chain; undefined if ferry reads no chain of its kind. With several nodes, what one of them does not show
 * is not shown, and of what they show differently the least counts.
 *
 * @throws chain.no-rpc
 */
export function createPaymentReader(chain: Chain, { network, ...remote }: ReaderOptions): PaymentReader | undefined {
  const read = kinds[chain.vm];
  if (!read) return undefined;
  if (chain.rpcUrl === undefined) throw new NoRpcError(chain.name, network);
  const nodes = [...new Set([chain.rpcUrl, ...(chain.rpcUrls ?? [])])].map((rpcUrl) => {
    const node = { network: network.name, chain, rpcUrl };
    const reader = read(createRpc({ ...remote, rpcUrl }));
    const asked = <T>(answer: Promise<T>): Promise<T> =>
      answer.catch((error: unknown) => {
        throw remote.signal.aborted ? remote.signal.reason : toChainError(error, node);
      });
    return {
      tip: () => asked(reader.tip()),
      payments: (...of: Parameters<PaymentReader['payments']>) => asked(reader.payments(...of)),
    };
  });
  return {
    async tip() {
      const tips = await answers(nodes.map((node) => node.tip()));
      return tips.reduce((least, each) => (each.number < least.number ? each : least));
    },
    async payments(...of) {
      const found = await answers(nodes.map((node) => node.payments(...of)));
      return found.reduce((least, each) => (least && each && sum(each) >= sum(least) ? least : each && least && each));
    },
  };
}

/** What the nodes answer that answer. @throws what the first did if none does */
async function answers<T>(asked: readonly Promise<T>[]): Promise<[T, ...T[]]> {
  const all = await Promise.allSettled(asked);
  const [first, ...more] = all.flatMap((each) => (each.status === 'fulfilled' ? [{ value: each.value }] : []));
  if (!first) throw all.find((each) => each.status === 'rejected')?.reason;
  return [first.value, ...more.map(({ value }) => value)];
}

function sum({ payments }: PaidAccount): bigint {
  return payments.reduce((total, { amount }) => total + amount, 0n);
}
