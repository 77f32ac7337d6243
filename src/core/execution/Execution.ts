/**
 * The only loop that moves funds: sends a plan's transactions, together where it can, then follows the request until it
 * ends.
 *
 * Nothing is sent before its bytes are on disk, and nothing is signed twice for one step unless the first can no longer
 * happen. After a lost answer the service or the node is asked, and the same bytes are sent again.
 *
 * An approval and its payment are signed together, with following nonces. From then on the payment may happen, so no
 * failure of the approval ends the run: it ends once it is known what the payment did. Where calls that ferry does not
 * know pay, they are sent one by one, since whoever sees the approval could change them.
 */

import { keccak256 } from 'viem/utils';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Event, Of } from '../event/Event.js';
import * as Network from '../network/Network.js';
import type {
  Account,
  Chain,
  Clock,
  Counted,
  GasPrice,
  PaymentReader,
  Receipt,
  Service,
  Turn,
  Venue,
} from '../ports/Ports.js';
import * as LastLook from '../proof/LastLook.js';
import type * as Verification from '../proof/Verification.js';
import * as Quote from '../quote/Quote.js';
import * as ShellCommand from '../text/ShellCommand.js';
import { lowerFirst } from '../text/TerminalText.js';
import type { Entry, Head, JournalWriter } from '../tracking/Journal.js';
import * as Polling from '../tracking/Polling.js';
import * as StatusPolling from '../tracking/StatusPolling.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import * as Arrival from './Arrival.js';
import * as BalanceCheck from './BalanceCheck.js';
import * as GasBound from './GasBound.js';
import * as NonceRule from './NonceRule.js';
import type * as Plan from './Plan.js';
import * as TransactionSettlement from './TransactionSettlement.js';

/** The ports needed to execute a plan, and the account that signs. */
export type World = FollowingWorld & { account: Account };

/** The ports needed to finish a plan that is already signed; none of them can sign. */
export type FollowingWorld = {
  service: Service;
  /** The node of the origin chain. */
  origin: Chain;
  /** The node of the destination chain; undefined if none is configured, and the arrival is then not read there. */
  destination: Chain | undefined;
  /** Reads arrivals on a destination of another kind; undefined if there is none to ask. */
  receiver?: PaymentReader | undefined;
  /** The venue, if the origin or the destination is there. */
  venue?: Venue | undefined;
  /**
   * The turn for the account's nonces on the origin, held by the caller. It is released once the last transaction is
   * mined: the next run would misread allowances not yet spent and transactions not yet mined.
   */
  turn: Turn;
  /** Written to before each action. */
  journal: JournalWriter;
  /** The destination's head that an earlier process journaled; undefined if there is none. */
  head?: Head | undefined;
  counted: Counted;
  clock: Clock;
  signal: AbortSignal;
  warn(text: string): void;
};

/** Whether and how long the transfer is followed. */
export type Patience = {
  /** Whether to follow the request; if false, the run ends once the last transaction is mined and reported. */
  wait: boolean;
  /** Time limit for each transaction to be mined, and for the request to end, in milliseconds. */
  timeoutMs: number;
  /** Whether an end that only one witness shows is unknown. */
  needsWitness?: boolean | undefined;
  /** Whether each transaction is signed only once the one before is mined. */
  oneByOne?: boolean | undefined;
};

/** The result of a transfer. */
export type Outcome = {
  requestId: string;
  /** The status word of the service; `sent` if ferry did not wait. */
  status: string;
  progress: TransferStatus.Progress | undefined;
  transactions: readonly {
    action: Plan.Action['kind'] | 'transfer';
    txHash: string;
    gasUsed: bigint;
    gasCost: bigint;
  }[];
  /** Gas paid, in wei of the origin's native asset; for a withdrawal, the venue's fee in millionths of USDC. */
  gasCost: bigint;
  /** Base units of the input that left the sender. */
  spent: bigint;
  /** Base units that arrived, read from the destination chain; undefined if they could not be read. */
  received: bigint | undefined;
  /** Where that was; undefined likewise. */
  place?: Arrival.Place | undefined;
  /** The gas top-up that arrived, in wei; undefined if none was asked for or it could not be read. */
  topup?: bigint | undefined;
  /** Who shows how it ended; empty if ferry did not wait. One alone is the service. */
  witnesses: readonly string[];
  elapsedMs: number;
};

/** The transactions that earlier processes signed, by the index of the action in the plan. */
export type Begun = ReadonlyMap<number, TransactionSettlement.Begun>;

