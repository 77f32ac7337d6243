/**
 * Takes the turn for an account's nonces, and asks about those that were used without ferry's knowledge.
 *
 * ferry does not sign with a nonce that a transaction of an unfinished run may still take, nor with one before it: it
 * would be mined in its place, or let it be mined. A permit uses no nonce, so `trustPermits.ts` compares the service's
 * records instead. Two batches or permits for one transfer share no nonce that a chain shows, so while a store may have
 * forgotten one, none is signed, and no raw call (`assertSettled`).
 */
import type * as Execute from '../core/api/Execute.js';
import * as Address from '../core/base/Address.js';
import type { BaseError } from '../core/base/Errors.js';
import type { Context } from '../core/command/Context.js';
import * as NonceRule from '../core/execution/NonceRule.js';
import type { Chain } from '../core/network/Network.js';
import type { NonceCounter, SentTransaction, Turn, Waiting } from '../core/ports/Ports.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import * as Journal from '../core/tracking/Journal.js';
import type { RunRecord } from '../core/tracking/RunStore.js';
import * as StoreDoubt from '../core/tracking/StoreDoubt.js';
import * as BatchHold from '../core/worker/BatchHold.js';

/** What is known of the nonces besides their record, and what the user accepts. */
export type KnownNonces = {
  /** Nonces that the run signed in an earlier process. */
  signed?: readonly number[];
  /** The transaction of another program that used one of them. */
  foreign?: Journal.Foreign | undefined;
  /** Whether the transfer may have been paid before: it is resumed, or its batch has results. */
  isStrict: boolean;
  allow: readonly string[];
};

/** The counter of an account's nonces on a chain. */
type AccountCounter = Extract<NonceCounter, { address: Address.Address }>;

/** A turn, and the counter's next nonce with the time at which it was asked for. */
export type Taken = { turn: Turn; next: bigint; at: number };

/**
 * Takes a turn whose nonces are known. On a terminal the user may adopt unknown ones; a network without real money
 * adopts them with a warning, unless the transfer may have been paid before, or a store shared by machines knew better.
 *
 * @param held called as soon as the turn has come, before its nonce is asked for
 * @throws run.foreign-nonce · run.unfinished · prompt.declined · config.unwritable · submit.busy · chain.* · venue.*
 */
export async function* takeTurn(
  counter: NonceCounter,
  terms: KnownNonces,
  context: Context,
  held?: () => void,
): AsyncGenerator<Waiting, Taken> {
  const turn = yield* context.nonces.take(counter);
  held?.();
  try {
    const at = context.clock.now();
    return { turn, at, next: await trustNonces({ turn }, counter, terms, context) };
  } catch (error) {
    turn.release();
    throw error;
  }
}

/**
 * Asks about unknown nonces of a counter whose turn was taken, and returns its next one. `next` is that, if the caller has
 * just read it.
 *
 * @throws run.foreign-nonce · run.unfinished · prompt.declined · config.unwritable · chain.* · venue.*
 */
export async function trustNonces(
  { turn, next }: { turn: Turn; next?: bigint | undefined },
  counter: NonceCounter,
  terms: KnownNonces,
  context: Context,
): Promise<bigint> {
  const place = { owner: NonceRule.ownerOf(counter), chain: counter.chain };
  const found = next ?? (await nextOf(counter, context));
  if ('address' in counter) {
    await assertFree({ turn, next: found }, counter, context, terms.signed);
    if (terms.foreign) await trustTaken(terms.foreign, counter, terms, context);
  }
  await settle(turn, { place, next: found }, terms, context);
  return found;
}

/**
 * Asks about unknown nonces before it is said that a run has not paid: its journal may be older than its payment.
 *
 * @throws run.foreign-nonce · prompt.declined · config.unwritable · submit.busy · chain.*
 */
export async function* assertKnown(
  counter: AccountCounter,
  terms: KnownNonces,
  context: Context,
): AsyncGenerator<Waiting, void> {
  const turn = yield* context.nonces.take(counter);
  try {
    const place = { owner: counter.address, chain: counter.chain };
    await settle(turn, { place, next: await nextOf(counter, context) }, terms, context);
  } finally {
    turn.release();
  }
}

