/** Journals a run from start to end; used by every command that moves funds. */

import { type AllowanceLeft, BaseError, type Funds } from '../core/base/Errors.js';
import * as JsonDigest from '../core/base/JsonDigest.js';
import * as Url from '../core/base/Url.js';
import type { Flags } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event } from '../core/event/Event.js';
import * as Allowance from '../core/execution/Allowance.js';
import type { OutcomeDocument } from '../core/execution/OutcomeDocument.js';
import * as Resumption from '../core/execution/Resumption.js';
import type * as RunOpening from '../core/execution/RunOpening.js';
import * as TransactionSettlement from '../core/execution/TransactionSettlement.js';
import * as RequestReference from '../core/history/RequestReference.js';
import * as Currency from '../core/quote/Currency.js';
import * as Quote from '../core/quote/Quote.js';
import { toBaseError } from '../core/text/ErrorReport.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import type { BatchLineRef } from '../core/tracking/BatchLineRef.js';
import * as Journal from '../core/tracking/Journal.js';
import type { Run, Intent as RunIntent, Runs } from '../core/tracking/RunStore.js';
import { type Ending, endingOf } from './lineEnding.js';

/** Lets a run go on although a process that cannot be asked holds one of its locks. */
export const lockFlags = {
  takeOver: {
    description: 'take over from a process on another machine that no longer runs; ferry cannot see that from here',
  },
} as const satisfies Flags;

/** For every command that follows a payment to its end. */
export const witnessFlags = {
  requireWitness: {
    description: 'exit 10 if only one witness shows how it ended, such as a delivery by the service’s word',
  },
} as const satisfies Flags;

/** For every command whose end may be waited for. */
export const notifyFlags = {
  notify: {
    value: 'command',
    description: 'run this command when the run has ended, with its outcome as JSON on stdin',
  },
} as const satisfies Flags;

export const runFlags = {
  ...notifyFlags,
  ...lockFlags,
  again: { description: 'send even if the same transfer is unfinished; this pays a second time' },
} as const satisfies Flags;

/** The command, its arguments and options, as needed to run it again. */
export type RunCommand = {
  name: string;
  options: { args: readonly string[]; again?: boolean | undefined; takeOver?: boolean | undefined };
  /** The batch line that the run carries out, if any. */
  line?: BatchLineSource | undefined;
};

export type BatchLineSource = {
  place: BatchLineRef;
  command: string | null;
  /** Whether the ledger had results when the batch started: the account has paid before. */
  isContinued: boolean;
  /** The end of a line of a shared batch, which is written together with the outcome of its run. */
  ending?: Ending<OutcomeDocument> | undefined;
};

/**
 * Creates a run and yields its id.
 *
 * @param opening builds the first journal entry for a place
 * @throws config.unwritable · run.unfinished
 */
export async function* startRun(
  opening: (place: RunOpening.Source) => RunIntent,
  { name, options, line }: RunCommand,
  context: Context,
): AsyncGenerator<Event, Run> {
  const { network } = context;
  const instance = await context.instance();
  const { again = false } = options;
  const command = line ? line.command : commandLine(name, { ...options, takeOver: undefined }, context);
  const { value: named = null } = context.config.account;
  // A name of the address book may stand for another address by the time the run is resumed.
  const account = named !== null && context.config.aliases.has(named) ? await context.sender() : named;
  const runs = await context.runs();
  const run = await runs.create(
    opening({ instance, baseUrl: network.baseUrl && Url.place(network.baseUrl), command, account, line: line?.place }),
    {
      again,
    },
  );
  yield { type: 'run', run: run.id, next: ShellCommand.line`ferry resume ${run.id}`, folder: runs.folder };
  return run;
}

/**
 * Takes the order id and the request id of a quote for a run, before anything is signed for it: two transfers under one id
 * could both be shown by the same fill. An id of a run that ended untouched is free.
 *
 * @throws verify.mismatch if another run has one of them · config.unwritable
 */
