/** A run from its first line to its last: what every command that moves money has in common. */

import type { AllowanceLeft, BaseError, Funds } from '../core/base/Errors.js';
import * as Url from '../core/base/Url.js';
import type { Flags } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event } from '../core/event/Event.js';
import * as Allowance from '../core/execution/Allowance.js';
import * as Plan from '../core/execution/Plan.js';
import type * as RunOpening from '../core/execution/RunOpening.js';
import * as RequestReference from '../core/history/RequestReference.js';
import * as Currency from '../core/quote/Currency.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import { toBaseError } from '../core/text/ErrorReport.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import type { BatchPlace } from '../core/tracking/BatchLineRef.js';
import * as Journal from '../core/tracking/Journal.js';
import type { Run, Intent as RunIntent } from '../core/tracking/RunStore.js';
import * as TransferStatus from '../core/tracking/TransferStatus.js';

export const runFlags = {
  again: { type: 'boolean', description: 'also while the same transfer is not finished: it is sent a second time' },
} as const satisfies Flags;

/** What is typed again: the command's name with its arguments and options. */
export type Typed = {
  name: string;
  options: { args: readonly string[]; again?: boolean | undefined };
  /** The line of a batch, and the batch as it is typed again. */
  line?: LineOf | undefined;
};

export type LineOf = { place: BatchPlace; command: string | null };

/**
 * Begins a run and tells its name.
 *
 * @param opening what it is begun with at a place
 * @throws config.unwritable · run.unfinished
 */
export async function* begin(
  opening: (place: RunOpening.Place) => RunIntent,
  { name, options, line }: Typed,
  context: Context,
): AsyncGenerator<Event, Run> {
  const { network } = context;
  const instance = await context.instance();
  const { args, again = false, ...flags } = options;
  const command = line ? line.command : commandLine(name, args, flags, context);
  const account = context.config.account.value ?? null;
  const runs = await context.runs();
  const run = await runs.create(
    opening({ instance, baseUrl: network.baseUrl && Url.place(network.baseUrl), command, account, line: line?.place }),
    {
      again,
    },
  );
  yield { type: 'run', run: run.id, folder: runs.folder };
  return run;
}

/** What was typed, to be typed again; null where it cannot be, since something was piped in. */
export function commandLine(
  name: string,
  args: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  { network }: Pick<Context, 'network'>,
): string | null {
  if ([...args, ...Object.values(flags)].includes('-')) return null;
  return ShellCommand.from(name, args, { ...flags, ...(network.name === 'sandbox' ? {} : { network: network.name }) });
}

/**
 * Writes down how the service's word changes and how it ends, and lets go of the run. Every error names the run, where the
 * money is, what was allowed and not used, and the command that goes on.
 */
export async function* written<Result extends { status: string; funds: Funds }>(
  run: Run,
  running: AsyncGenerator<Event, Result>,
  context: Context,
): AsyncGenerator<Event, Result> {
  try {
    let step = await running.next();
    while (!step.done) {
      const event = step.value;
      if (event.type === 'status') await run.append({ type: 'status', status: event.status });
      yield event;
      step = await running.next();
    }
    const { status, funds } = step.value;
    if (TransferStatus.isTerminal({ status }) && run.state().outcome === undefined)
      await run.append({ type: 'outcome', status, funds, code: null });
    return { ...step.value, run: run.id };
  } catch (thrown) {
    throw await ended(run, toBaseError(thrown), context);
  } finally {
    await running.return(undefined as never);
    run.close();
  }
}

/** The error with what the journal knows. */
async function ended(run: Run, error: BaseError, context: Context): Promise<BaseError> {
  const state = run.state();
  error.run = run.id;
  const isOver = state.outcome !== undefined || Journal.isFinal(state, error);
  if (isOver && state.outcome === undefined) {
    const word = error.code === 'submit.cancelled' ? 'cancelled' : error.code;
    await run.append({ type: 'outcome', status: state.status ?? word, funds: error.funds, code: error.code });
  }
  error.allowances = await allowancesLeft(state, context);
  // A call that nobody can be asked about is not brought to its end by resuming it.
  const isAskable = RequestReference.inJournal(state) !== undefined || state.kind !== 'call';
  if (!isOver && isAskable) error.next = `ferry resume ${run.id}`;
  else error.next ??= error.allowances[0]?.next;
  return error;
}

/** What the run has allowed and not used, as far as the chain tells in a moment. Never throws: it is said beside something else. */
export async function allowancesLeft(state: Journal.State, context: Context): Promise<readonly AllowanceLeft[]> {
  if (!state.quote || !Allowance.mayBeLeft(state)) return [];
  const { network, afterwards } = context;
  try {
    const plan = Plan.restored(QuoteDocument.toQuote(state.quote.document, network));
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
