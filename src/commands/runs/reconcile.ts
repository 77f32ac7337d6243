import * as z from 'zod/mini';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import type { Event } from '../../core/event/Event.js';
import * as NonceRule from '../../core/execution/NonceRule.js';
import * as Network from '../../core/network/Network.js';
import type { NonceCounter, Turn } from '../../core/ports/Ports.js';
import * as Place from '../../core/text/Place.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { counterOf, holdLines, nextOf } from '../../setup/trustNonces.js';
import { adopt, format, type Unknown, unknownPermits } from '../../setup/trustPermits.js';
import { ownAccount } from '../../transfer/findVenueAccount.js';
import { signerFlag } from '../../transfer/transferOptions.js';

/** The newest unknown transactions that are looked up. */
const maxShown = 20;

const gap = z.object({
  chain: z.string(),
  /** The account, the API key, or the batches or permits of the account. */
  owner: z.string(),
  /** The next nonce after those that ferry knows; for permits, the Unix time in milliseconds. Null if it knows none. */
  known: z.nullable(z.string()),
  /** The next nonce on the chain; for permits, the service's time. */
  next: z.string(),
  /** The newest transactions with unknown nonces, oldest first, as far as the node still finds them. */
  transactions: z.array(
    z.object({ nonce: z.int(), txHash: z.string(), to: z.nullable(z.string()), value: z.string() }),
  ),
  /** The ids of the requests that unknown permits paid for, newest first. */
  requests: z.array(z.string()),
});

type Gap = z.output<typeof gap>;

type Reconciled = { account: string; unknown: Gap[]; adopted: boolean; held: string[] };

export const command = define({
  description:
    'Compares the nonces of your account with those that ferry knows, names the transactions that other programs sent and the permits that they signed, and after asking adopts them: ferry then signs again. It refuses to sign while it does not know a nonce, since the state directory may have been deleted or restored after a payment.',
  args: [{ name: 'chain', description: 'a chain’s name or id' }],
  options: {
    ...signerFlag,
    check: { description: 'only show them' },
  },
  examples: [
    ['ferry runs reconcile base --check', 'what ferry does not know'],
    ['ferry runs reconcile base --account main --yes', 'adopt it, on a new machine or in CI'],
  ],
  output: z.object({
    account: z.string(),
    unknown: z.array(gap),
    adopted: z.boolean(),
    /** The lines of shared batches that are held now, since one of these may have paid them, as `batch/id`. */
    held: z.array(z.string()),
  }),
  streams: true,
  async *run({ args, check }, context): AsyncGenerator<Event, Reconciled> {
    const chain = Network.chain(context.network, args[0] ?? '');
    const unknown: Gap[] = [];
    const held: string[] = [];
    const turns: { turn: Turn; counter: NonceCounter }[] = [];
    const adoptions: (() => Promise<void>)[] = [];
    try {
      for (const counter of await countersOf(chain, context)) {
        const turn = yield* context.nonces.take(counter);
        turns.push({ turn, counter });
        for (const { owner, next, sequence } of await sequencesOf(chain, counter, context)) {
          const known = turn.known(sequence);
          const found = NonceRule.gap(known, next);
          if (!found) continue;
          const transactions = sequence === undefined ? await transactionsOf(chain, counter, found, context) : [];
          unknown.push({ ...gapOf(chain, owner, known, next), transactions });
          adoptions.push(async () => turn.use(next, sequence));
        }
        const permits = 'address' in counter ? await permitsOf(chain, turn, context) : undefined;
        if (!permits || permits.requests.length === 0) continue;
        const { owner, known, next, requests } = permits;
        unknown.push({ ...gapOf(chain, owner, known, next), requests: [...requests] });
        adoptions.push(() => adopt(turn, next, context));
      }
      const adopted = !check && unknown.length > 0;
      if (adopted) {
        const names = unknown.map((each) => `${inWords(each)} of ${each.owner}`);
        await context.confirm(
          `On ${Place.inWords(context.network)}: adopt ${names.join(' and ')} on ${chain.name}, none of which paid for a transfer that you repeat?`,
        );
        // A store that has never known the account has lost nothing of it. Held before anybody may sign again.
        const mayHaveLost = unknown.some(({ known }) => known !== null) || (await context.storeDoubt()) !== undefined;
        if (mayHaveLost) held.push(...(await holdLines(context)));
        for (const record of adoptions) await record();
        for (const { turn } of turns) await turn.commit();
      }
      return { account: await context.sender(), unknown, adopted, held };
    } finally {
      for (const { turn } of turns) turn.release();
    }
  },
  placed: true,
  view({ account, unknown, adopted }, style) {
    if (unknown.length === 0) return `ferry knows every nonce of ${account}.`;
    return unknown
      .flatMap((each) => [
        `${adopted ? style.green('✓ adopted') : style.yellow('unknown')}  ${inWords(each)} of ${each.owner} on ${each.chain}`,
        ...each.transactions.map(({ nonce, txHash, to }) => `  ${nonce}  ${txHash}  to ${to ?? 'a new contract'}`),
        ...each.requests.map((request) => `  ${TerminalText.escape(request)}`),
      ])
      .join('\n');
  },
});

