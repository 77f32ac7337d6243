/**
 * The only loop that moves funds: sends a plan's transactions, together where it can, then follows the request until it
 * ends.
 *
 * Nothing is sent before its bytes are on disk, and nothing is signed twice for one step unless the first can no longer
 * happen. After a lost answer the service or the node is asked, and the same bytes are sent again.
 *
 * An approval and its payment are signed together, with consecutive nonces. From then on the payment may happen, so no
 * failure of the approval ends the run: it ends once it is known what the payment did. If the payment calls contracts
 * that ferry does not know, the two are sent one by one: whoever sees the approval could change what those contracts
 * do.
 */

import { keccak256 } from 'viem/utils';
import { BaseError } from '../base/Errors.js';
import type { Event, Of } from '../event/Event.js';
import type { Account, Chain, GasPrice } from '../ports/Ports.js';
import * as LastLook from '../proof/LastLook.js';
import * as Quote from '../quote/Quote.js';
import type { Entry, Head } from '../tracking/Journal.js';
import * as Arrival from './Arrival.js';
import * as Facts from './Facts.js';
import * as Following from './Following.js';
import * as GasBound from './GasBound.js';
import * as NonceRule from './NonceRule.js';
import type * as Plan from './Plan.js';
import * as PlanSettlement from './PlanSettlement.js';
import * as TransactionSettlement from './TransactionSettlement.js';

type Step = TransactionSettlement.Step;

/** The ports needed to execute a plan, and the account that signs. */
export type Ports = Following.Ports & { account: Account };

/** The transactions that earlier processes signed, by the index of the action in the plan. */
export type SignedBefore = ReadonlyMap<number, TransactionSettlement.Signed>;

/** What was read before anything was signed, and what the account can pay by it. */
type Checked = { facts: Facts.OfTransactions; solvent: Facts.Solvent };

/**
 * Executes a plan. Everything is checked before the first signature; each transaction is signed once, and journaled
 * before it is sent. A transaction that an earlier process signed is sent again unchanged.
 *
 * @param given `facts`: what was gathered for the plan under the same turn; without any that are recent they are gathered again
 * @throws chain.* · submit.* · sign.failed · track.* · config.unwritable
 */
export async function* run(
  plan: Plan.Plan,
  ports: Ports,
  patience: Following.Patience,
  before: SignedBefore = new Map(),
  { facts }: { facts?: Facts.Facts | undefined } = {},
): AsyncGenerator<Event, Following.Outcome> {
  const startedAt = ports.clock.now();
  let checked: Checked | undefined;
  if (before.size === 0) checked = yield* check(plan, ports, facts);
  else await assertChain(plan, ports.origin);
  let settled = yield* settleBefore(plan, ports, patience, before);
  // Steps before a signed one were done or skipped by the earlier process.
  const latest = Math.max(-1, ...before.keys());
  const steps = plan.actions.map((action, index) => ({ plan, action, index }));
  const rest = steps.filter(({ index }) => index > latest);
  const progress: Progress = { checked, nonce: undefined, gasSigned: 0n, head: ports.head };
  const together = patience.oneByOne ? undefined : yield* signTogether(rest, progress, plan, ports);
  if (together) {
    const sent = together.map((each) => send(each, ports));
    settled = yield* PlanSettlement.settle(sent, settled, ports, patience);
  }
  for (const step of together ? [] : rest) {
    const signed = yield* signNext(step, progress, plan, ports);
    if (signed) settled = yield* PlanSettlement.settle([send({ step, signed }, ports)], settled, ports, patience);
  }
  return yield* followed(plan, settled, startedAt, { ...ports, head: progress.head }, patience);
}

/**
 * Finishes a plan whose payment is signed: sends the signed transactions again and follows the request. Signs nothing.
 *
 * @throws chain.* · submit.* · track.* · config.unwritable
 */
export async function* finish(
  plan: Plan.Restored,
  ports: Following.Ports,
  patience: Following.Patience,
  before: SignedBefore,
): AsyncGenerator<Event, Following.Outcome> {
  const startedAt = ports.clock.now();
  await assertChain(plan, ports.origin);
  const settled = yield* settleBefore(plan, ports, patience, before);
  if (!before.has(plan.actions.length - 1)) throw unsignedStep(plan);
  return yield* followed(plan, settled, startedAt, ports, patience);
}

/** @throws chain.wrong-chain */
async function assertChain(plan: Plan.Restored, origin: Chain): Promise<void> {
  // What was signed may be out: a node that was silent is asked once more before the command gives up.
  const found = await origin.chainId().catch(() => origin.chainId());
  Facts.assertChain(plan.intent.origin.chain, found);
}

