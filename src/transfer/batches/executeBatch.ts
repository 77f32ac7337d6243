/** A batch of executions: each line pays once, however often the batch is restarted. */

import { BaseError } from '../../core/base/Errors.js';
import { once } from '../../core/base/Once.js';
import type { BatchLedger } from '../../core/batch/BatchLedger.js';
import type { BatchLine } from '../../core/batch/BatchLine.js';
import * as BatchResult from '../../core/batch/BatchResult.js';
import type { Context } from '../../core/command/Context.js';
import type { CommandEvent } from '../../core/event/DisplayEvent.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as BatchLineRef from '../../core/tracking/BatchLineRef.js';
import type { LineRun, Intent as RunIntent, Runs } from '../../core/tracking/RunStore.js';
import { checkExecution, executeTransfer } from '../executeTransfer.js';
import { type BatchLineSource, commandLine, isUntouched } from '../journalledRun.js';
import { resendPending } from '../resumeRun.js';
import { partiesOf } from '../transferOptions.js';
import { runBatch, type Work } from './batch.js';
import { finish, resultOf } from './finishLine.js';

type BatchOptions = Parameters<typeof runBatch>[0] & { again?: boolean | undefined };

/**
 * Executes every line that the ledger does not have. A line that an earlier process started is finished from its
 * journal.
 *
 * @throws usage.* · batch.* · config.unwritable
 */
export async function* executeBatch(
  options: BatchOptions,
  context: Context,
): AsyncGenerator<CommandEvent, BatchResult.Totals> {
  const { batch = '-', out, retryFailed } = options;
  if (out === undefined) throw noLedger(batch);
  const { network } = context;
  const instance = await context.instance();
  const ledger = await context.ledger(out, { command: 'execute', network: network.name, retryFailed });
  try {
    if (ledger.isTorn)
      context.warn('The last line of the ledger was incomplete: that transfer is looked up in its journal.');
    const place = { network: network.name, instance: instance ?? null };
    const begunAs = await findStarted(ledger, place, options, context);
    return yield* runBatch(options, context, workOf(ledger, begunAs, options, context), ledger);
  } finally {
    ledger.close();
  }
}

/** How each line is checked, begun or finished, and noted. */
function workOf(ledger: BatchLedger, begunAs: FindStarted, options: BatchOptions, context: Context): Work {
  const command = commandLine('execute', options, context);
  const sourceOf = ({ id, digest }: BatchLine): BatchLineSource => ({
    place: { ledger: ledger.path, id, digest },
    command,
    isContinued: ledger.before.succeeded > 0,
  });
  /** The runs that earlier processes began, of lines without a result. */
  const interrupted = new Set<string>();
  /** The run of each line that has one and no result yet. */
  const runOf = new Map<string, string>();
  const resend = once(() => resendInterrupted(interrupted, context));
  return {
    command: 'execute',
    async assert(line) {
      const before = await begunAs(line);
      if (before) interrupted.add(before.run);
    },
    async check(line, typed, within, read) {
      // What was started has passed the checks, and is finished whatever has changed since.
      if (!(await begunAs(line))) await checkExecution(typed, within, read);
    },
    async partiesOf(line, typed, within) {
      const parties = await partiesOf(typed, within);
      return parties && { ...parties, isBegun: (await begunAs(line)) !== undefined };
    },
    async runLine(line, typed, within) {
      await resend();
      const before = runOf.get(line.id) ?? (await begunAs(line))?.run;
      if (before !== undefined) runOf.set(line.id, before);
      try {
        const finished = before && (await finish(before, { ...typed, retryFailed: options.retryFailed }, within));
        const outcome = finished || (await resultOf(executeTransfer(typed, within, sourceOf(line))));
        if (outcome.run) runOf.set(line.id, outcome.run);
        return outcome;
      } catch (error) {
        if (error instanceof BaseError && error.run !== undefined) runOf.set(line.id, error.run);
        throw error;
      }
    },
    async recorded(id) {
      const run = runOf.get(id);
      runOf.delete(id);
      if (run !== undefined) await (await context.runs()).recorded(run);
    },
  };
}

/** The run that an earlier process began for a line. @throws batch.ledger if the id was begun as another that may have paid */
type FindStarted = (line: BatchLine) => Promise<LineRun | undefined>;

/**
 * Finds them by the ledger, wherever it was when they began. A run whose ledger is gone from its place is of the batch that has
 * the same lines now. One whose ledger is still there, without its result, may be of this batch as well: another ledger
 * may have taken the place of the one that was moved.
 */