/**
 * Executes a plan. Everything is checked before the first signature; each transaction is signed once, and journaled
 * before it is sent. A transaction that an earlier process signed is sent again unchanged.
 *
 * @throws chain.* · submit.* · sign.failed · track.* · config.unwritable
 */
export async function* run(
  plan: Plan.Plan,
  world: World,
  patience: Patience,
  begun: Begun = new Map(),
): AsyncGenerator<Event, Outcome> {
  return yield* execute(plan, world, { patience, begun, signing: { account: world.account, ...plan } });
}

/**
 * Finishes a plan whose payment is signed: sends the signed transactions again and follows the request. Signs nothing.
 *
 * @throws chain.* · submit.* · track.* · config.unwritable
 */
export async function* finish(
  plan: Plan.Restored,
  world: FollowingWorld,
  patience: Patience,
  begun: Begun,
): AsyncGenerator<Event, Outcome> {
  return yield* execute(plan, world, { patience, begun, signing: undefined });
}

/** The parameters of an execution; without `signing` nothing can be signed. */
type Terms = {
  patience: Patience;
  begun: Begun;
  signing:
    | {
        account: Account;
        gas: GasBound.Terms;
        gasUsed: readonly bigint[] | undefined;
        watched: Verification.Watched | undefined;
      }
    | undefined;
};

async function* execute(
  plan: Plan.Restored,
  world: FollowingWorld,
  { patience, begun, signing }: Terms,
): AsyncGenerator<Event, Outcome> {
  const { origin, clock, journal } = world;
  const startedAt = clock.now();
  let checked: BalanceCheck.Solvent | undefined;
  if (begun.size === 0 && signing) checked = yield* check(plan, signing.gas, world);
  else BalanceCheck.assertChain(plan.intent.origin.chain, await origin.chainId());
  const steps = plan.actions.map((action, step): TransactionSettlement.Step => ({ plan, action, step }));

  // Everything that earlier processes signed is sent again before any of it is waited for.
  const again: Leaving[] = [];
  for (const of of steps) {
    const signed = begun.get(of.step);
    if (!signed) continue;
    yield { type: 'resent', ...transactionOf(of, signed), nonce: signed.nonce };
    const found = TransactionSettlement.resend(of, signed, world);
    again.push({ of, signed, sending: failureOf(found), found });
  }
  let settled = yield* settle(again, { transactions: [], paid: undefined }, world, patience);

  // Steps before a signed one were done or skipped by the earlier process.
  const latest = Math.max(-1, ...begun.keys());
  const rest = steps.filter(({ step }) => step > latest);
  let { head } = world;
  if (rest.length > 1 && signing && !patience.oneByOne) checked ??= yield* check(plan, signing.gas, world);
  const pair = checked && signing && !patience.oneByOne && (yield* signTogether(rest, checked, signing, world));
  if (pair) {
    head = pair.head ?? head;
    settled = yield* settle(pair.out.map(leaving), settled, world, patience);
  }
  let nonce: number | undefined;
  // wei
  let gasSigned = 0n;
  for (const of of pair ? [] : rest) {
    const { action, step } = of;
    if (await isCovered(action, origin)) {
      yield skipped(of);
      continue;
    }
    world.signal.throwIfAborted();
    if (!signing) throw unsignedStep(plan);
    const { account, gas, watched } = signing;
    checked ??= yield* check(plan, gas, world);
    nonce ??= await origin.nonce(account.address);
    const place = { turn: world.turn, owner: account.address, chain: action.chain.name };
    NonceRule.assertNext(place, BigInt(nonce));
    const isPayment = step === plan.actions.length - 1;
    const [fees, noted] = await Promise.all([
      feesOf(of, checked, { gas, gasSigned }, origin),
      isPayment ? Arrival.noteHead(plan, world) : undefined,
    ]);
    head = noted ?? head;
    const as = { ...fees, gas: [fees.gas], nonce };
    const look = async (): Promise<void> => {
      if (!watched || !isPayment) return;
      await LastLook.assertSame(watched, action, as, { node: origin, requestId: plan.requestId });
    };
    await look();
    const lookedAt = clock.now();
    gasSigned += fees.gas * fees.maxFeePerGas;
    const signed = await sign(action, { ...fees, nonce }, account);
    // A device may wait for its owner, and a contract for that.
    if (clock.now() - lookedAt > promptMs) await look();
    world.turn.use(BigInt(nonce) + 1n);
    await journal.append(signedEntry(of, signed), world.turn);
    yield { type: 'signed', ...transactionOf(of, signed), nonce };
    settled = yield* settle([leaving({ of, signed })], settled, world, patience);
    nonce += 1;
  }
  world.turn.release();

  const { transactions, paid } = settled;
  const gasCost = transactions.reduce((sum, each) => sum + each.gasCost, 0n);
  return yield* followed(plan, { transactions, gasCost, paid, startedAt }, { ...world, head }, patience);

  function leaving({ of, signed }: TransactionSettlement.Out): Leaving {
    const { bytes, txHash } = TransactionSettlement.latest(signed);
    const sending = origin.broadcast(bytes).then(() => journal.append({ type: 'broadcast', step: of.step, txHash }));
    return { of, signed, sending: failureOf(sending) };
  }
}

