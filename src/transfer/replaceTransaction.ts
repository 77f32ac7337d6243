/** Replaces a pending transaction; used by `runs speed-up` and `runs cancel`. */

import { keccak256 } from 'viem/utils';
import * as Address from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import type { Hex } from '../core/base/Hex.js';
import type { Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event } from '../core/event/Event.js';
import * as Facts from '../core/execution/Facts.js';
import * as GasBound from '../core/execution/GasBound.js';
import type * as Plan from '../core/execution/Plan.js';
import * as PlanSettlement from '../core/execution/PlanSettlement.js';
import * as Resumption from '../core/execution/Resumption.js';
import * as TransactionReplacement from '../core/execution/TransactionReplacement.js';
import * as TransactionSettlement from '../core/execution/TransactionSettlement.js';
import type { Chain, GasPrice, Transaction } from '../core/ports/Ports.js';
import * as Verification from '../core/proof/Verification.js';
import { toBaseError } from '../core/text/ErrorReport.js';
import * as Journal from '../core/tracking/Journal.js';
import * as NonceRelease from '../core/tracking/NonceRelease.js';
import type { Run } from '../core/tracking/RunStore.js';
import { boundedPrice, confirmGas, gasTerms, type unquotedGasFlags } from '../setup/limitGas.js';
import * as SignedBytes from '../setup/SignedBytes.js';
import { assertUnclaimed, counterOf } from '../setup/trustNonces.js';
import { portsOf } from './executeQuote.js';

/** The last step whose transaction was replaced, and the ports to wait for it. */
export type Replacement = { step: TransactionSettlement.Step; ports: Ports };

type Ports = TransactionSettlement.Ports;

type Purpose = 'speed-up' | 'cancel';

/**
 * Asks, signs and sends the replacements of all that is pending, of a run that the user knows. A run that another process
 * still follows is busy and cannot be opened.
 *
 * An approval is replaced along with its payment: the payment waits for its nonce, whether it is sped up or canceled.
 *
 * @throws run.settled · run.elsewhere · verify.cap · verify.unverified · prompt.* · chain.* · submit.*
 */
export async function* replaceTransaction(
  run: Run,
  purpose: Purpose,
  options: Pick<Options<typeof unquotedGasFlags>, 'allow'>,
  context: Context,
): AsyncGenerator<Event, Replacement> {
  const state = run.state();
  const waiting = TransactionReplacement.waiting(state);
  const plan = Resumption.planOf(state, context.network);
  const out = waiting.map((sent): Pending => ({ signed: sent, step: stepOf(plan, sent, state) }));
  if (!run.isOwn) await assertProved(plan, state, context);
  for (const { step, signed } of out) await SignedBytes.assertOf(step.action, signed);
  const user = plan.intent.user as Address.Address;
  Resumption.assertSender(state, user, await context.sender(), `runs ${purpose}`);

  const ports = await portsOf(plan, { journal: run, turn: NonceRelease.none }, context);
  Facts.assertChain(plan.intent.origin.chain, await ports.origin.chainId());
  const open: Pending[] = [];
  for (const each of out) if (!(await isOver(each, out, ports))) open.push(each);
  const last = open.at(-1);
  if (!last) throw new TransactionReplacement.NothingWaitsError(run.state());

  const priced = await price(open, purpose, { plan, state, user, ports }, options, context);
  await confirmGas(priced.question, user, priced.bill, priced.terms, context);
  const account = await explainFailure(run, () => context.account());
  const replaced: Replaced[] = [];
  for (const each of priced.replacing)
    replaced.push({ ...each, bytes: await explainFailure(run, () => account.signTransaction(each.transaction)) });
  // The payment is what has to be made void, so its replacement is on disk, and leaves, first.
  if (purpose === 'cancel') replaced.reverse();
  yield* send(replaced, open, { purpose, run, ports });
  // After the replacements, since they let whatever has the nonces be mined.
  const filler = TransactionReplacement.nothing(last.step.action, { ...priced.fees, nonce: 0, gas: priced.emptyGas });
  for (const nonce of priced.missing) {
    ports.signal.throwIfAborted();
    const bytes = await explainFailure(run, () => account.signTransaction({ ...filler, nonce }));
    await fill(bytes, nonce, { user, origin: ports.origin });
  }
  return { step: last.step, ports };
}

/** What is to be signed, at most for how much, and the question before it is. */
type Priced = {
  replacing: readonly (Pending & { transaction: Transaction })[];
  fees: GasPrice;
  /** The gas limit of an empty transaction; zero if none is needed. */
  emptyGas: bigint;
  /** The nonces before them that the chain lacks, which are filled too. */
  missing: readonly number[];
  terms: GasBound.Bounds;
  bill: GasBound.Bill;
  question: string;
};