async function findStarted(
  ledger: BatchLedger,
  place: Pick<RunIntent, 'network' | 'instance'>,
  { again = false }: BatchOptions,
  context: Context,
): Promise<FindStarted> {
  if (again) return async () => undefined;
  const runs = await context.runs();
  const here = new Map(await runs.ofLedger(ledger.path, place, (line) => !ledger.find(line)));
  const unrecorded = await runs.unrecordedLines(place);
  for (const each of unrecorded) {
    const { run, line } = each;
    if (line.ledger !== ledger.path) continue;
    const result = ledger.find(line);
    const known = here.get(line.id) ?? [];
    // An earlier process stopped between the ledger and the note. Another transfer under the id may be of a later batch.
    if (result === 'same') await runs.recorded(run);
    // The list of a ledger may have lost its end, as by a power failure.
    else if (!result && !known.some((one) => one.run === run)) here.set(line.id, [each, ...known]);
  }
  const unknownHere = unrecorded.filter(({ line }) => line.ledger !== ledger.path);
  const inOtherLedgers = [...unknownHere, ...(await begunForOriginal(ledger, place, runs))];
  const isThere = (path: string): Promise<boolean> => context.files.exists(path);
  const moved = await BatchLineRef.ofLedgers(inOtherLedgers, async (path) => !(await isThere(path)));
  const elsewhere = await BatchLineRef.ofLedgers(inOtherLedgers, isThere);
  let isTold = false;
  return async (line) => {
    const known = await countingOf(here.get(line.id), runs);
    if (known && known.line.digest === line.digest) return known;
    // A line may be corrected once its run is known to have moved nothing.
    if (known && !(await isUntouched(known.run, runs)))
      throw BatchResult.otherTransfer(line).with({
        run: known.run,
        next: ShellCommand.line`ferry runs show ${known.run}`,
      });
    const other = await countingOf(moved.get(BatchLineRef.keyOf(line)), runs);
    if (other && !isTold)
      context.warn(
        `The ledger of an earlier start of this batch is no longer at ${TerminalText.escape(other.line.ledger)}: the lines that it began are finished here.`,
      );
    isTold ||= other !== undefined;
    if (other) return other;
    const open = await countingOf(elsewhere.get(BatchLineRef.keyOf(line)), runs);
    if (open && !(await isUntouched(open.run, runs))) throw begunElsewhere(line, open);
    return undefined;
  };
}

/** The runs of the lines that a copy of a ledger does not have, and the original may: a copy is of the same batch. */
async function begunForOriginal(
  ledger: BatchLedger,
  place: Pick<RunIntent, 'network' | 'instance'>,
  runs: Runs,
): Promise<readonly LineRun[]> {
  const originals = new Set<string>();
  for (const run of ledger.runs) {
    const made = await runs.show(run).catch(unknownRun);
    if (made?.state?.line) originals.add(made.state.line.ledger);
  }
  originals.delete(ledger.path);
  const begun = [...originals].map((path) => runs.ofLedger(path, place, (line) => !ledger.find(line)));
  return (await Promise.all(begun)).flatMap((lines) => [...lines.values()].flat());
}

/** Of a run that another machine has made, or that is pruned, nothing is known here. */
function unknownRun(error: unknown): undefined {
  if (!(error instanceof BaseError && error.code === 'run.unknown')) throw error;
}

function begunElsewhere({ id, number }: BatchLine, { run, line }: LineRun): BaseError {
  return BatchResult.ledgerError(
    `line ${number} of the batch ("${TerminalText.escape(id)}") was begun for another ledger`,
  ).with({
    facts: [['ledger', line.ledger]],
    hint: 'Finish the batch with that ledger: pass it with --out. To pay all lines once more, add --again. Nothing was executed.',
    next: ShellCommand.line`ferry runs show ${run}`,
    run,
  });
}

/** Of the runs of a line, the newest that may have moved something: with `--again`, a later one may have moved nothing. */
async function countingOf(begun: readonly LineRun[] = [], runs: Runs): Promise<LineRun | undefined> {
  if (begun.length > 1) for (const each of begun) if (!(await isUntouched(each.run, runs))) return each;
  return begun[0];
}

/**
 * Sends the pending transactions of interrupted runs again, lowest nonce first, before any line signs: what they are
 * about to spend would count as free. A failure is not reported here: the line of the run meets it again.
 */
async function resendInterrupted(ids: ReadonlySet<string>, context: Context): Promise<void> {
  const runs = await context.runs();
  const records = await Promise.all([...ids].map((id) => runs.show(id).catch(() => undefined)));
  const pending = records.flatMap((record) => {
    const sent = [...(record?.state?.sent.values() ?? [])].find(({ receipt }) => !receipt);
    return record && sent && !record.state?.outcome ? [{ id: record.id, nonce: sent.nonce }] : [];
  });
  for (const { id } of pending.toSorted((a, b) => a.nonce - b.nonce)) {
    context.signal.throwIfAborted();
    const run = await runs.open(id).catch(() => undefined);
    if (!run) continue;
    try {
      await resendPending(run, context);
    } catch {
      // The line of the run meets the same failure.
    } finally {
      run.close();
    }
  }
}

function noLedger(batch: string): BaseError {
  return new BaseError('usage.missing', 'A batch that pays needs a ledger: name its file with --out.', {
    hint: 'With a ledger, an interrupted batch can continue and pays nothing twice.',
    next: ShellCommand.line`ferry execute --batch ${batch} --out results.ndjson`,
  });
}
