/** The only loop that moves funds: sends a plan's transactions one by one, then follows the request until it ends. */

import { keccak256 } from 'viem/utils';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Event, Of } from '../event/Event.js';
import * as Network from '../network/Network.js';
import type { Account, Chain, Clock, Counted, GasPrice, Receipt, Service, Turn, Venue } from '../ports/Ports.js';
import * as LastLook from '../proof/LastLook.js';
import type * as Verification from '../proof/Verification.js';
import * as Quote from '../quote/Quote.js';
import type { Head, JournalWriter } from '../tracking/Journal.js';
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
  signing: { account: Account; gas: GasBound.Terms; watched: Verification.Watched | undefined } | undefined;
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
  const transactions: { action: Plan.Action['kind']; txHash: Hex; gasUsed: bigint; gasCost: bigint }[] = [];
  let paid: Paid | undefined;
  let head = world.head;
  let nonce: number | undefined;
  // wei
  let gasSigned = 0n;

  for (const [step, action] of plan.actions.entries()) {
    const before = begun.get(step);
    // Steps before a signed one were done or skipped by the earlier process.
    if (!before && [...begun.keys()].some((later) => later > step)) continue;
    if (!before && (await isCovered(action, origin))) {
      yield {
        type: 'skipped',
        action: action.kind,
        summary: action.summary,
        why: 'the current allowance is sufficient',
      };
      continue;
    }
    const of = { plan, action, step };
    const transaction = (txHash: Hex): Omit<Of<'sent'>, 'type'> => {
      const { kind, summary, chain } = action;
      return { action: kind, summary, txHash, url: Network.transactionUrl(chain, txHash) };
    };
    let signed = before;
    if (signed) {
      yield { type: 'resent', ...transaction(TransactionSettlement.latest(signed).txHash), nonce: signed.nonce };
      await TransactionSettlement.resend(of, signed, world);
    } else {
      world.signal.throwIfAborted();
      if (!signing) throw new UnsignedStepError(plan);
      const { account, gas, watched } = signing;
      checked ??= yield* check(plan, gas, world);
      nonce ??= await origin.nonce(account.address);
      const place = { turn: world.turn, owner: account.address, chain: action.chain.name };
      NonceRule.use(place, BigInt(nonce));
      const isPayment = step === plan.actions.length - 1;
      const [fees, noted] = await Promise.all([
        feesOf(of, checked, { gas, gasSigned }, origin),
        isPayment ? Arrival.noteHead(plan, world) : undefined,
      ]);
      head = noted ?? head;
      if (watched && isPayment)
        await LastLook.assertSame(watched, action, { ...fees, nonce }, { node: origin, requestId: plan.requestId });
      gasSigned += fees.gas * fees.maxFeePerGas;
      signed = await sign(action, { ...fees, nonce }, account);
      const { txHash, bytes } = TransactionSettlement.latest(signed);
      await journal.append({ type: 'signed', step, action: action.kind, bytes, txHash, nonce });
      yield { type: 'signed', ...transaction(txHash), nonce };
      await origin.broadcast(bytes);
      await journal.append({ type: 'broadcast', step, txHash });
      nonce += 1;
    }
    const sent = TransactionSettlement.latest(signed).txHash;
    yield { type: 'sent', ...transaction(sent) };
    // The service is told while the receipt is awaited.
    const announcing = action.kind === 'approve' ? undefined : announce(plan, action, sent, world);
    const status = step === plan.actions.length - 1 && patience.wait ? statusBeside(plan, world) : undefined;
    let receipt = await TransactionSettlement.mined(of, signed, world, patience.timeoutMs, status?.look).catch(
      async (error: unknown) => {
        await announcing;
        throw error;
      },
    );
    if (receipt?.status === 'reverted')
      receipt = await TransactionSettlement.final(of, receipt, signed, world, patience);
    paid = { of, signed, receipt, status: status?.last() };
    if (!receipt) {
      world.warn(
        `The transaction to ${TransactionSettlement.lowerFirst(action.summary)} took effect, but the node has no receipt.`,
      );
      await announcing;
      continue;
    }
    const { hash: txHash, blockNumber, gasUsed, effectiveGasPrice } = receipt;
    if (txHash !== sent) {
      world.warn(`A different transaction with the same nonce was mined and did the same: ${txHash}.`);
      if (action.kind !== 'approve') await announce(plan, action, txHash, world);
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
    yield { type: 'mined', ...transaction(txHash), blockNumber, gasUsed };
    await announcing;
    if (!isDone) throw new RevertedError(action, receipt, plan);
    if (receipt.status !== 'success')
      world.warn(`The node reports that ${txHash} reverted, but the transaction took effect.`);
  }
  world.turn.release();

  const gasCost = transactions.reduce((sum, each) => sum + each.gasCost, 0n);
  return yield* followed(plan, { transactions, gasCost, paid, startedAt }, { ...world, head }, patience);
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
function statusBeside({ requestId }: Plan.Restored, { service, clock }: Pick<FollowingWorld, 'service' | 'clock'>) {
  let askedAt = Number.NEGATIVE_INFINITY;
  let asked: Paid['status'];
  return {
    look(): void {
      const isDue = clock.now() - askedAt >= statusIntervalMs;
      if (isDue) askedAt = clock.now();
      asked = isDue ? service.status(requestId) : undefined;
      asked?.catch(() => {});
    },
    last: () => asked,
  };
}

/**
 * Follows a request until it ends, and reads the amount that arrived.
 *
 * @throws track.*
 */
export async function* followed(
  plan: Plan.Restored,
  sent: Pick<Outcome, 'transactions' | 'gasCost'> & { paid?: Paid | undefined; startedAt: number },
  world: Omit<FollowingWorld, 'origin' | 'turn'> & { origin: Chain | undefined },
  patience: Patience,
): AsyncGenerator<Event, Outcome> {
  const { transactions, gasCost, paid, startedAt } = sent;
  const { requestId, quote } = plan;
  const outcome = { requestId, transactions, gasCost, spent: quote.input };
  const elapsed = (): number => world.clock.now() - startedAt;
  if (!patience.wait) {
    const unseen = { progress: undefined, received: undefined, witnesses: [] };
    return { ...outcome, ...unseen, status: 'sent', elapsedMs: elapsed() };
  }
  const { progress, received, witnesses } = yield* awaitEnd(plan, paid, world, patience);
  const ended: Outcome = {
    ...outcome,
    status: progress.status,
    progress,
    received,
    witnesses,
    elapsedMs: elapsed(),
  };
  if (TransferStatus.codeOf(progress)) throw new EndedBadlyError(ended, plan);
  return ended;
}

type Ended = Pick<Outcome, 'received' | 'witnesses'> & { progress: TransferStatus.Progress };

/** How long a node that has never answered is asked for an arrival. */
const silenceMs = 5_000;

/**
 * Polls the status until it is final, and then, for a delivery or a refund, until the chain shows it. If there is no node
 * to ask, or it never answers, the service's word is left.
 *
 * @throws track.*
 */
async function* awaitEnd(
  plan: Plan.Restored,
  paid: Paid | undefined,
  world: Omit<FollowingWorld, 'origin' | 'turn'> & { origin: Chain | undefined },
  { timeoutMs, needsWitness = false }: Patience,
): AsyncGenerator<Event, Ended> {
  const { origin, head, clock, signal } = world;
  const txHash = paid && (paid.receipt?.hash ?? TransactionSettlement.latest(paid.signed).txHash);
  const whileWaiting =
    paid && origin && (() => TransactionSettlement.guard(paid.of, paid.signed, { ...world, origin }));
  const deadline = clock.now() + timeoutMs;
  let since: TransferStatus.Progress | undefined;
  let hasAnswered = false;
  let silentSince: number | undefined;
  let asked = paid?.status;
  for (let attempt = 0; ; attempt++) {
    const limits = { timeoutMs: Math.max(0, deadline - clock.now()), txHash, whileWaiting, asked, since };
    asked = undefined;
    const progress = yield* StatusPolling.run(plan.requestId, world, limits);
    if (!isWitnessed(progress)) return { progress, received: undefined, witnesses: Arrival.serviceAlone };
    const verdict = await Arrival.look(plan, progress, world, { head, deposit: paid });
    if (verdict.kind === 'shown') return { progress, received: verdict.amount, witnesses: verdict.witnesses };
    const now = clock.now();
    hasAnswered ||= verdict.kind === 'absent';
    silentSince ??= now;
    const isSilent = verdict.kind === 'silent' && (now - silentSince >= silenceMs || now >= deadline);
    if (!hasAnswered && (isSilent || verdict.kind === 'nobody')) {
      if (needsWitness) throw new Arrival.UnwitnessedError(plan, progress, verdict);
      return { progress, received: undefined, witnesses: Arrival.serviceAlone };
    }
    const unshown = (): BaseError => new Arrival.UnwitnessedError(plan, progress, verdict);
    if (now >= deadline) throw unshown();
    await StatusPolling.interruptible(clock.sleep(TransferStatus.pollDelayMs(attempt), signal), unshown);
    since = progress;
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
 * Reports a transaction to the service, for a faster fill. The service also finds it itself, so a failure only warns.
 */
async function announce(
  plan: Plan.Restored,
  action: Plan.Action,
  txHash: Hex,
  { service, warn }: FollowingWorld,
): Promise<void> {
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
export class UnsignedStepError extends BaseError {
  override name = 'UnsignedStepError';
  constructor({ requestId }: Plan.Restored) {
    super('sign.failed', 'A step of the plan is not signed, and finishing a run signs nothing.', { requestId });
  }
}

/** A transaction of the plan was mined and reverted. */
export class RevertedError extends BaseError {
  override name = 'RevertedError';
  constructor(action: Plan.Action, { hash: txHash, witnesses }: Receipt, plan: Plan.Restored) {
    const what = `The transaction to ${TransactionSettlement.lowerFirst(action.summary)} reverted`;
    super(
      'submit.reverted',
      witnesses.length > 1 ? `${what}: only gas was spent.` : `${what}, by one node's word: only gas was spent.`,
      {
        facts: [['shown by', witnesses.join(', ')]],
        requestId: plan.requestId,
        txHash,
      },
    );
  }
}

/** The transfer was refunded or failed. Carries the whole outcome. */
export class EndedBadlyError extends BaseError {
  override name = 'EndedBadlyError';
  readonly outcome: Outcome;
  constructor(outcome: Outcome, plan: Plan.Restored) {
    const refunded = outcome.progress !== undefined && TransferStatus.codeOf(outcome.progress) === 'track.refunded';
    const { token, chain } = plan.intent.origin;
    const { progress, received } = outcome;
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
                  received === undefined
                    ? 'not read from the chain'
                    : `${Amount.format(received, token.decimals)} ${token.symbol}`,
                ],
                ['to', plan.intent.refundTo],
                ['shown by', outcome.witnesses.join(', ')],
              ] as const)
            : []),
          ...(progress?.failReason ? ([['reason', progress.failReason]] as const) : []),
          ...(progress?.refundFailReason ? ([['no refund because', progress.refundFailReason]] as const) : []),
          ...(progress?.outTxHashes[0] ? ([['refund transaction', progress.outTxHashes[0]]] as const) : []),
        ],
        hint: refunded ? undefined : 'A failed transfer may still be refunded: check again later.',
        next: refunded ? undefined : `ferry status ${outcome.requestId} --watch`,
        requestId: outcome.requestId,
        txHash: outcome.transactions.at(-1)?.txHash,
      },
    );
    this.outcome = outcome;
  }
}