/** A signature that takes longer is not prompt: what was simulated before it may have changed. */
const promptMs = 1_000;

/**
 * Signs all transactions that are left, with nonces that follow each other, after one simulation of all of them as they
 * will be sent. All are journaled before the first leaves.
 *
 * @returns undefined if they are to be sent one by one: the account has code, for which nodes keep a single pending
 * transaction; the node does not show that all of them succeed; or the payment calls what ferry does not know, which is
 * looked at again after whatever the sight of the approval has set off
 * @throws submit.simulation · verify.cap · chain.* · sign.failed · config.unwritable
 */
async function* signTogether(
  rest: readonly TransactionSettlement.Step[],
  { gasPrice, baseFeePerGas }: BalanceCheck.Solvent,
  { account, gas: terms, gasUsed, watched }: NonNullable<Terms['signing']>,
  world: FollowingWorld,
): AsyncGenerator<Event, { out: readonly TransactionSettlement.Out[]; head: Head | undefined } | undefined> {
  const { origin, journal } = world;
  const [first] = rest;
  if (!first || rest.length < 2 || !gasUsed || watched) return undefined;
  const { plan } = first;
  const [code, nonce, ...covered] = await Promise.all([
    origin.code(account.address),
    origin.nonce(account.address),
    ...rest.map(({ action }) => isCovered(action, origin)),
  ]);
  // An approval that comes before changes what the allowance is by then.
  const firstNeeded = covered.indexOf(false);
  const needed = rest.slice(firstNeeded);
  if (code !== '0x' || needed.length < 2) return undefined;

  const stated = Quote.transactions(plan.quote);
  const most = needed.map(({ step }) => GasBound.mostEstimated(stated[step] ?? { gas: undefined, call: undefined }));
  const limits = needed.map(({ step }, index) =>
    GasBound.limit(GasBound.needed(gasUsed[step] ?? 0n), most[index] ?? 0n, terms),
  );
  const gas = limits.reduce((sum, limit) => sum + limit, 0n);
  const fees = GasBound.fitted(gasPrice, { baseFeePerGas, gas, later: 0n, used: 0n }, terms);
  GasBound.assertWithin(GasBound.bill(gas, fees, terms), terms);
  const calls = needed.map(({ action }) => action);
  const as = { ...fees, gas: limits, nonce };
  const place = { node: origin, requestId: plan.requestId };
  const [isShown, head] = await Promise.all([
    LastLook.isSuccessful(calls, as, most, place),
    Arrival.noteHead(plan, world),
  ]);
  if (!isShown) return undefined;

  world.signal.throwIfAborted();
  for (const of of rest.slice(0, firstNeeded)) yield skipped(of);
  const { name: chain } = first.action.chain;
  NonceRule.assertNext({ turn: world.turn, owner: account.address, chain }, BigInt(nonce));
  const out: TransactionSettlement.Out[] = [];
  for (const [index, of] of needed.entries()) {
    const limited = { ...fees, gas: limits[index] ?? 0n, nonce: nonce + index };
    out.push({ of, signed: await sign(of.action, limited, account) });
  }
  world.turn.use(BigInt(nonce + out.length));
  for (const { of, signed } of out) await journal.append(signedEntry(of, signed), world.turn);
  for (const { of, signed } of out) yield { type: 'signed', ...transactionOf(of, signed), nonce: signed.nonce };
  return { out, head };
}

/**
 * A signed transaction on its way. `sending` resolves to what went wrong; undefined if nothing did. `found` is the receipt
 * that one of an earlier process may have.
 */
type Leaving = TransactionSettlement.Out & { sending: Promise<unknown>; found?: Promise<Receipt | undefined> };

/** What is mined so far. */
type Settled = { transactions: Outcome['transactions']; paid: Paid | undefined };