/**
 * Refuses nonces that transactions and delegations of unfinished runs have: whoever was given those may still send them, and
 * what is signed now would let the later ones of them be mined, or be void beside its own later ones.
 *
 * @param signed nonces that the run itself has signed
 * @throws run.unfinished · chain.*
 */
export async function assertFree(
  { turn, next }: { turn: Turn; next?: bigint },
  counter: AccountCounter,
  context: Context,
  signed: readonly number[] = [],
): Promise<void> {
  const known = turn.known();
  if (known === undefined) return;
  const first = next ?? (await nextOf(counter, context));
  if (first >= known) return;
  for (const { id, sent, handed } of await ofAccount(await (await context.runs()).unfinished(), counter, context)) {
    const unmined = [...sent.values()].flatMap(({ receipt, nonce }) => (receipt ? [] : [nonce]));
    const open = [...unmined, ...delegatedBy(handed)].filter((nonce) => !signed.includes(nonce));
    const held = open.find((nonce) => BigInt(nonce) >= first);
    if (held !== undefined) throw NonceRule.heldNonce({ owner: counter.address, chain: counter.chain }, held, id);
  }
}

/**
 * Refuses to fill nonces that the chain has lost of other unfinished runs: whoever finishes such a run sends again what it
 * signed.
 *
 * @throws run.unfinished
 */
export async function assertUnclaimed(
  missing: readonly number[],
  own: string,
  counter: AccountCounter,
  context: Context,
): Promise<void> {
  if (missing.length === 0) return;
  const others = (await (await context.runs()).unfinished()).filter(({ id }) => id !== own);
  for (const { id, sent } of await ofAccount(others, counter, context)) {
    const lost = [...sent.values()].find(({ nonce }) => missing.includes(nonce));
    if (lost) throw NonceRule.heldNonce({ owner: counter.address, chain: counter.chain }, lost.nonce, id);
  }
}

/** The nonces that the delegation of a signed batch uses once it is submitted. */
export function delegatedBy(handed: Journal.State['handed']): readonly number[] {
  if (handed?.type !== 'signed-batch') return [];
  const { authorizationList = [] } = (handed.request as Execute.Request).data;
  return authorizationList.map(({ nonce }) => nonce);
}

/**
 * Does the same for the nonces of the batches that the account signs for a batch executor.
 *
 * @param found the next of them, if it was read just now
 * @throws run.foreign-nonce · run.unfinished · prompt.declined · config.unwritable · store.* · chain.*
 */
export async function trustSequence(
  turn: Turn,
  chain: Chain,
  terms: KnownNonces,
  context: Context,
  found?: bigint | undefined,
): Promise<void> {
  await assertSettled(chain, context);
  const { batchExecutor } = chain.contracts;
  const next = found ?? (await sequenceOf(chain, context));
  if (!batchExecutor || next === undefined) return;
  await assertUnsubmitted({ turn, next }, chain, context);
  const place = { owner: `the batches of ${await context.sender()}`, chain: chain.name };
  await settle(turn, { place, next, sequence: batchExecutor.toLowerCase() }, { ...terms, signed: [] }, context);
}

/**
 * Refuses the sequence of a batch that an earlier run has signed. If that run is unfinished, its turn was released before
 * anybody submitted the batch, and whoever has it still may. If it has ended by paying, the node is behind: what is signed
 * now could never be used, and nothing would show that.
 *
 * @throws run.unfinished · submit.busy
 */
