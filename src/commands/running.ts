/** A run from its first line to its last: what every command that moves money has in common. */
import type { Context } from '../context.js';
import * as Amount from '../core/Amount.js';
import * as CommandLine from '../core/CommandLine.js';
import * as Currency from '../core/Currency.js';
import * as Digest from '../core/Digest.js';
import type { BaseError } from '../core/Errors.js';
import type * as Intent from '../core/Intent.js';
import * as Journal from '../core/Journal.js';
import type { OutcomeDocument } from '../core/OutcomeDocument.js';
import * as Progress from '../core/Progress.js';
import type { Run } from '../core/Run.js';
import { toBaseError } from '../core/render/Failure.js';
import type { Event, Flags } from './Command.js';

export const runFlags = {
  again: { type: 'boolean', description: 'also while the same transfer is not finished: it is sent a second time' },
} as const satisfies Flags;

/** What is typed again: the command's name with its arguments and options. */
export type Typed = { name: string; options: { args: readonly string[]; again?: boolean | undefined } };

/**
 * Begins a run and tells its name.
 *
 * @throws config.unwritable · run.unfinished
 */
export async function* begin(
  intent: Intent.Intent,
  { name, options }: Typed,
  context: Context,
): AsyncGenerator<Event, Run> {
  const { network } = context;
  const instance = (await context.instance()) ?? null;
  const { args, again = false, ...flags } = options;
  const command = args.includes('-')
    ? null
    : CommandLine.from(name, args, { ...flags, ...(network.name === 'sandbox' ? {} : { network: network.name }) });
  const { user, origin, destination, tradeType, amount, recipient, refundTo } = intent;
  const side = ({ chain, token }: typeof origin): string => `${chain.id}/${token.address.toLowerCase()}`;
  const key = Digest.of({
    network: network.name,
    instance,
    from: side(origin),
    to: side(destination),
    amount: String(amount),
    ...{ user, tradeType, recipient, refundTo },
  });
  const runs = await context.runs();
  const run = await runs.create(
    {
      kind: kindOf(intent),
      network: network.name,
      instance,
      baseUrl: network.baseUrl ?? null,
      key,
      summary: summaryOf(intent),
      command,
      account: context.config.account.value ?? null,
    },
    { again },
  );
  yield { type: 'run', run: run.id, folder: runs.folder };
  return run;
}

/**
 * Writes down how the service's word changes and how it ends, and lets go of the run. Every error names the run, where the
 * money is, and the command that goes on.
 */
export async function* written<Result extends OutcomeDocument>(
  run: Run,
  running: AsyncGenerator<Event, Result>,
): AsyncGenerator<Event, Result> {
  try {
    let step = await running.next();
    while (!step.done) {
      const event = step.value;
      if (event.type === 'status') await run.append({ type: 'status', status: String(event.status) });
      yield event;
      step = await running.next();
    }
    const { status, funds } = step.value;
    if (Progress.isTerminal({ status }) && run.state().outcome === undefined)
      await run.append({ type: 'outcome', status, funds, code: null });
    return { ...step.value, run: run.id };
  } catch (thrown) {
    throw await ended(run, toBaseError(thrown));
  } finally {
    await running.return(undefined as never);
    run.close();
  }
}

/** The error with what the journal knows. */
async function ended(run: Run, error: BaseError): Promise<BaseError> {
  const state = run.state();
  error.run = run.id;
  if (Journal.isFinal(state, error)) {
    if (state.outcome === undefined)
      await run.append({ type: 'outcome', status: state.status ?? error.code, funds: error.funds, code: error.code });
    return error;
  }
  error.next = `ferry resume ${run.id}`;
  return error;
}

function kindOf({ gasless, origin }: Intent.Intent): Journal.Kind {
  return origin.chain.vm === 'lvm' ? 'transfer' : (gasless ?? 'transactions');
}

/** `100 alpha/usdc → beta/usdc`, the amount in units of its token. */
function summaryOf({ amount, origin, destination, tradeType }: Intent.Intent): string {
  const exact = tradeType === 'EXACT_INPUT' ? origin : destination;
  const from = Currency.format(origin);
  const to = Currency.format(destination);
  const text = Amount.format(amount, exact.token.decimals);
  return exact === origin ? `${text} ${from} → ${to}` : `${from} → ${text} ${to}`;
}