/**
 * Waits until the transactions are mined, which have nonces that follow each other. A later one that the node did not take
 * is sent again once those before it are mined. After one that failed the later ones are waited for as well: whether
 * they paid is known only then.
 *
 * @throws submit.* · track.unfinished · chain.*
 */
async function* settle(
  out: readonly Leaving[],
  before: Settled,
  world: FollowingWorld,
  patience: Patience,
): AsyncGenerator<Event, Settled> {
  const { journal } = world;
  const transactions = [...before.transactions];
  let { paid } = before;
  let failed: BaseError | undefined;
  const told = new Set<Leaving>();
  const announced = new Map<Leaving, Promise<void>>();
  // The service is told while the receipts are awaited.
  const report = (each: Leaving): void => {
    const { of, signed } = each;
    const telling = announced.get(each) ?? announce(of, TransactionSettlement.latest(signed).txHash, world);
    announced.set(each, telling);
  };
  const announcing: Promise<void>[] = [];
  const tell = (each: Leaving): Of<'sent'> => {
    told.add(each);
    report(each);
    return { type: 'sent', ...transactionOf(each.of, each.signed) };
  };
  const status = patience.wait ? statusBeside(world) : undefined;
  const waiting = new Map<Leaving, ReturnType<typeof TransactionSettlement.mined>>();
  const besides = ({ of }: Leaving): (() => void) | undefined => {
    const isPayment = of.step === of.plan.actions.length - 1;
    return isPayment && status ? () => status.look(of.plan.requestId) : undefined;
  };
  // The receipts of all that the node took are awaited together.
  const wait = (each: Leaving): ReturnType<typeof TransactionSettlement.mined> => {
    const { of, signed, found } = each;
    const later = out[out.indexOf(each) + 1];
    const look = async () =>
      TransactionSettlement.mined(of, signed, world, patience.timeoutMs, {
        later,
        beside: besides(each),
        found: await found?.catch(() => undefined),
      });
    const mined = waiting.get(each) ?? look();
    mined.catch(() => {});
    waiting.set(each, mined);
    return mined;
  };
  // Of what an earlier process has sent, the service is told and asked while its receipt is looked for.
  for (const each of out) {
    if (!each.found || !each.signed.broadcast) continue;
    report(each);
    besides(each)?.();
  }
  try {
    for (const [index, each] of out.entries()) {
      const { of, signed, sending } = each;
      const { action, step } = of;
      const later = out[index + 1];
      try {
        const refusal = await sending;
        // Once a later one is mined, the nonce of this one is used, whatever the node says of it.
        const isPast =
          refusal !== undefined && later !== undefined && (await TransactionSettlement.isMined(later, world));
        // Of one that can never be mined nothing is left to be waited for, and its end is in the journal already.
        if (TransactionSettlement.isVoid(refusal) || (refusal !== undefined && !isPast && index === 0))
          throw await refusedOf(refusal, out, world);
        if (refusal !== undefined && !isPast) await TransactionSettlement.resend(of, signed, world);
        if (!told.has(each)) yield tell(each);
        const mined = wait(each);
        for (const other of out.slice(index + 1)) {
          if (told.has(other) || (await other.sending) !== undefined) continue;
          yield tell(other);
          void wait(other);
        }
        let receipt = await mined;
        if (receipt?.status === 'reverted')
          receipt = await TransactionSettlement.final(of, receipt, signed, world, patience);
        paid = { of, signed, receipt, status: status?.last() };
        if (!receipt) {
          const what = `The transaction to ${lowerFirst(action.summary)}`;
          world.warn(
            later
              ? `${what} has no receipt at the node, but it or a later one took effect.`
              : `${what} took effect, but the node has no receipt.`,
          );
          continue;
        }
        const { hash: txHash, blockNumber, gasUsed, effectiveGasPrice } = receipt;
        if (txHash !== TransactionSettlement.latest(signed).txHash) {
          world.warn(`A different transaction with the same nonce was mined and did the same: ${txHash}.`);
          announcing.push(announce(of, txHash, world));
        }
        const isDone = receipt.status === 'success' || (await TransactionSettlement.hasWorked(of, receipt, world));
        await journal.append({
          type: 'receipt',
          step,
          txHash,
          status: isDone ? 'success' : 'reverted',
          blockNumber: String(blockNumber),
          gasUsed: String(gasUsed),
          effectiveGasPrice: String(effectiveGasPrice),
        });
        transactions.push({ action: action.kind, txHash, gasUsed, gasCost: gasUsed * effectiveGasPrice });
        yield { type: 'mined', ...transactionOf(of, signed, { txHash }), blockNumber, gasUsed };
        if (!isDone) throw new RevertedError([of], receipt, transactions);
        if (receipt.status !== 'success')
          world.warn(`The node reports that ${txHash} reverted, but the transaction took effect.`);
        if (failed && !later) world.warn(`${failed.message} What came after it took effect all the same.`);
      } catch (error) {
        if (later && isOwnEnd(error)) failed ??= error;
        else if (failed instanceof RevertedError && error instanceof RevertedError)
          throw new RevertedError([...failed.steps, of], failed.receipt, transactions);
        else throw error;
      }
    }
  } finally {
    await Promise.all([...out.map(({ sending }) => sending), ...announced.values(), ...announcing]);
  }
  return { transactions, paid };
}