/** Waits until all that earlier processes signed is mined. */
async function* settleBefore(
  plan: Plan.Restored,
  ports: Following.Ports,
  patience: Following.Patience,
  before: SignedBefore,
): AsyncGenerator<Event, PlanSettlement.Settled> {
  const resent = yield* resend(TransactionSettlement.signedSteps(plan, before), ports);
  return yield* PlanSettlement.settle(resent, { transactions: [], paid: undefined }, ports, patience);
}

/** Follows a request whose transactions are all mined. */
async function* followed(
  plan: Plan.Restored,
  { transactions, paid }: PlanSettlement.Settled,
  startedAt: number,
  ports: Following.Ports,
  patience: Following.Patience,
): AsyncGenerator<Event, Following.Outcome> {
  ports.turn.release();
  const gasCost = transactions.reduce((sum, each) => sum + each.gasCost, 0n);
  return yield* Following.followed(plan, { transactions, gasCost, paid, startedAt }, ports, patience);
}

/** Sends again what earlier processes signed: everything, before any of it is waited for. */
async function* resend(
  before: readonly TransactionSettlement.SignedStep[],
  ports: Following.Ports,
): AsyncGenerator<Event, readonly PlanSettlement.Sending[]> {
  const sent: PlanSettlement.Sending[] = [];
  for (const { step, signed } of before) {
    yield { type: 'resent', ...PlanSettlement.latestOf({ step, signed }), nonce: signed.nonce };
    const found = TransactionSettlement.resend(step, signed, ports);
    sent.push({ step, signed, refusal: failureOf(found), found });
  }
  return sent;
}

/** Sends what was signed just now. */
function send(
  signedStep: TransactionSettlement.SignedStep,
  { origin, journal }: Following.Ports,
): PlanSettlement.Sending {
  const { step, signed } = signedStep;
  const { bytes, txHash } = TransactionSettlement.latest(signed);
  const sending = origin.broadcast(bytes).then(() => journal.append({ type: 'broadcast', step: step.index, txHash }));
  return { ...signedStep, refusal: failureOf(sending) };
}

/** What a promise fails with; undefined if it does not. */
function failureOf(sending: Promise<unknown>): Promise<unknown> {
  return sending.then(
    () => undefined,
    (error: unknown) => error ?? new Error('failed'),
  );
}

/** A signature that takes longer is not prompt: what was simulated before it may have changed. */
const promptMs = 1_000;

/** What is known and used up once a step is to be signed by itself. */
type Progress = {
  checked: Checked | undefined;
  /** The next nonce; undefined before the first step. */
  nonce: number | undefined;
  /** wei */
  gasSigned: bigint;
  head: Head | undefined;
};

/** Signs and journals one step, once those before it are mined. Undefined for an approval that is there. */
async function* signNext(
  step: Step,
  progress: Progress,
  plan: Plan.Plan,
  ports: Ports,
): AsyncGenerator<Event, TransactionSettlement.Signed | undefined> {
  const { origin, clock, turn, account } = ports;
  const { action, index } = step;
  const { gas, watched } = plan;
  progress.checked ??= yield* check(plan, ports);
  const { nonce, allowed, estimate, tip } = await nextOf(step, { ...progress, checked: progress.checked }, ports);
  if (Facts.isCovered(action, allowed)) {
    yield skipped(step);
    return undefined;
  }
  ports.signal.throwIfAborted();
  NonceRule.assertNext({ turn, owner: account.address, chain: action.chain.name }, BigInt(nonce));
  const isPayment = index === plan.actions.length - 1;
  const [fees, noted] = await Promise.all([
    feesOf(step, progress.checked.solvent, { gas, gasSigned: progress.gasSigned, estimate }, origin),
    isPayment ? Arrival.noteHead(plan, ports, tip) : undefined,
  ]);
  progress.head = noted ?? progress.head;
  const as = { ...fees, gas: [fees.gas], nonce };
  const look = async (): Promise<void> => {
    if (!watched || !isPayment) return;
    await LastLook.assertSame(watched, action, as, { node: origin, requestId: plan.requestId });
  };
  await look();
  const lookedAt = clock.now();
  progress.gasSigned += fees.gas * fees.maxFeePerGas;
  const signed = await sign(action, { ...fees, nonce }, ports);
  // A hardware wallet may wait for its owner, and a contract may do something else by then.
  if (clock.now() - lookedAt > promptMs) await look();
  progress.nonce = nonce + 1;
  yield* keep([{ step, signed }], ports);
  return signed;
}