async function assertUnsubmitted(
  { turn, next }: { turn: Turn; next: bigint },
  chain: Chain,
  context: Context,
): Promise<void> {
  const executor = chain.contracts.batchExecutor?.toLowerCase();
  const known = turn.known(executor);
  if (known === undefined || next >= known) return;
  const owner = await context.sender();
  const place = { owner, chain: chain.name };
  const counter = { chainId: chain.id, address: owner };
  const runs = await context.runs();
  const signed = ({ handed }: OwnRun): bigint | undefined => {
    const isBatch = handed?.type === 'signed-batch' && handed.batchExecutor.toLowerCase() === executor;
    return isBatch && BigInt(handed.nonce) >= next ? BigInt(handed.nonce) : undefined;
  };
  for (const run of await ofAccount(await runs.unfinished(), counter, context)) {
    const sequence = signed(run);
    if (sequence !== undefined) throw NonceRule.heldSequence(place, sequence, run.id);
  }
  for (const run of await ofAccount(await runs.list(latestRuns), counter, context)) {
    const sequence = signed(run);
    if (sequence !== undefined && run.outcome && run.outcome.funds !== 'untouched')
      throw NonceRule.staleSequence(place, sequence, run.id);
  }
}

/** Runs among which one is looked for that a node which is behind does not show yet. */
const latestRuns = 50;

type OwnRun = Pick<Journal.State, 'sent' | 'handed' | 'outcome'> & { id: string };

/** Of some runs, those of an account on a chain. */
async function ofAccount(
  runs: readonly RunRecord[],
  { chainId, address }: Pick<AccountCounter, 'chainId' | 'address'>,
  context: Context,
): Promise<readonly OwnRun[]> {
  const instance = (await context.instance()) ?? null;
  return runs.flatMap(({ id, state }) => {
    if (!state?.quote || state.network !== context.network.name || state.instance !== instance) return [];
    const { intent } = QuoteDocument.toQuote(state.quote.document, context.network);
    const isTheirs = intent.origin.chain.id === chainId && Address.isEqual(intent.user, address);
    return isTheirs ? [{ id, sent: state.sent, handed: state.handed, outcome: state.outcome }] : [];
  });
}

/** The account's next sequence in the batch executor of a chain; undefined if none is known there. */
export async function sequenceOf(
  chain: Chain,
  { chain: node, sender }: Pick<Context, 'chain' | 'sender'>,
): Promise<bigint | undefined> {
  const { batchExecutor } = chain.contracts;
  return batchExecutor && (await node(chain)).batchSequence(await sender(), batchExecutor);
}

/** The counter of the sender's nonces on a chain. */
export async function counterOf(
  { id, name }: Pick<Chain, 'id' | 'name'>,
  { sender, instance }: Pick<Context, 'sender' | 'instance'>,
): Promise<AccountCounter> {
  return { chainId: id, chain: name, address: await sender(), instance: await instance() };
}

/** The counter's next nonce, as the chain or the venue reports it. */
export async function nextOf(counter: NonceCounter, context: Context): Promise<bigint> {
  if ('address' in counter) return BigInt(await (await context.chain({ id: counter.chainId })).nonce(counter.address));
  return (await context.venue()).nextNonce(counter.accountIndex, counter.apiKeyIndex);
}

type NextNonce = { place: NonceRule.NonceOwner; next: bigint; sequence?: string };

async function settle(
  turn: Turn,
  { place, next, sequence }: NextNonce,
  terms: KnownNonces,
  context: Context,
): Promise<void> {
  const { signed = [], isStrict, allow } = terms;
  const known = [turn.known(sequence), ...signed.map((nonce) => BigInt(nonce) + 1n)].reduce(latest, undefined);
  const gap = NonceRule.gap(known, next);
  // An account that nobody has used yet may be used by others until it signs.
  if (!gap) return turn.use(known ?? next, sequence);
  const unknown = NonceRule.format(gap);
  const isShared = context.config.store.value !== undefined;
  // A store that has known the account, and knows less than the chain, has lost something; so may one that was restored.
  const hasLost = isShared && (known !== undefined || (await context.storeDoubt()) !== undefined);
  const isAllowed = allow.includes(NonceRule.allowance) || (!context.network.realMoney && !isStrict && !hasLost);
  if (!isAllowed) await askAbout(place, unknown, context);
  else if (known !== undefined) context.warn(NonceRule.inWords(place, unknown));
  if (hasLost) await holdLines(context);
  turn.use(next, sequence);
}