export async function claimIds(
  quote: Quote.Quote,
  run: Pick<Run, 'id'>,
  context: Pick<Context, 'counted' | 'runs'>,
): Promise<void> {
  for (const [name, value] of [
    ['order', Quote.identityOf(quote)],
    ['request', quote.requestId.toLowerCase()],
  ] as const)
    if (!(await isClaimed({ [name]: value }, run, context).catch(beforeSigning)))
      throw new BaseError(
        'verify.mismatch',
        `Another run has the same ${name} id: one fill would count for both. Nothing was signed.`,
        {
          hint: 'A quote pays once. If you did not use this one before, the service has given the same id twice.',
          requestId: quote.requestId,
        },
      );
}

/** Nothing is signed yet: that it cannot be noted moves nothing. */
function beforeSigning(error: unknown): never {
  const isOfNote = error instanceof BaseError && error.code === 'config.unwritable';
  throw isOfNote
    ? error.with({ funds: 'untouched', hint: 'Make the folder readable and writable, then start again.' })
    : error;
}

/**
 * Takes an id, or if its owner has ended untouched the place after that owner, which is counted once as well. The owner
 * is looked at again afterwards: if it was resumed meanwhile, either it sees its successor, or the successor sees it.
 */
async function isClaimed(
  named: Readonly<Record<string, string>>,
  run: Pick<Run, 'id'>,
  { counted, runs }: Pick<Context, 'counted' | 'runs'>,
): Promise<boolean> {
  const key = JsonDigest.of(named);
  const owner = (await counted.ownerOf(key)) ?? run.id;
  const later = { ...named, after: owner };
  if (owner === run.id) return (await counted.count(key, run.id)) && !(await counted.ownerOf(JsonDigest.of(later)));
  const isFree = async (): Promise<boolean> => isUntouched(owner, await runs());
  return (await isFree()) && (await isClaimed(later, run, { counted, runs })) && (await isFree());
}

/**
 * Whether a run is over and has moved nothing, and nothing that it signed still can. False for one that cannot be read.
 */
export async function isUntouched(id: string, runs: Pick<Runs, 'show'>): Promise<boolean> {
  const { state, isHeld, isOwn } = await runs.show(id).catch(() => unread);
  if (!state || isHeld || !isOwn) return false;
  return state.outcome ? state.outcome.funds === 'untouched' : Journal.next(state) === 'nothing';
}

const unread = { state: undefined, isHeld: false, isOwn: false };

/**
 * The command line to run again; null if an input was piped in and is gone. Without `--again`, which would pay once more,
 * and without the command to notify, which may hold a token: it is written to the journal.
 */
export function commandLine(
  name: string,
  { args, again: _, notify: __, ...flags }: Readonly<Record<string, unknown>> & { args: readonly string[] },
  { network }: Pick<Context, 'network'>,
): string | null {
  if ([...args, ...Object.values(flags)].includes('-')) return null;
  return ShellCommand.from(name, args, { ...flags, ...(network.name === 'sandbox' ? {} : { network: network.name }) });
}

/** Where the money is once a transfer has ended. */
const ends: readonly Funds[] = ['delivered', 'returned', 'held'];

/** What a command is to do with a run's payment. */
type Purpose = 'pay' | 'cancel';

/** Whether what makes the payment void is signed: resuming then sends that, and follows it. */
function isCancelSigned({ sent, invalidation }: Journal.State): boolean {
  return invalidation !== undefined || [...sent.values()].some(TransactionSettlement.isCanceling);
}

/**
 * Journals status changes and the outcome of a run, then releases it. Every error gets the run id, where the funds are,
 * unused allowances, and the command that continues the run. The outcome of a line of a shared batch is written with the
 * line's end: by the worker's `ending`, or as it is when somebody finishes the run by hand.
 */
export async function* withJournal<Result extends { status: string; funds: Funds }>(
  run: Run,
  running: AsyncGenerator<Event, Result>,
  context: Context,
  ending: Ending<Result> | undefined = endingOf(run.state, context),
  purpose: Purpose = 'pay',
): AsyncGenerator<Event, Result> {
  const wasOut = Journal.outOf(run.state()) !== undefined;
  try {
    let step = await running.next();
    while (!step.done) {
      const event = step.value;
      if (event.type === 'status') await run.append({ type: 'status', status: event.status });
      yield event;
      step = await running.next();
    }
    const result = { ...step.value, run: run.id };
    const { status, funds } = result;
    const { outcome: before } = run.state();
    // What the service held may be delivered later. A line of a shared batch keeps its first end.
    if (ends.includes(funds) && before?.funds !== funds) {
      const end = before ? undefined : ending?.(result);
      await run.append({ type: 'outcome', status, funds, code: null }, undefined, end);
    }
    return result;
  } catch (thrown) {
    const funds = Journal.next(run.state()) === 'nothing' ? 'untouched' : 'unknown';
    throw await withJournalFacts(run, toBaseError(thrown, funds), { wasOut, ending, purpose }, context);
  } finally {
    await running.return(undefined as never);
    run.close();
  }
}

