/**
 * Reads arrivals on chains that ferry only pays to, at the nodes that are configured.
 *
 * Solana by `getTransaction`, what the wallet's token accounts gained; Bitcoin by `getrawtransaction`, the outputs that
 * the address can spend, once in a block. Elsewhere, and without a node, the service's word is left, and the outcome
 * names it as the only witness.
 */
import { bytesToHex } from 'viem/utils';
import * as z from 'zod/mini';
import type { Chain, Network } from '../../core/network/Network.js';
import * as BitcoinAddress from '../../core/order/BitcoinAddress.js';
import type { PaidAccount, PaymentReader } from '../../core/ports/Ports.js';
import { nodesOf, toChainError } from './chainError.js';
import { createRpc, type Rpc, RpcError, type RpcOptions } from './jsonRpc.js';

export type ReaderOptions = Omit<RpcOptions, 'rpcUrl'> & { network: Network };

/** Reads a kind of chain by the JSON-RPC of its own nodes. What it throws is not yet a `chain.*` error. */
type ReadChain = (rpc: Rpc) => PaymentReader;

const kinds: Readonly<Partial<Record<Chain['vm'], ReadChain>>> = { svm: readSolana, bvm: readBitcoin };

/**
 * The reader of a chain; undefined if ferry reads no chain of its kind. With several nodes, what one of them does not show
 * is not shown, and of what they show differently the least counts, and the earliest. A head that is journaled must not be
 * one that an old payment is above.
 *
 * @throws chain.no-rpc
 */
