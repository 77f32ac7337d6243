/** Payments on Solana, by the JSON-RPC of its nodes: the change of an account's balances in a confirmed transaction. */
import * as z from 'zod/mini';
import type { PaymentReader } from '../../core/ports/Ports.js';
import type { Rpc } from './jsonRpc.js';

/** What stands for SOL itself. */
const native = '11111111111111111111111111111111';

/** A supermajority of the stake has voted for the block. */
const commitment = 'confirmed';

const balance = z.object({
  mint: z.string(),
  /** The wallet that owns the token account; older nodes leave it out. */
  owner: z.optional(z.string()),
  uiTokenAmount: z.object({ amount: z.string().check(z.regex(/^\d{1,20}$/)) }),
});

const schema = z.nullable(
  z.object({
    slot: z.int(),
    blockTime: z.nullable(z.int()),
    meta: z.object({
      err: z.unknown(),
      preBalances: z.array(z.int()),
      postBalances: z.array(z.int()),
      preTokenBalances: z.nullish(z.array(balance)),
      postTokenBalances: z.nullish(z.array(balance)),
    }),
    transaction: z.object({
      message: z.object({ accountKeys: z.array(z.object({ pubkey: z.string() })) }),
    }),
  }),
);

type Balances = readonly z.output<typeof balance>[] | null | undefined;

/** A reader of a Solana node. An account is a wallet: what its token accounts gained counts as its own. */
export function readSolana(rpc: Rpc): PaymentReader {
  return {
    async tip() {
      const slot = await rpc.request({ method: 'getSlot', params: [{ commitment }] });
      return { number: BigInt(z.int().parse(slot)) };
    },
    async payments(id, to, currency) {
      const options = { commitment, encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 };
      const found = schema.parse(await rpc.request({ method: 'getTransaction', params: [id, options] }));
      if (!found || found.meta.err !== null) return undefined;
      const { slot, blockTime, meta, transaction } = found;
      const held = (balances: Balances): bigint =>
        (balances ?? [])
          .filter(({ mint, owner }) => mint === currency && owner === to)
          .reduce((total, { uiTokenAmount }) => total + BigInt(uiTokenAmount.amount), 0n);
      const at = transaction.message.accountKeys.findIndex(({ pubkey }) => pubkey === to);
      const gained =
        currency === native
          ? BigInt(meta.postBalances[at] ?? 0) - BigInt(meta.preBalances[at] ?? 0)
          : held(meta.postTokenBalances) - held(meta.preTokenBalances);
      return {
        block: BigInt(slot),
        timestamp: BigInt(blockTime ?? 0),
        payments: gained > 0n ? [{ id: `${id}.${currency}`, amount: gained }] : [],
      };
    },
  };
}