/** What the next step depends on. */
type Next = Partial<Pick<Facts.OfTransactions, 'tip'>> & {
  nonce: number;
  /** For an approval: what is allowed already, in base units. */
  allowed: bigint | undefined;
  /** Units of gas; undefined if the node was not asked. */
  estimate?: bigint | undefined;
};

/** Before the first step it is what was gathered. What was sent since may have changed it. */
async function nextOf(
  { plan, action, index }: Step,
  { nonce, checked }: { nonce: number | undefined; checked: Checked },
  ports: Following.Ports,
): Promise<Next> {
  if (nonce !== undefined) return { nonce, allowed: await Facts.allowanceOf(action, ports.origin) };
  const facts = await recentFacts(plan, checked.facts, ports);
  const { allowances, gas, tip } = facts;
  return { nonce: facts.nonce, allowed: allowances[index], estimate: index === 0 ? gas : undefined, tip };
}

async function recentFacts(
  plan: Plan.Restored,
  given: Facts.Facts | undefined,
  { origin, destination, clock }: Pick<Following.Ports, 'origin' | 'destination' | 'clock'>,
): Promise<Facts.OfTransactions> {
  const recent = Facts.recent('transactions', given, clock);
  return recent ?? Facts.ofTransactions(plan, { origin, tip: Facts.tipOf(destination), clock });
}

/**
 * Has the turn and the journal know of transactions before any of them leaves, and says that they are signed. A nonce that
 * no journal has is not known: if it is used, what has used it may have paid.
 */
async function* keep(
  signed: readonly TransactionSettlement.SignedStep[],
  { turn, journal }: Following.Ports,
): AsyncGenerator<Event, void> {
  for (const each of signed) {
    turn.use(BigInt(each.signed.nonce) + 1n);
    await journal.append(signedEntry(each), turn);
  }
  for (const { step, signed: each } of signed) {
    const { txHash } = TransactionSettlement.latest(each);
    yield { type: 'signed', ...PlanSettlement.transactionOf(step, txHash), nonce: each.nonce };
  }
}

/**
 * Signs all transactions that are left, with consecutive nonces, after one simulation of all of them as they will be
 * sent. All are journaled before the first leaves.
 *
 * @returns undefined if they are to be sent one by one: the account has code, for which nodes keep a single pending
 * transaction; the node does not show that all of them succeed; or the payment calls what ferry does not know, which is
 * simulated again once the approval is mined, since whoever saw it may have changed what is called
 * @throws submit.simulation · verify.cap · chain.* · sign.failed · config.unwritable
 */
async function* signTogether(
  rest: readonly Step[],
  progress: Progress,
  plan: Plan.Plan,
  ports: Ports,
): AsyncGenerator<Event, readonly TransactionSettlement.SignedStep[] | undefined> {
  const { origin, account } = ports;
  const { gas: terms, gasUsed, watched } = plan;
  const [first] = rest;
  if (!first || rest.length < 2 || !gasUsed || watched) return undefined;
  progress.checked ??= yield* check(plan, ports);
  const { gasPrice, baseFeePerGas } = progress.checked.solvent;
  const { code, nonce, allowances, tip } = await recentFacts(plan, progress.checked.facts, ports);
  const covered = rest.map(({ action, index }) => Facts.isCovered(action, allowances[index]));
  // An earlier approval changes the allowance that was read.
  const firstNeeded = covered.indexOf(false);
  const needed = rest.slice(firstNeeded);
  if (code !== '0x' || needed.length < 2) return undefined;

  const stated = Quote.transactions(plan.quote);
  const most = needed.map(({ index }) => GasBound.mostEstimated(stated[index] ?? { gas: undefined, call: undefined }));
  const limits = needed.map((step, nth) =>
    GasBound.limit(GasBound.needed(gasUsed[step.index] ?? 0n), most[nth] ?? 0n, terms),
  );
  const gas = limits.reduce((sum, limit) => sum + limit, 0n);
  const fees = GasBound.fitted(gasPrice, { baseFeePerGas, gas, later: 0n, used: 0n }, terms);
  GasBound.assertWithin(GasBound.bill(gas, fees, terms), terms);
  const calls = needed.map(({ action }) => action);
  const as = { ...fees, gas: limits, nonce };
  const place = { node: origin, requestId: plan.requestId };
  const [isShown, head] = await Promise.all([
    LastLook.isSuccessful(calls, as, most, place),
    Arrival.noteHead(plan, ports, tip),
  ]);
  if (!isShown) return undefined;

  ports.signal.throwIfAborted();
  for (const step of rest.slice(0, firstNeeded)) yield skipped(step);
  const { name: chain } = first.action.chain;
  NonceRule.assertNext({ turn: ports.turn, owner: account.address, chain }, BigInt(nonce));
  const signed: TransactionSettlement.SignedStep[] = [];
  for (const [index, step] of needed.entries()) {
    const limited = { ...fees, gas: limits[index] ?? 0n, nonce: nonce + index };
    signed.push({ step, signed: await sign(step.action, limited, ports) });
  }
  yield* keep(signed, ports);
  progress.head = head ?? progress.head;
  return signed;
}