export function createPaymentReader(chain: Chain, { network, ...remote }: ReaderOptions): PaymentReader | undefined {
  const read = kinds[chain.vm];
  if (!read) return undefined;
  const nodes = nodesOf(chain, network).map((node) => {
    const reader = read(createRpc({ ...remote, rpcUrl: node.rpcUrl }));
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
      return tips.reduce((last, each) => (each.number > last.number ? each : last));
    },
    async payments(...of) {
      const found = await answers(nodes.map((node) => node.payments(...of)));
      return found.reduce((one, other) => {
        if (!one || !other) return undefined;
        const { payments } = sum(other) < sum(one) ? other : one;
        const [block, timestamp] = [earlier(one.block, other.block), earlier(one.timestamp, other.timestamp)];
        return { block, timestamp, payments };
      });
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

function earlier(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function sum({ payments }: PaidAccount): bigint {
  return payments.reduce((total, { amount }) => total + amount, 0n);
}

/** What stands for SOL itself. */
const sol = '11111111111111111111111111111111';

/** A supermajority of the stake has voted for the block. */
const commitment = 'confirmed';

const solanaBalance = z.object({
  mint: z.string(),
  /** The wallet that owns the token account; older nodes leave it out. */
  owner: z.optional(z.string()),
  uiTokenAmount: z.object({ amount: z.string().check(z.regex(/^\d{1,20}$/)) }),
});

const solanaTransaction = z.nullable(
  z.object({
    slot: z.int(),
    blockTime: z.nullable(z.int()),
    meta: z.object({
      err: z.unknown(),
      preBalances: z.array(z.int()),
      postBalances: z.array(z.int()),
      preTokenBalances: z.nullish(z.array(solanaBalance)),
      postTokenBalances: z.nullish(z.array(solanaBalance)),
    }),
    transaction: z.object({
      message: z.object({ accountKeys: z.array(z.object({ pubkey: z.string(), signer: z.optional(z.boolean()) })) }),
    }),
  }),
);

type Balances = readonly z.output<typeof solanaBalance>[] | null | undefined;

/** A reader of a Solana node. An account is a wallet: what its token accounts gained counts as its own. */
function readSolana(rpc: Rpc): PaymentReader {
  return {
    async tip() {
      const slot = await rpc.request({ method: 'getSlot', params: [{ commitment }] });
      return { number: BigInt(z.int().parse(slot)) };
    },
    async payments(id, to, currency) {
      const options = { commitment, encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 };
      const found = solanaTransaction.parse(await rpc.request({ method: 'getTransaction', params: [id, options] }));
      if (!found || found.meta.err !== null) return undefined;
      const { slot, blockTime, meta, transaction } = found;
      const held = (balances: Balances): bigint =>
        (balances ?? [])
          .filter(({ mint, owner }) => mint === currency && owner === to)
          .reduce((total, { uiTokenAmount }) => total + BigInt(uiTokenAmount.amount), 0n);
      const { accountKeys } = transaction.message;
      const at = accountKeys.findIndex(({ pubkey }) => pubkey === to);
      // What a wallet does itself, such as to swap, is no payment to it.
      const isOwn = accountKeys.some(({ pubkey, signer }) => pubkey === to && signer === true);
      const gained =
        currency === sol
          ? BigInt(meta.postBalances[at] ?? 0) - BigInt(meta.preBalances[at] ?? 0)
          : held(meta.postTokenBalances) - held(meta.preTokenBalances);
      return {
        block: BigInt(slot),
        timestamp: BigInt(blockTime ?? 0),
        payments: gained > 0n && !isOwn ? [{ id: `${id}.${currency}`, amount: gained }] : [],
      };
    },
  };
}

const bitcoinTransaction = z.object({
  txid: z.string(),
  /** Absent while the transaction waits for a block. */
  blockhash: z.optional(z.string()),
  /** A new coin has an input without a transaction. */
  vin: z.optional(z.array(z.object({ txid: z.optional(z.string()), vout: z.optional(z.int()) }))),
  vout: z.array(
    z.object({
      /** In bitcoin, with up to eight decimals. */
      value: z.number().check(z.gte(0), z.lte(21_000_000)),
      n: z.int(),
      scriptPubKey: z.object({ hex: z.string() }),
    }),
  ),
});

const bitcoinBlock = z.object({
  height: z.int(),
  time: z.int(),
  /** Negative for a block that is not in the chain of most work. */
  confirmations: z.int(),
});

const unknownBitcoinTransaction = -5;

/** A reader of a Bitcoin node. A transaction counts once it is in a block. */
function readBitcoin(rpc: Rpc): PaymentReader {
  return {
    async tip() {
      return { number: BigInt(z.int().parse(await rpc.request({ method: 'getblockcount' }))) };
    },
    async payments(id, to) {
      const script = BitcoinAddress.script(to);
      const found = await bitcoinTransactionOf(id, rpc);
      if (!found?.blockhash || script === undefined || found.txid !== id) return undefined;
      const block = bitcoinBlock.parse(await rpc.request({ method: 'getblockheader', params: [found.blockhash] }));
      if (block.confirmations < 1) return undefined;
      const isTo = ({ scriptPubKey }: (typeof found.vout)[number]): boolean =>
        `0x${scriptPubKey.hex}` === bytesToHex(script);
      const own = (await isSpentBy(isTo, found, rpc)) ? [] : found.vout.filter(isTo);
      return {
        block: BigInt(block.height),
        timestamp: BigInt(block.time),
        // A double holds every amount of bitcoin exactly to eight decimals.
        payments: own.map(({ value, n }) => ({ id: `${id}.${n}`, amount: BigInt(Math.round(value * 1e8)) })),
      };
    },
  };
}

type BitcoinTransaction = z.output<typeof bitcoinTransaction>;

/** As many inputs are looked at: a payment has one or a few. */
const mostInputs = 16;

/** Whether a transaction spends what an address had: what then comes back to it is the rest, and no payment. */
async function isSpentBy(
  isOf: (output: BitcoinTransaction['vout'][number]) => boolean,
  { vin = [] }: BitcoinTransaction,
  rpc: Rpc,
): Promise<boolean> {
  const spent = vin.slice(0, mostInputs).map(async ({ txid, vout }) => {
    const before = txid === undefined ? undefined : await bitcoinTransactionOf(txid, rpc);
    return before?.vout.some((output) => output.n === vout && isOf(output)) === true;
  });
  return (await Promise.all(spent)).includes(true);
}

async function bitcoinTransactionOf(id: string, rpc: Rpc): Promise<z.output<typeof bitcoinTransaction> | undefined> {
  try {
    return bitcoinTransaction.parse(await rpc.request({ method: 'getrawtransaction', params: [id, true] }));
  } catch (error) {
    if (error instanceof RpcError && error.code === unknownBitcoinTransaction) return undefined;
    throw error;
  }
}