/** Whether an error tells the end of one transaction alone: what the later ones did is known only once they were looked at. */
function isOwnEnd(error: unknown): error is BaseError {
  return (
    error instanceof RevertedError ||
    error instanceof TransactionSettlement.UnfinalError ||
    TransactionSettlement.isVoid(error)
  );
}

/**
 * What went wrong with the first of some transactions. Where a later one that pays may have left, the funds are not
 * untouched, whatever the node says of the first.
 */
async function refusedOf(refusal: unknown, out: readonly Leaving[], { signal }: FollowingWorld): Promise<unknown> {
  const [first, ...more] = out;
  const payment = more.findLast(({ of }) => of.step === of.plan.actions.length - 1);
  if (!first || !payment || TransactionSettlement.isVoid(refusal)) return refusal;
  const answers = await Promise.all(more.map(({ sending }) => sending));
  const hasStayed = (error: unknown): boolean =>
    (signal.aborted && error === signal.reason) || (error instanceof BaseError && error.code === 'chain.unreachable');
  const isUnsure = refusal instanceof BaseError && refusal.funds === 'untouched' && !answers.every(hasStayed);
  return isUnsure
    ? new BaseError(
        'submit.unknown',
        `The transaction to ${lowerFirst(first.of.action.summary)} could not be sent, and the payment that was signed with it may have been.`,
        {
          facts: [['stopped by', refusal.message], ...refusal.facts],
          hint: 'Do not pay again. ferry resume sends the same bytes again, which cannot pay twice; ferry runs cancel makes them void.',
          requestId: first.of.plan.requestId,
          txHash: TransactionSettlement.latest(payment.signed).txHash,
          cause: refusal,
        },
      )
    : refusal;
}

/** What a promise fails with; undefined if it does not. */
function failureOf(sending: Promise<unknown>): Promise<unknown> {
  return sending.then(
    () => undefined,
    (error: unknown) => error ?? new Error('failed'),
  );
}

function transactionOf(
  { action: { kind, summary, chain } }: TransactionSettlement.Step,
  signed: TransactionSettlement.Begun,
  { txHash }: { txHash: Hex } = TransactionSettlement.latest(signed),
): Omit<Of<'sent'>, 'type'> {
  return { action: kind, summary, txHash, url: Network.transactionUrl(chain, txHash) };
}

function signedEntry({ step, action }: TransactionSettlement.Step, signed: TransactionSettlement.Begun): Entry {
  const { bytes, txHash } = TransactionSettlement.latest(signed);
  return { type: 'signed', step, action: action.kind, bytes, txHash, nonce: signed.nonce };
}

function skipped({ action: { kind, summary } }: TransactionSettlement.Step): Of<'skipped'> {
  return { type: 'skipped', action: kind, summary, why: 'the current allowance is sufficient' };
}

/** The transaction that paid, and the service's answer that was asked for with its receipt. */
type Paid = {
  of: TransactionSettlement.Step;
  signed: TransactionSettlement.Begun;
  receipt: Receipt | undefined;
  status?: ReturnType<Service['status']> | undefined;
};

/** How often the service is asked while a receipt is awaited. */
const statusIntervalMs = 1_000;

/** Asks the service for the status together with the receipt, from time to time. `last` is what the last look asked. */
function statusBeside({ service, clock }: Pick<FollowingWorld, 'service' | 'clock'>) {
  let askedAt = Number.NEGATIVE_INFINITY;
  let asked: Paid['status'];
  return {
    look(requestId: string): void {
      const isDue = clock.now() - askedAt >= statusIntervalMs;
      if (isDue) askedAt = clock.now();
      asked = isDue ? service.status(requestId) : undefined;
      asked?.catch(() => {});
    },
    last: () => asked,
  };
}

