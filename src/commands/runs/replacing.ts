/** Puts another transaction in the place of one that waits: what `runs speed-up` and `runs cancel` have in common. */
import { keccak256 } from 'viem/utils';
import type { Context } from '../../context.js';
import * as Address from '../../core/Address.js';
import { BaseError } from '../../core/Errors.js';
import * as NonceTurn from '../../core/NonceTurn.js';
import * as Plan from '../../core/Plan.js';
import * as QuoteDocument from '../../core/QuoteDocument.js';
import * as Replacement from '../../core/Replacement.js';
import * as Resumption from '../../core/Resumption.js';
import type { Run } from '../../core/Run.js';
import * as Settlement from '../../core/Settlement.js';
import * as Solvency from '../../core/Solvency.js';
import type { Event } from '../Command.js';
import { worldOf } from '../carryOut.js';

/** What was replaced, and what it takes to wait for it. */
export type Replaced = { of: Settlement.Step; world: Settlement.World };

/** Opens a run of the network in use. @throws run.* */
export async function opened(name: string, context: Context): Promise<Run> {
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
 * Asks, signs and sends. Whoever waits for the run of another process finds it busy: that one is to end first.
 *
 * @throws run.settled · run.elsewhere · prompt.* · chain.* · submit.*
 */
export async function* replace(
  run: Run,
  purpose: 'speed-up' | 'cancel',
  context: Context,
): AsyncGenerator<Event, Replaced> {
  const state = run.state();
  const sent = Replacement.waiting(state);
  if (!state.quote) throw new Resumption.UnsignedError(state);
  const plan = Plan.restored(QuoteDocument.toQuote(state.quote.document, context.network));
  const action = plan.actions[sent.step];
  if (!action) throw new Resumption.UnsignedError(state);
  const user = plan.intent.user as Address.Address;
  Resumption.assertSender(state, user, await context.sender());

  const of = { plan, action, step: sent.step };
  const sealed = { journal: run, account: Resumption.sealed(user), turn: NonceTurn.none };
  const world = await worldOf(plan, sealed, context);
  const { origin } = world;
  Solvency.assertChain(plan.intent.origin.chain, await origin.chainId());
  if (await Settlement.isSettled(of, sent, world)) throw new Replacement.NothingWaitsError(state);

  const { bytes: old } = Settlement.latest(sent);
  const before = Replacement.feesOf(old);
  const fees = Replacement.raised(before, await origin.gasPrice());
  const transaction =
    purpose === 'speed-up'
      ? Replacement.again(Settlement.sending(sent), fees)
      : Replacement.nothing(old, user, { fees, gas: await gasOfNothing(user, world) });
  const needed = transaction.value + transaction.gas * fees.maxFeePerGas;
  const balance = await origin.balance(user, Address.native);
  if (balance < needed) throw new Solvency.InsufficientGasError(plan.quote, balance, needed);
  await context.confirm(Replacement.question(purpose, sent, { before, after: fees }));

  const account = await context.account();
  const bytes = await account.signTransaction(transaction);
  const txHash = keccak256(bytes);
  await run.append({ type: 'replacement', step: sent.step, purpose, bytes, txHash, nonce: sent.nonce });
  const told = { action: purpose === 'cancel' ? 'cancel' : action.kind, summary: summaryOf(purpose, action), txHash };
  yield { type: 'signed', ...told, nonce: sent.nonce };
  await broadcast(bytes, { of, world, run });
  yield { type: 'sent', ...told };
  return { of, world };
}

async function gasOfNothing(user: Address.Address, { origin }: Settlement.World): Promise<bigint> {
  return Solvency.withMargin(await origin.estimateGas({ from: user, to: user, data: '0x', value: 0n }));
}

/** A refusal is looked into: the first one may have been mined in this moment, or the node may ask for more. */
async function broadcast(bytes: `0x${string}`, { of, world, run }: Replaced & { run: Run }): Promise<void> {
  try {
    await world.origin.broadcast(bytes);
    await run.append({ type: 'broadcast', step: of.step, txHash: keccak256(bytes) });
  } catch (error) {
    const sent = run.state().sent.get(of.step);
    if (sent && (await Settlement.isSettled(of, sent, world))) return;
    throw error instanceof BaseError ? error : new BaseError('chain.refused', String(error));
  }
}

function summaryOf(purpose: 'speed-up' | 'cancel', { summary }: Plan.Action): string {
  return purpose === 'cancel' ? `Take back: ${Settlement.lowerFirst(summary)}` : summary;
}