function signedEntry({ step, signed }: TransactionSettlement.SignedStep): Entry {
  const { bytes, txHash } = TransactionSettlement.latest(signed);
  return { type: 'signed', step: step.index, action: step.action.kind, bytes, txHash, nonce: signed.nonce };
}

function skipped({ action: { kind, summary } }: Step): Of<'skipped'> {
  return { type: 'skipped', action: kind, summary, why: 'the current allowance is sufficient' };
}

async function* check(
  plan: Plan.Plan,
  ports: Following.Ports,
  given?: Facts.Facts | undefined,
): AsyncGenerator<Event, Checked> {
  const facts = await recentFacts(plan, given, ports);
  const solvent = Facts.solvent(plan.quote, facts.means, plan.gas);
  const { chainId, balance, gasBalance, note } = solvent;
  if (note !== undefined) ports.warn(note);
  yield { type: 'checked', chainId, balance, gasBalance };
  return { facts, solvent };
}

/**
 * The gas limit and the fees of a step, such that it and the later ones stay within the bounds.
 *
 * @throws verify.cap · chain.* · submit.simulation
 */
async function feesOf(
  { plan, action, index }: Step,
  { gasPrice, baseFeePerGas }: Facts.Solvent,
  { gas: terms, gasSigned: used, estimate }: { gas: GasBound.Bounds; gasSigned: bigint; estimate: bigint | undefined },
  origin: Chain,
): Promise<GasPrice & { gas: bigint }> {
  const [own, ...more] = Quote.transactions(plan.quote).slice(index);
  const most = own ? GasBound.mostEstimated(own) : 0n;
  const gas = GasBound.limit(estimate ?? (await origin.estimateGas(action)), most, terms);
  const later = more.reduce((sum, each) => sum + GasBound.withMargin(GasBound.expected(each)), 0n);
  const fees = GasBound.fitted(gasPrice, { baseFeePerGas, gas, later, used }, terms);
  GasBound.assertWithin(GasBound.bill(gas + later, fees, terms, used), terms);
  return { ...fees, gas };
}

async function sign(
  { chain, to, data, value }: Plan.Action,
  fees: GasPrice & { gas: bigint; nonce: number },
  { account, origin }: Pick<Ports, 'account' | 'origin'>,
): Promise<TransactionSettlement.Signed> {
  const { nonce } = fees;
  const bytes = await account
    .signTransaction({ ...fees, chainId: chain.id, to, data, value })
    .catch(async (error: unknown) => {
      throw (await hasSigned(error, nonce, { account, origin })) ? sentBySigner(error as BaseError, nonce) : error;
    });
  return { nonce, attempts: [{ purpose: 'send', bytes, txHash: keccak256(bytes) }] };
}

/** Whether the account has used the nonce although its signing command has failed: whoever sends prints no signature. */
async function hasSigned(
  error: unknown,
  nonce: number,
  { account, origin }: Pick<Ports, 'account' | 'origin'>,
): Promise<boolean> {
  if (!(error instanceof BaseError) || error.code !== 'auth.signer') return false;
  return origin.nonce(account.address).then(
    (next) => next > nonce,
    () => false,
  );
}

function sentBySigner(cause: BaseError, nonce: number): BaseError {
  return new BaseError(
    'submit.unknown',
    'The signing command failed, and a transaction of the account was sent meanwhile: it may be the payment.',
    {
      facts: [['nonce', String(nonce)], ...cause.facts],
      hint: 'The command must send nothing. Look at the account’s transactions before you pay again.',
      cause,
    },
  );
}

/** The payment is not signed, so the journal does not belong to the plan. */
function unsignedStep({ requestId }: Plan.Restored): BaseError {
  return new BaseError('sign.failed', 'A step of the plan is not signed, and finishing a run signs nothing.', {
    requestId,
  });
}