/**
 * The error, completed from the journal.
 *
 * @param wasOut whether an earlier command had signed the payment
 */
async function withJournalFacts(
  run: Run,
  thrown: BaseError,
  { wasOut, ending, purpose }: { wasOut: boolean; ending: Ending<never> | undefined; purpose: Purpose },
  context: Context,
): Promise<BaseError> {
  const state = run.state();
  // Being stopped says nothing about a payment that is signed, nor does a store that can note nothing more.
  const isBlind = thrown.code === 'run.stopped' || thrown.code === 'store.unwritable';
  const error = isBlind ? Resumption.explained(state, thrown) : thrown;
  // Nothing was done with it, and nothing is written to it.
  if (error.code === 'run.unproved') return error.with({ run: run.id });
  const isOver = state.outcome !== undefined || Journal.isFinal(state, error);
  const allowances = await findUnusedAllowances(state, context);
  // A call without a request id cannot be looked up, so resuming it would not finish it.
  const canResume = RequestReference.inJournal(state) !== undefined || state.kind !== 'call';
  // Resuming would wait for the missing nonce again, or pay what is to be canceled.
  const isCancel = error.code === 'submit.nonce-gap' || (purpose === 'cancel' && !isCancelSigned(state));
  const resume = ShellCommand.line`ferry resume ${run.id}`;
  const proceed = isCancel && error.next !== resume ? ShellCommand.line`ferry runs cancel ${run.id}` : resume;
  // It would end the same until something else is set right, or done first.
  const isHindered = error.next !== undefined && [2, 4].includes(error.exit);
  const next = !isOver && canResume && !isHindered ? proceed : (error.next ?? allowances[0]?.next);
  // Whatever stopped this command has not brought back a payment that was out before it. Only a look at its chain says
  // that nobody has paid at an address.
  const isLooked = state.address !== undefined && error.code === 'track.unfinished';
  const out = wasOut && error.funds === 'untouched' && !isOver && !isLooked ? Journal.outOf(state) : undefined;
  const completed = error.with({ run: run.id, next, allowances, ...(out && { funds: out }) });
  if (isOver && state.outcome === undefined) {
    const status = error.code === 'submit.cancelled' ? 'cancelled' : error.code;
    // For an address that nobody paid, the service's status stays at `waiting` to the end.
    const isUnpaid = state.address !== undefined && error.code === 'submit.expired';
    const outcome = {
      status: isUnpaid ? 'expired' : (state.status ?? status),
      funds: error.funds,
      code: error.code,
    };
    await run.append({ type: 'outcome', ...outcome }, undefined, ending?.(completed));
  }
  return completed;
}

/**
 * The run's unused allowances, if the chain answers in time. Never throws, since it only supplements another message.
 */
export async function findUnusedAllowances(state: Journal.State, context: Context): Promise<readonly AllowanceLeft[]> {
  if (!Allowance.mayBeLeft(state)) return [];
  const { network, afterwards } = context;
  try {
    const plan = Resumption.planOf(state, network);
    const { origin, user: owner } = plan.intent;
    const currency = Currency.format(origin);
    const found = await Allowance.leftOver(plan, state, await afterwards(origin.chain));
    return found.map((each) => {
      const { spender, amount, formatted } = Allowance.toRow(each, origin);
      const { name: chain, id: chainId } = origin.chain;
      const flags = {
        account: state.account ?? undefined,
        network: network.name === 'sandbox' ? undefined : network.name,
      };
      const next = ShellCommand.from('allowance revoke', [currency, spender], flags);
      return { chain, chainId, currency, symbol: origin.token.symbol, owner, spender, amount, formatted, next };
    });
  } catch {
    return [];
  }
}