function gapOf({ name }: Network.Chain, owner: string, known: bigint | undefined, next: bigint): Gap {
  const from = known === undefined ? null : String(known);
  return { chain: name, owner, known: from, next: String(next), transactions: [], requests: [] };
}

/** `nonces 4 to 6`, `3 permits`. */
function inWords({ known, next, requests }: Gap): string {
  if (requests.length > 0) return format(requests);
  return NonceRule.format({ from: BigInt(known ?? 0), to: BigInt(next) });
}

/** The counters of the sender: its account on a chain, or the API keys of its venue account. */
async function countersOf(chain: Network.Chain, context: Context): Promise<NonceCounter[]> {
  if (chain.vm === 'evm') return [await counterOf(chain, context)];
  const signingChainId = context.network.venue?.signingChainId ?? 0;
  const { index: accountIndex } = await ownAccount(context);
  const keys = await (await context.venue()).apiKeys(accountIndex);
  return keys.map(({ index: apiKeyIndex }) => ({ signingChainId, chain: chain.name, accountIndex, apiKeyIndex }));
}

type Sequence = { owner: string; next: bigint; sequence?: string };

/** The sequences of nonces of a counter: its own, and that of the account's batches. */
async function sequencesOf(chain: Network.Chain, counter: NonceCounter, context: Context): Promise<Sequence[]> {
  const owner = NonceRule.ownerOf(counter);
  const own = { owner, next: await nextOf(counter, context) };
  const { batchExecutor } = chain.contracts;
  if (!('address' in counter) || !batchExecutor) return [own];
  const node = await context.chain(chain);
  const next = await node.batchSequence(counter.address, batchExecutor);
  return [own, { owner: `the batches of ${owner}`, next, sequence: batchExecutor.toLowerCase() }];
}

/** The permits that ferry does not know, as far as the service shows them, where they are asked about. */
async function permitsOf(chain: Network.Chain, turn: Turn, context: Context): Promise<Unknown | undefined> {
  if (!context.network.realMoney && context.config.store.value === undefined) return undefined;
  try {
    return await unknownPermits(turn, chain, context);
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    context.warn(`The permits of the account cannot be compared with the service’s records. ${error.message}`);
    return undefined;
  }
}

async function transactionsOf(
  chain: Network.Chain,
  counter: NonceCounter,
  { from, to }: NonceRule.Gap,
  context: Context,
): Promise<Gap['transactions']> {
  if (!('address' in counter)) return [];
  const node = await context.chain(chain);
  const first = to - from > maxShown ? to - BigInt(maxShown) : from;
  const found: Gap['transactions'] = [];
  for (let nonce = Number(first); nonce < to; nonce++) {
    const used = await node.usedNonce(counter.address, nonce);
    if (used.state !== 'found') continue;
    found.push({ nonce, txHash: used.hash, to: used.to ?? null, value: String(used.value) });
  }
  return found;
}