/** What was signed and may still act, whatever the service says of it. */
export type Open = {
  /** Whether the chain shows that it has acted. @throws submit.expired once it shows that it no longer can */
  hasActed(): Promise<boolean>;
  /** The error while it may act. */
  unknown(): BaseError;
};

/** A payment whose receipt no node has shown, although the service says that it has it. */
function openOf(paid: Paid | undefined, { origin }: { origin: Chain | undefined }): Open | undefined {
  if (!paid || paid.receipt || !origin) return undefined;
  const { of, signed } = paid;
  return {
    hasActed: async () => (await origin.minedNonce(of.action.from)) > signed.nonce,
    unknown: () => new TransactionSettlement.LostError(of, TransactionSettlement.latest(signed).txHash, undefined),
  };
}

/**
 * Follows a request until it ends, and reads the amount that arrived.
 *
 * @throws track.*
 */
export async function* followed(
  plan: Plan.Restored,
  sent: Pick<Outcome, 'transactions' | 'gasCost'> & {
    paid?: Paid | undefined;
    /** What was signed for the service to submit. */
    open?: Open | undefined;
    /** An answer of the service that was asked for just now. */
    asked?: ReturnType<Service['status']> | undefined;
    startedAt: number;
  },
  world: Omit<FollowingWorld, 'origin' | 'turn'> & { origin: Chain | undefined },
  patience: Patience,
): AsyncGenerator<Event, Outcome> {
  const { transactions, gasCost, paid, open, asked = paid?.status, startedAt } = sent;
  const { requestId, quote, deposited } = plan;
  const outcome = { requestId, transactions, gasCost, spent: deposited ?? quote.input };
  const elapsed = (): number => world.clock.now() - startedAt;
  if (!patience.wait) {
    const unseen = { progress: undefined, received: undefined, witnesses: [] };
    return { ...outcome, ...unseen, status: 'sent', elapsedMs: elapsed() };
  }
  const { progress, received, place, witnesses } = yield* awaitEnd(
    plan,
    { paid, open: open ?? openOf(paid, world), asked },
    world,
    patience,
  );
  const ended: Outcome = {
    ...outcome,
    status: progress.status,
    progress,
    received,
    place,
    witnesses,
    elapsedMs: elapsed(),
  };
  if (TransferStatus.codeOf(progress)) throw new EndedBadlyError(ended, plan);
  return { ...ended, ...(await toppedUp(plan, progress, world)) };
}

/** Looks for the gas top-up of a delivery, and warns if less has arrived than was stated. */
async function toppedUp(
  plan: Plan.Restored,
  progress: TransferStatus.Progress,
  world: Pick<FollowingWorld, 'destination' | 'warn'>,
): Promise<Pick<Outcome, 'topup'>> {
  const { intent, quote } = plan;
  const stated = Quote.gasTopup(quote)?.amount;
  if (intent.gasTopupUsd === undefined || stated === undefined || TransferStatus.fundsOf(progress) !== 'delivered')
    return {};
  const { chain } = intent.destination;
  const topup = await Arrival.topup(plan, progress, world);
  const inWords = (wei: bigint): string => `${Amount.format(wei, chain.native.decimals)} ${chain.native.symbol}`;
  if (topup === undefined)
    world.warn(`The gas top-up of ${inWords(stated)} was not read from the chain: it is the service's word.`);
  else if (topup < stated)
    world.warn(`A gas top-up of ${inWords(stated)} was promised, and ${chain.name} shows ${inWords(topup)}.`);
  return { topup };
}

type Ended = Pick<Outcome, 'received' | 'place' | 'witnesses'> & { progress: TransferStatus.Progress };

/** How long a node that has never answered is asked for an arrival. */
const silenceMs = 5_000;

/**
 * Polls the status until it is final, and then, for a delivery or a refund, until the chain shows it. If there is no node
 * to ask, or it never answers, the service's word is left. A failure or a refund is no end while what was signed can still
 * act: it would be paid beside the next attempt.
 *
 * @throws track.* · submit.unknown · submit.expired
 */
