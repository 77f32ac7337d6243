/** Replaces a pending transaction; used by `runs speed-up` and `runs cancel`. */

import { keccak256 } from 'viem/utils';
import * as Address from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import type { Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event, Of } from '../core/event/Event.js';
import * as BalanceCheck from '../core/execution/BalanceCheck.js';
import * as GasBound from '../core/execution/GasBound.js';
import * as Plan from '../core/execution/Plan.js';
import * as Resumption from '../core/execution/Resumption.js';
import * as TransactionReplacement from '../core/execution/TransactionReplacement.js';
import * as TransactionSettlement from '../core/execution/TransactionSettlement.js';
import * as Verification from '../core/proof/Verification.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import * as Journal from '../core/tracking/Journal.js';
import * as NonceRelease from '../core/tracking/NonceRelease.js';
import type { Run } from '../core/tracking/RunStore.js';
import { boundedPrice, confirmGas, gasTerms, type unquotedGasFlags } from '../setup/limitGas.js';
import * as SignedBytes from '../setup/SignedBytes.js';
import { worldOf } from './executeQuote.js';

/** The step whose transaction was replaced, and the ports to wait for it. */
export type Replacement = { of: TransactionSettlement.Step; world: TransactionSettlement.World };

/** Opens a run of the network in use. @throws run.* */
export async function openRun(name: string, context: Context): Promise<Run> {
  const run = await (await context.runs()).open(name);
  try {
    Resumption.assertHere(run.state(), { network: context.network, instance: await context.instance() });
    return run;
  } catch (error) {
    run.close();
    throw error;
  }
}

/**
 * Asks, signs and sends the replacement, of a run that the user knows. A run that another process still follows is busy and cannot be opened.
 *
 * @throws run.settled · run.elsewhere · verify.cap · verify.unverified · prompt.* · chain.* · submit.*
 */
export async function* replaceTransaction(
  run: Run,
  purpose: 'speed-up' | 'cancel',
  options: Pick<Options<typeof unquotedGasFlags>, 'allow'>,
  context: Context,
): AsyncGenerator<Event, Replacement> {
  const state = run.state();
  const sent = TransactionReplacement.waiting(state);
  if (!state.quote) throw new Resumption.UnsignedError(state);
  const plan = Plan.restored(QuoteDocument.toQuote(state.quote.document, context.network));
  const action = plan.actions[sent.step];
  if (!action) throw new Resumption.UnsignedError(state);
  if (!run.isOwn) await assertProved(plan, state, context);
  await SignedBytes.assertOf(action, sent);
  const user = plan.intent.user as Address.Address;
  Resumption.assertSender(state, user, await context.sender());

  const of = { plan, action, step: sent.step };
  const world = await worldOf(plan, { journal: run, turn: NonceRelease.none }, context);
  const { origin } = world;
  BalanceCheck.assertChain(plan.intent.origin.chain, await origin.chainId());
  if (await TransactionSettlement.isSettled(of, sent, world)) throw new TransactionReplacement.NothingWaitsError(state);

  const { bytes: old } = TransactionSettlement.latest(sent);
  const before = TransactionReplacement.feesOf(old);
  const prices = GasBound.pricesOf(plan.quote);
  const terms = await gasTerms(plan.intent.origin.chain, options, context, { stated: before, prices });
  const fees = TransactionReplacement.raised(before, await boundedPrice(origin, terms, context));
  const signedBefore = { nonce: sent.nonce, gas: TransactionReplacement.gasOf(TransactionSettlement.sending(sent)) };
  const gas = purpose === 'cancel' ? await gasOfEmptyTransfer(user, world, terms) : signedBefore.gas;
  const transaction =
    purpose === 'speed-up'
      ? TransactionReplacement.again(action, { ...signedBefore, fees })
      : TransactionReplacement.nothing(action, { ...signedBefore, fees, gas });
  const missing = purpose === 'cancel' ? await TransactionSettlement.missingNonces(user, sent, origin) : [];
  TransactionReplacement.assertFillable(state, missing);
  const bill = GasBound.bill(BigInt(1 + missing.length) * transaction.gas, fees, terms);
  GasBound.assertWithin(bill, terms);
  const needed = transaction.value + bill.amount;
  const balance = await origin.balance(user, Address.native);
  if (balance < needed) throw new BalanceCheck.InsufficientGasError(plan.quote, balance, needed);
  await confirmGas(
    TransactionReplacement.question(purpose, sent, { before, after: fees, missing }),
    bill,
    terms,
    context,
  );

  const account = await context.account();
  const bytes = await account.signTransaction(transaction);
  const txHash = keccak256(bytes);
  await run.append({ type: 'replacement', step: sent.step, purpose, bytes, txHash, nonce: sent.nonce });
  const kind: Of<'sent'>['action'] = purpose === 'cancel' ? 'cancel' : action.kind;
  const replacement = { action: kind, summary: summaryOf(purpose, action), txHash };
  yield { type: 'signed', ...replacement, nonce: sent.nonce };
  await broadcast(bytes, { of, world, run });
  yield { type: 'sent', ...replacement };
  // After the replacement, since they let whatever has the nonce be mined.
  for (const nonce of missing) {
    world.signal.throwIfAborted();
    await fill(await account.signTransaction({ ...transaction, nonce }), nonce, { user, origin });
  }
  return { of, world };
}

/** Proves the quote of a journal anew, as of when it was made: what it says it passed is what anybody can write. */
async function assertProved({ quote }: Plan.Restored, { proof }: Journal.State, { network }: Context): Promise<void> {
  if (!proof) throw new Journal.UnorderedError('a signature without a proof');
  const surroundings = { network, baseUrl: network.baseUrl, nowMs: quote.quotedAt };
  const { findings } = await Verification.proofOf(quote, Journal.toCaps(proof.caps), surroundings);
  const setting = { network, isAsked: false, allow: proof.allow };
  Verification.assertAllowed(findings, setting, quote.intent);
}

/** Sends an empty transaction with a missing nonce, unless something else has used it meanwhile. */
async function fill(
  bytes: `0x${string}`,
  nonce: number,
  { user, origin }: { user: Address.Address; origin: TransactionSettlement.World['origin'] },
): Promise<void> {
  try {
    await origin.broadcast(bytes);
  } catch (error) {
    if ((await origin.nonce(user)) <= nonce) throw error;
  }
}

async function gasOfEmptyTransfer(
  user: Address.Address,
  { origin }: TransactionSettlement.World,
  terms: GasBound.Terms,
): Promise<bigint> {
  const estimate = await origin.estimateGas({ from: user, to: user, data: '0x', value: 0n });
  return GasBound.limit(estimate, GasBound.mostForEmpty, terms);
}

/**
 * Broadcasts the replacement. A refusal is ignored if the first transaction has just been mined, and thrown otherwise.
 */
async function broadcast(bytes: `0x${string}`, { of, world, run }: Replacement & { run: Run }): Promise<void> {
  try {
    await world.origin.broadcast(bytes);
    await run.append({ type: 'broadcast', step: of.step, txHash: keccak256(bytes) });
  } catch (error) {
    const sent = run.state().sent.get(of.step);
    if (sent && (await TransactionSettlement.isSettled(of, sent, world))) return;
    throw error instanceof BaseError ? error : new BaseError('chain.refused', String(error));
  }
}

function summaryOf(purpose: 'speed-up' | 'cancel', { summary }: Plan.Action): string {
  return purpose === 'cancel' ? `Cancel: ${TransactionSettlement.lowerFirst(summary)}` : summary;
}