/** @throws verify.cap · verify.unverified · submit.insufficient-gas · submit.nonce-gap · run.unfinished · chain.* */
async function price(
  open: readonly Pending[],
  purpose: Purpose,
  { plan, state, user, ports }: { plan: Plan.Restored; state: Journal.State; user: Address.Address; ports: Ports },
  options: Pick<Options<typeof unquotedGasFlags>, 'allow'>,
  context: Context,
): Promise<Priced> {
  const { origin } = ports;
  const before = TransactionReplacement.feesOf(open.map(({ signed }) => TransactionSettlement.latest(signed).bytes));
  const prices = GasBound.pricesOf(plan.quote);
  const terms = await gasTerms(plan.intent.origin.chain, options, context, { stated: before, prices });
  const fees = TransactionReplacement.raised(before, await boundedPrice(origin, terms, context));
  const emptyGas = purpose === 'cancel' ? await gasOfEmptyTransfer(user, origin, terms) : 0n;
  const replacing = open.map(({ step, signed }) => {
    const { nonce } = signed;
    const gas = purpose === 'cancel' ? emptyGas : TransactionReplacement.gasOf(TransactionSettlement.sending(signed));
    const { again, nothing } = TransactionReplacement;
    return {
      step,
      signed,
      transaction: (purpose === 'cancel' ? nothing : again)(step.action, { ...fees, nonce, gas }),
    };
  });
  const own = open.map(({ signed }) => signed.nonce);
  const nonce = Math.max(...own);
  const absent = purpose === 'cancel' ? await TransactionSettlement.missingNonces(user, { nonce }, origin) : [];
  const missing = absent.filter((each) => !own.includes(each));
  TransactionReplacement.assertFillable(state, missing);
  await assertUnclaimed(missing, state.run, await counterOf(plan.intent.origin.chain, context), context);
  const units = replacing.reduce((sum, { transaction }) => sum + transaction.gas, BigInt(missing.length) * emptyGas);
  const bill = GasBound.bill(units, fees, terms);
  GasBound.assertWithin(bill, terms);
  const needed = replacing.reduce((sum, { transaction }) => sum + transaction.value, bill.amount);
  const balance = await origin.balance(user, Address.native);
  if (balance < needed) throw Facts.insufficientGas(plan.quote, balance, needed);
  const replaced = open.map(({ signed }) => signed);
  const question = TransactionReplacement.question(purpose, replaced, { before, after: fees, missing });
  return { replacing, fees, emptyGas, missing, terms, bill, question };
}

/** Journals what was signed, then sends it. @throws why the one with the first nonce was not taken */
async function* send(
  replaced: readonly Replaced[],
  [first]: readonly Pending[],
  { purpose, run, ports }: { purpose: Purpose; run: Run; ports: Ports },
): AsyncGenerator<Event, void> {
  for (const { signed, bytes } of replaced) {
    const { step, nonce } = signed;
    await run.append({ type: 'replacement', step, purpose, bytes, txHash: keccak256(bytes), nonce });
  }
  const shown = ({ step: { action }, bytes }: Replaced) => {
    const named = { action: action.kind, summary: action.summary };
    return { ...(purpose === 'cancel' ? PlanSettlement.canceling(action) : named), txHash: keccak256(bytes) };
  };
  for (const each of replaced) yield { type: 'signed', ...shown(each), nonce: each.signed.nonce };
  for (const each of replaced) {
    const refusal = await broadcast(each, { ports, run });
    // What comes after the first nonce can be sent again once that is used.
    if (refusal !== undefined && each.step === first?.step) throw refusal;
    if (refusal === undefined) yield { type: 'sent', ...shown(each) };
  }
}

/** Does what only the account can. Whatever stops it, the payment that waits is still out. */
async function explainFailure<T>(run: Run, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw Resumption.explained(run.state(), toBaseError(error));
  }
}

/** A transaction of the run that may be pending. */
type Pending = TransactionSettlement.SignedStep<Journal.Sent>;

/** One with its signed replacement. */
type Replaced = Pending & { bytes: Hex };

function stepOf(plan: Plan.Restored, { step }: Journal.Sent, state: Journal.State): TransactionSettlement.Step {
  const action = plan.actions[step];
  if (!action) throw Resumption.unsignedRun(state);
  return { plan, action, index: step };
}

/** Whether a transaction is mined, or can never be, which ends the run only if it is the last one. */
async function isOver(each: Pending, out: readonly Pending[], ports: Ports): Promise<boolean> {
  try {
    return await TransactionSettlement.isSettled(each.step, each.signed, ports);
  } catch (error) {
    if (each === out.at(-1) || !TransactionSettlement.isVoid(error)) throw error;
    return true;
  }
}

/** Proves the quote of a journal anew, as of when it was made: what it says it passed is what anybody can write. */
async function assertProved({ quote }: Plan.Restored, { proof }: Journal.State, { network }: Context): Promise<void> {
  if (!proof) throw Journal.unordered('a signature without a proof');
  const surroundings = { network, baseUrl: network.baseUrl, nowMs: quote.quotedAt };
  const { findings } = await Verification.proofOf(quote, Journal.toCaps(proof.caps), surroundings);
  const setting = { network, isAsked: false, allow: proof.allow };
  Verification.assertAllowed(findings, setting, quote.intent);
}

/** Sends an empty transaction with a missing nonce, unless something else has used it meanwhile. */
async function fill(
  bytes: `0x${string}`,
  nonce: number,
  { user, origin }: { user: Address.Address; origin: Chain },
): Promise<void> {
  try {
    await origin.broadcast(bytes);
  } catch (error) {
    if ((await origin.nonce(user)) <= nonce) throw error;
  }
}

async function gasOfEmptyTransfer(user: Address.Address, origin: Chain, terms: GasBound.Bounds): Promise<bigint> {
  const estimate = await origin.estimateGas({ from: user, to: user, data: '0x', value: 0n });
  return GasBound.limit(estimate, GasBound.mostForEmpty, terms);
}

/** Broadcasts a replacement. Resolves to the refusal, unless the transaction before it has just been mined. */
async function broadcast(
  { step, bytes }: Replaced,
  { ports, run }: { ports: Ports; run: Run },
): Promise<BaseError | undefined> {
  try {
    await ports.origin.broadcast(bytes);
    await run.append({ type: 'broadcast', step: step.index, txHash: keccak256(bytes) });
    return undefined;
  } catch (error) {
    const sent = run.state().sent.get(step.index);
    if (sent && (await TransactionSettlement.isSettled(step, sent, ports))) return undefined;
    return error instanceof BaseError ? error : new BaseError('chain.refused', String(error));
  }
}