async function* awaitEnd(
  plan: Plan.Restored,
  { paid, open, asked: first }: { paid: Paid | undefined; open: Open | undefined; asked: Paid['status'] },
  world: Omit<FollowingWorld, 'origin' | 'turn'> & { origin: Chain | undefined },
  { timeoutMs, needsWitness = false }: Patience,
): AsyncGenerator<Event, Ended> {
  const { origin, head, clock } = world;
  const txHash = paid && (paid.receipt?.hash ?? TransactionSettlement.latest(paid.signed).txHash);
  const whileWaiting =
    paid && origin && (() => TransactionSettlement.guard(paid.of, paid.signed, { ...world, origin }));
  const deadline = clock.now() + timeoutMs;
  let since: TransferStatus.Progress | undefined;
  let hasAnswered = false;
  let silentSince: number | undefined;
  let asked = first;
  for (let attempt = 0; ; attempt++) {
    const limits = { timeoutMs: Math.max(0, deadline - clock.now()), txHash, whileWaiting, asked, since };
    asked = undefined;
    const progress = yield* StatusPolling.run(plan.requestId, world, limits);
    if (open && TransferStatus.codeOf(progress) && !(await hasActed(open))) {
      if (clock.now() >= deadline) throw open.unknown();
      await Polling.pause(Polling.delayMs(attempt), world, open.unknown);
      since = progress;
      continue;
    }
    if (!isWitnessed(progress)) return { progress, received: undefined, witnesses: Arrival.serviceAlone };
    const verdict = await Arrival.look(plan, progress, world, { head, deposit: paid });
    if (verdict.kind === 'shown') {
      const { amount: received, place, witnesses } = verdict;
      return { progress, received, place, witnesses };
    }
    const now = clock.now();
    hasAnswered ||= verdict.kind === 'absent' || verdict.kind === 'contradicted';
    silentSince ??= now;
    const isSilent = verdict.kind === 'silent' && (now - silentSince >= silenceMs || now >= deadline);
    if (!hasAnswered && (isSilent || verdict.kind === 'nobody')) {
      if (needsWitness) throw new Arrival.UnwitnessedError(plan, progress, verdict);
      return { progress, received: undefined, witnesses: Arrival.serviceAlone };
    }
    const unshown = (): BaseError => new Arrival.UnwitnessedError(plan, progress, verdict);
    if (now >= deadline) throw unshown();
    await Polling.pause(Polling.delayMs(attempt), world, unshown);
    since = progress;
  }
}

/** A node that does not answer does not show it. @throws submit.expired */
export async function hasActed(open: Open): Promise<boolean> {
  try {
    return await open.hasActed();
  } catch (error) {
    if (error instanceof BaseError && error.code.startsWith('chain.')) return false;
    throw error;
  }
}

/** Whether the status claims that money has arrived somewhere. */
function isWitnessed(progress: TransferStatus.Progress): boolean {
  return ['delivered', 'returned'].includes(TransferStatus.fundsOf(progress));
}

async function* check(
  plan: Plan.Restored,
  gas: GasBound.Terms,
  { origin, warn }: Pick<FollowingWorld, 'origin' | 'warn'>,
): AsyncGenerator<Event, BalanceCheck.Solvent> {
  const solvent = await BalanceCheck.assert(plan.quote, origin, gas);
  const { chainId, balance, gasBalance, note } = solvent;
  if (note !== undefined) warn(note);
  yield { type: 'checked', chainId, balance, gasBalance };
  return solvent;
}

/**
 * The gas limit and the fees of a step, such that it and the later ones stay within the bounds.
 *
 * @throws verify.cap · chain.* · submit.simulation
 */
async function feesOf(
  { plan, action, step }: TransactionSettlement.Step,
  { gasPrice, baseFeePerGas }: BalanceCheck.Solvent,
  { gas: terms, gasSigned: used }: { gas: GasBound.Terms; gasSigned: bigint },
  origin: Chain,
): Promise<GasPrice & { gas: bigint }> {
  const [own, ...more] = Quote.transactions(plan.quote).slice(step);
  const most = own ? GasBound.mostEstimated(own) : 0n;
  const gas = GasBound.limit(await origin.estimateGas(action), most, terms);
  const later = more.reduce((sum, each) => sum + GasBound.withMargin(GasBound.expected(each)), 0n);
  const fees = GasBound.fitted(gasPrice, { baseFeePerGas, gas, later, used }, terms);
  GasBound.assertWithin(GasBound.bill(gas + later, fees, terms, used), terms);
  return { ...fees, gas };
}

async function sign(
  { chain, to, data, value }: Plan.Action,
  fees: GasPrice & { gas: bigint; nonce: number },
  account: Account,
): Promise<TransactionSettlement.Begun> {
  const { nonce } = fees;
  const bytes = await account.signTransaction({ ...fees, chainId: chain.id, to, data, value });
  return { nonce, attempts: [{ purpose: 'send', bytes, txHash: keccak256(bytes) }] };
}

/** Whether the action is an approval that the current allowance already covers. */
async function isCovered({ approval, from, to }: Plan.Action, origin: Chain): Promise<boolean> {
  if (!approval) return false;
  const allowance = await origin.allowance(to, from, approval.spender);
  return approval.amount === 0n ? allowance === 0n : allowance >= approval.amount;
}