/**
 * Has the user say whether a transaction paid that took a nonce of the run, unless it is known what it was.
 *
 * @throws run.foreign-nonce if nobody can be asked · prompt.declined · chain.*
 */
async function trustTaken(
  foreign: Journal.Foreign,
  counter: AccountCounter,
  { allow }: KnownNonces,
  context: Context,
): Promise<void> {
  if (await isKnown(foreign, counter, context)) return;
  const place = { owner: counter.address, chain: counter.chain };
  const words = NonceRule.inWords(place, `nonce ${foreign.nonce}`);
  if (allow.includes(NonceRule.allowance)) context.warn(words);
  else {
    assertAsks(NonceRule.takenNonce(place, foreign), context);
    await context.confirm(`${words} If ${foreign.txHash} paid for this, it is paid twice. Go on?`);
  }
  await holdLines(context);
}

/**
 * Whether a transaction that took a nonce is one of the latest runs' own, of which a node that is behind did not know: it was
 * sent by the run, or it carries the run's batch, whose authorization used the nonce. Or it is empty, as what fills a nonce:
 * that pays nobody.
 *
 * @throws chain.*
 */
async function isKnown(
  { nonce, txHash }: Journal.Foreign,
  counter: Pick<AccountCounter, 'chainId' | 'address'>,
  context: Context,
): Promise<boolean> {
  // What somebody else may have written knows any transaction.
  const runs = (await (await context.runs()).list(latestRuns)).filter(({ isOwn }) => isOwn);
  if (runs.some(({ state }) => state && Journal.isOf(state, txHash))) return true;
  const taking = await (await context.chain({ id: counter.chainId })).transaction(txHash);
  if (taking && isEmpty(taking)) return true;
  return (await ofAccount(runs, counter, context)).some(({ handed }) => {
    if (handed?.type !== 'signed-batch') return false;
    const { data } = (handed.request as Execute.Request).data;
    return delegatedBy(handed).includes(nonce) && taking?.data.includes(data.slice(2));
  });
}

function isEmpty({ from, to, data, value }: SentTransaction): boolean {
  return to !== undefined && Address.isEqual(to, from) && data === '0x' && value === 0n;
}

/**
 * Holds what waits for the account in shared batches once nonces are adopted that the store does not know: any of its lines
 * may be what they paid for. Resolves to the lines.
 */
export async function holdLines(context: Context): Promise<readonly string[]> {
  const { network, config } = context;
  if (config.store.value === undefined) return [];
  const place = { network: network.name, instance: (await context.instance()) ?? null };
  const lines = await (await context.batches()).holdLines(await context.sender(), place, BatchHold.reason);
  if (lines.length > 0) context.warn(BatchHold.inWords(lines));
  return lines;
}

/**
 * Refuses to sign what somebody else submits while the store may have forgotten such a signature that can still be used.
 *
 * @throws store.behind · chain.*
 */
export async function assertSettled(chain: Pick<Chain, 'id' | 'name'>, context: Context): Promise<void> {
  const doubt = await context.storeDoubt();
  if (!doubt) return;
  const node = await context.chain(chain);
  const { timestamp } = await node.finalizedRead({ to: Address.native, data: '0x' });
  const finalMs = Number(timestamp) * 1000;
  if (finalMs > StoreDoubt.untilMs(doubt)) return;
  throw StoreDoubt.storeBehind(doubt, { chain: chain.name, finalMs });
}

/** Has the user adopt what ferry does not know. @throws run.foreign-nonce if nobody can be asked · prompt.declined */
export async function askAbout(place: NonceRule.NonceOwner, unknown: string, context: Context): Promise<void> {
  const { network, config } = context;
  const flags = { account: config.account.value, network: network.name === 'sandbox' ? undefined : network.name };
  assertAsks(NonceRule.foreignNonce(place, unknown, flags), context);
  await context.confirm(`${NonceRule.inWords(place, unknown)} If one of them paid for this, it is paid twice. Go on?`);
}

/** @throws the error if nobody can be asked */
function assertAsks(error: BaseError, { interactive, yes }: Context): void {
  if (!interactive || yes) throw error;
}

function latest(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}