/**
 * Reports a payment to the service, for a faster fill. The service also finds it itself, so a failure only warns.
 */
async function announce(
  { plan, action }: TransactionSettlement.Step,
  txHash: Hex,
  { service, warn }: FollowingWorld,
): Promise<void> {
  if (action.kind === 'approve') return;
  const known = { requestId: plan.requestId, chainId: String(action.chain.id) };
  try {
    if (action.kind === 'deposit' || action.kind === 'swap') await service.indexTransaction({ ...known, txHash });
    else {
      const { from, to, data, value } = action;
      const tx = JSON.stringify({ from, to, data, value: value.toString(), chainId: action.chain.id, txHash });
      await service.indexSingle({ ...known, tx });
    }
  } catch (error) {
    warn(
      `The transaction could not be reported to the service (${error instanceof Error ? error.message : String(error)}), which will find it on the chain.`,
    );
  }
}

/** An unsigned step comes before a signed one, so the journal does not belong to the plan. */
function unsignedStep({ requestId }: Plan.Restored): BaseError {
  return new BaseError('sign.failed', 'A step of the plan is not signed, and finishing a run signs nothing.', {
    requestId,
  });
}

/** Transactions of the plan were mined and reverted: the first one, and what needed it. */
export class RevertedError extends BaseError {
  override name = 'RevertedError';
  readonly steps: readonly TransactionSettlement.Step[];
  readonly receipt: Receipt;
  constructor(steps: readonly TransactionSettlement.Step[], receipt: Receipt, transactions: Settled['transactions']) {
    const [first, ...more] = steps as [TransactionSettlement.Step, ...TransactionSettlement.Step[]];
    const { plan } = first;
    const named = ({ action }: TransactionSettlement.Step): string => lowerFirst(action.summary);
    const along = more.map((each) => `, and so the one to ${named(each)} did too`).join('');
    const { hash: txHash, witnesses } = receipt;
    const doubt = witnesses.length > 1 ? '' : ", by one node's word";
    const { native } = plan.intent.origin.chain;
    const lost = transactions.reduce((sum, { gasCost }) => sum + gasCost, 0n);
    super('submit.reverted', `The transaction to ${named(first)} reverted${along}${doubt}: only gas was spent.`, {
      facts: [
        ['shown by', witnesses.join(', ')],
        ['gas lost', `${Amount.format(lost, native.decimals)} ${native.symbol}`],
      ],
      hint: 'ferry trace shows why. You can start the transfer again, with a new quote.',
      requestId: plan.requestId,
      txHash,
    });
    this.steps = steps;
    this.receipt = receipt;
  }
}

/** The transfer was refunded or failed. Carries the whole outcome. */
export class EndedBadlyError extends BaseError {
  override name = 'EndedBadlyError';
  readonly outcome: Outcome;
  constructor(outcome: Outcome, plan: Plan.Restored) {
    const refunded = outcome.progress !== undefined && TransferStatus.codeOf(outcome.progress) === 'track.refunded';
    const { progress, received, place } = outcome;
    const { chain, to } = place ?? { chain: plan.intent.origin.chain, to: plan.intent.refundTo };
    super(
      refunded ? 'track.refunded' : 'track.failed',
      refunded
        ? `The transfer was refunded on ${chain.name}${outcome.witnesses.length > 1 ? '' : ", by the service's word"}.`
        : 'The transfer failed at the service.',
      {
        facts: [
          ...(refunded
            ? ([
                [
                  'returned',
                  received === undefined || !place
                    ? 'not read from the chain'
                    : `${Amount.format(received, place.decimals)} ${place.symbol}`,
                ],
                ['to', to],
                ['shown by', outcome.witnesses.join(', ')],
              ] as const)
            : []),
          ...(progress?.failReason ? ([['reason', progress.failReason]] as const) : []),
          ...(progress?.refundFailReason ? ([['no refund because', progress.refundFailReason]] as const) : []),
          ...(progress?.outTxHashes[0] ? ([['refund transaction', progress.outTxHashes[0]]] as const) : []),
        ],
        hint: refunded ? undefined : 'A failed transfer may still be refunded: check again later.',
        next: refunded ? undefined : ShellCommand.line`ferry status ${outcome.requestId} --watch`,
        requestId: outcome.requestId,
        txHash: outcome.transactions.at(-1)?.txHash,
      },
    );
    this.outcome = outcome;
  }
}
