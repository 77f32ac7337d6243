/** Carries one line of a shared batch: holds it to what was signed and to the worker's caps, then pays or finishes it. */
import * as AddressText from '../../core/base/AddressText.js';
import * as Amount from '../../core/base/Amount.js';
import { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import * as BatchLine from '../../core/batch/BatchLine.js';
import type { Context } from '../../core/command/Context.js';
import type { OutcomeDocument } from '../../core/execution/OutcomeDocument.js';
import type * as Currency from '../../core/quote/Currency.js';
import { toBaseError } from '../../core/text/ErrorReport.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as Journal from '../../core/tracking/Journal.js';
import type { Run, RunRecord, Runs } from '../../core/tracking/RunStore.js';
import * as BatchSeal from '../../core/worker/BatchSeal.js';
import {
  type AccountTurn,
  type Batch,
  type BatchState,
  type HeldLine,
  type LineWitness,
  ledgerOf,
  type Reason,
  reasonOf,
} from '../../core/worker/BatchStore.js';
import * as WorkerTrust from '../../core/worker/WorkerTrust.js';
import { executeTransfer } from '../executeTransfer.js';
import type { BatchLineSource } from '../journalledRun.js';
import { type Ending, endOf, type Over, over } from '../lineEnding.js';
import { draftIntent } from '../transferOptions.js';
import type { createLineContexts } from './batch.js';
import { finish, resultOf } from './finishLine.js';

/** What carrying needs besides the line. */
export type Carrying = {
  context: Context;
  contextOf: ReturnType<typeof createLineContexts>;
  read(text: string): Promise<Currency.Currency>;
  trust: WorkerTrust.Trust;
  witness: LineWitness;
  /** The name by which this worker's keys know an account. */
  accountOf(address: string): string;
  /** A batch whose signature has been checked. @throws batch.untrusted */
  signed(name: string): Promise<Signed>;
  /** What the batch is now. */
  stateOf(name: string): Promise<BatchState>;
};

type Signed = { batch: Batch; blocks: readonly Hex[] };

/** How a line has ended, or why it has not. */
export type Carried =
  | ({ kind: 'over' } & Over)
  | { kind: 'left'; state: 'waiting' | 'stuck' | 'refused'; run: string | null; reason: Reason; error: BaseError }
  /** The worker does not take the batch at all. */
  | { kind: 'untaken'; error: BaseError };

/** After these a person decides on the line: it has no result yet. */
const refusals: readonly BaseError['code'][] = ['batch.untrusted', 'batch.begun', 'batch.unmatched'];

/** These say of a run that it cannot be opened here and now, and nothing of what it has paid. */
const unopened: readonly BaseError['code'][] = ['run.busy', 'run.unproved'];

/** After this many attempts, even a failure that may pass is the line's result. */
const mostAttempts = 12;

/** @throws store.* · the signal's reason: the line is then found by whoever holds the account next */
export async function carryLine(line: HeldLine, turn: AccountTurn, carrying: Carrying): Promise<Carried> {
  let run: string | null = null;
  let isTaken = false;
  try {
    const signed = await carrying.signed(line.batch);
    WorkerTrust.assertSubmitter(signed.batch, line.account, carrying.trust);
    isTaken = true;
    const outcome = await pay(line, signed, turn, carrying, (id) => {
      run = id;
    });
    return { kind: 'over', ...over(line, outcome) };
  } catch (thrown) {
    const error = toBaseError(thrown);
    run = error.run ?? run;
    if (carrying.context.signal.aborted || isOfStore(error)) throw error;
    if (!isTaken && error.code === 'batch.untrusted') return { kind: 'untaken', error };
    const left = (state: 'waiting' | 'stuck' | 'refused'): Carried => {
      return { kind: 'left', state, run, reason: reasonOf(error), error };
    };
    if (error instanceof NotReadyError && error.state === 'paused') return left('waiting');
    if (refusals.includes(error.code)) return left('refused');
    if (unopened.includes(error.code) || (run !== null && (await isUnfinished(run, carrying.context))))
      return left('stuck');
    if (error instanceof WorkerTrust.CappedLineError) return left(error.setting === 'maxDay' ? 'waiting' : 'refused');
    if (isForLater(error, line)) return left('waiting');
    return { kind: 'over', ...over(line, error), run };
  }
}

/** Whether a failure may pass, so that it is not the line's result yet. */
function isForLater(error: BaseError, { attempts }: HeldLine): boolean {
  // A store that lacks payments says nothing of this line: it must not end as one that may be tried again.
  if (isBehind(error)) return true;
  return attempts < mostAttempts && error.funds === 'untouched' && error.retryable;
}

/** Errors after which this process has lost its locks. */
function isOfStore({ code }: BaseError): boolean {
  return code.startsWith('store.') && code !== 'store.behind';
}

/** Whether the account must not sign, since its store may have lost payments. */
export function isBehind({ code }: BaseError): boolean {
  return code === 'run.foreign-nonce' || code === 'store.behind';
}

async function isUnfinished(run: string, context: Context): Promise<boolean> {
  const { state } = await (await context.runs()).show(run);
  return state !== undefined && state.outcome === undefined && Journal.isUnfinished(state);
}

/** Whether a run has signed something, but not its payment, which nobody else is known to have seen either. */
function isUnpaid(state: Journal.State): boolean {
  return !state.outcome && !state.taken && Journal.hasSigned(state) && !Journal.isPaid(state);
}

/** Pays a line once: its unfinished runs are finished first, and only where none paid it another is begun. */
async function pay(
  line: HeldLine,
  { batch, blocks }: Signed,
  turn: AccountTurn,
  carrying: Carrying,
  noteRun: (run: string) => void,
): Promise<OutcomeDocument> {
  const { read, trust, witness, stateOf } = carrying;
  const { typed, within: opened } = await openLine(line, blocks, turn, carrying);
  const batchId = BatchSeal.idOf(batch);
  const within = witnessRuns(opened, (run, signatures) => witness.noteSigned(batchId, line, run, signatures));
  const begun = await runsOf(line, batch, { turn, witness }, within);
  const ending = endingOfLine(line, within);
  const assertPayable = () => assertWithinCaps({ line, batch: batchId }, { typed, within, read, trust, witness });
  // All of them, since the order is only what the database says.
  for (const { id, state: before } of begun.toReversed()) {
    noteRun(id);
    // Another worker, with other caps, has signed an approval. The payment would be signed here.
    if (before && isUnpaid(before)) await assertPayable();
    const finished = await finish(id, { ...typed, retryFailed: true }, within, ending);
    if (finished) return finished;
  }
  // Its worker stopped before it signed. Meanwhile, the batch may have been paused or canceled.
  const state = line.state === 'waiting' ? 'ready' : await stateOf(line.batch);
  if (state !== 'ready') throw new NotReadyError(line.batch, state);
  await assertPayable();
  const source: BatchLineSource = {
    place: { ledger: ledgerOf(line.batch), id: line.id, digest: line.digest },
    command: null,
    isContinued: witness.hasBegun(batchId, line.account) || (await turn.hasPaid(line.batch)),
    ending,
  };
  return resultOf(executeTransfer(typed, within, source), (event) => {
    if (event.type !== 'run') return;
    witness.note(batchId, line, event.run);
    noteRun(event.run);
  });
}

/** Holds a line to the blocks that were signed, and opens the account that pays it. @throws batch.untrusted · auth.* */
async function openLine(
  line: HeldLine,
  blocks: Signed['blocks'],
  turn: AccountTurn,
  { contextOf, accountOf }: Carrying,
): Promise<ReturnType<Carrying['contextOf']>> {
  const number = Math.floor(line.n / BatchSeal.blockLines);
  WorkerTrust.assertLine(line, await turn.block(line.batch, number), blocks);
  const transfer = readLine(line);
  if (transfer.id !== line.id || transfer.digest !== line.digest)
    throw WorkerTrust.untrustedBatch(
      line.batch,
      `its line ${TerminalText.escape(line.id)} is not the one that was signed`,
    );
  const options = { ...transfer.options, account: accountOf(line.account) };
  const opened = contextOf({ ...transfer, options });
  if (!AddressText.isEqual(await opened.within.sender(), line.account))
    throw WorkerTrust.untrustedBatch(line.batch, `this worker has no key of ${line.account}`);
  return opened;
}

/** A line of the store, as its file had it. @throws batch.unreadable */
export function readLine({ id, n, doc }: Pick<HeldLine, 'id' | 'n' | 'doc'>): BatchLine.BatchLine {
  return BatchLine.createReader('execute', `line ${TerminalText.escape(id)}`)({ number: n + 1, text: doc });
}

/**
 * The runs of a line that may have paid it. One that the store has lost, or whose journal is not of the line, stops it, unless
 * the submitter has accepted that it did not pay.
 *
 * @throws batch.begun
 */
async function runsOf(
  line: HeldLine,
  batch: Batch,
  { turn, witness }: { turn: AccountTurn; witness: LineWitness },
  within: Context,
): Promise<readonly FoundRun[]> {
  const runs = await turn.runsOf(line);
  const accepted = await BatchSeal.acceptedOf(batch, line, line.accepted);
  const batchId = BatchSeal.idOf(batch);
  const made = witness.runsOf(batchId, line.n);
  const lost = made.find((id) => !runs.includes(id) && !accepted.includes(id));
  if (lost !== undefined) throw forgottenRun(line, lost);
  const store = await within.runs();
  const begun: FoundRun[] = [];
  for (const each of runs) {
    const found = await record(store, each);
    const why = doubtOf(line, found, witness.signedIn(batchId, each));
    if (why === undefined) begun.push(found);
    else if (!accepted.includes(each)) throw doubtfulRun(line, each, why);
  }
  return begun;
}

/**
 * Has this machine remember what the runs of a line have signed: a journal that is cut off later does not make it pay again.
 *
 * @param note called whenever a run has more signatures, before what they sign leaves
 */
function witnessRuns(context: Context, note: (run: string, signatures: number) => void): Context {
  return {
    ...context,
    async runs(): Promise<Runs> {
      const runs = await context.runs();
      return {
        ...runs,
        create: async (...given) => witnessRun(await runs.create(...given), note),
        open: async (name) => witnessRun(await runs.open(name), note),
      };
    },
  };
}

function witnessRun(run: Run, note: (run: string, signatures: number) => void): Run {
  let noted = 0;
  const look = (): void => {
    const signatures = Journal.signatures(run.state());
    if (signatures > noted) note(run.id, signatures);
    noted = signatures;
  };
  // What another process has signed may be sent from here.
  look();
  return {
    ...run,
    async append(...given) {
      await run.append(...given);
      look();
    },
  };
}

/** What the store is told when the run of a line ends. */
function endingOfLine(line: HeldLine, within: Context): Ending<OutcomeDocument> {
  const isOpen = (error: BaseError): boolean =>
    within.signal.aborted || isOfStore(error) || refusals.includes(error.code) || isForLater(error, line);
  return (ended) => (ended instanceof BaseError && isOpen(ended) ? undefined : endOf(line, over(line, ended), within));
}

/** A run as it can be read. */
type FoundRun = Pick<RunRecord, 'id' | 'state'>;

async function record(runs: Runs, id: string): Promise<FoundRun> {
  try {
    return await runs.show(id);
  } catch (error) {
    if (error instanceof BaseError && error.code.startsWith('run.')) return { id, state: undefined };
    throw error;
  }
}

/**
 * Why a run is not one of the line by its own journal; undefined if it is.
 *
 * @param signatures how many this machine knows to be in it
 */
function doubtOf(line: HeldLine, { state }: FoundRun, signatures: number): string | undefined {
  if (!state) return 'cannot be read';
  const { ledger, id, digest } = state.line ?? {};
  const isOf = ledger === ledgerOf(line.batch) && id === line.id && digest === line.digest;
  if (!isOf) return 'is of another line';
  // The seals of a journal that was cut off are as good as before.
  return Journal.signatures(state) < signatures ? 'lacks what this machine has signed in it' : undefined;
}

/** Holds a line that is to be begun to the worker's caps, and counts what it pays. @throws batch.capped */
async function assertWithinCaps(
  { line, batch }: { line: HeldLine; batch: Hex },
  {
    typed,
    within,
    read,
    trust,
    witness,
  }: Pick<Carrying, 'read' | 'trust' | 'witness'> & ReturnType<Carrying['contextOf']>,
): Promise<void> {
  if (!trust.recipients && !trust.maxLine && !trust.maxDay) return;
  const [amount] = typed.args;
  const intent = await draftIntent(typed, within, read);
  const { symbol, decimals } = intent.origin.token;
  const { maxIn }: Readonly<Record<string, unknown>> = typed;
  const cap = typeof maxIn === 'string' ? Amount.from(maxIn, decimals) : undefined;
  const most = Amount.isMax(amount ?? '') ? undefined : WorkerTrust.mostOf(intent, cap);
  const of = { batch, n: line.n };
  // Counted before the cap is asked: of two workers that pay the rest of a day at once, neither passes unseen.
  const isCounted = most !== undefined && witness.spend(symbol, decimals, most, of);
  try {
    WorkerTrust.assertWithin(trust, intent, most, witness.spent(symbol, decimals, of));
  } catch (error) {
    if (isCounted) witness.unspend(of);
    throw error;
  }
}

/** The batch was paused or canceled before the line was signed. */
export class NotReadyError extends BaseError {
  override name = 'NotReadyError';
  readonly state: BatchState;
  constructor(batch: string, state: BatchState) {
    const what = state === 'paused' ? 'paused' : 'canceled';
    super('batch.cancelled', `The batch ${TerminalText.escape(batch)} was ${what} before this line was signed.`);
    this.state = state;
  }
}

function decidedBy({ batch, id }: Pick<HeldLine, 'batch' | 'id'>): string {
  const [again, end] = ['batch retry', 'batch cancel'].map((each) => ShellCommand.from(each, [batch], { line: id }));
  return `If it was not paid: ${again}. If it was: ${end}.`;
}

/** The store says that a run is of the line, and its journal is not what it was. */
function doubtfulRun({ batch, id }: HeldLine, run: string, why: string): BaseError {
  return new BaseError(
    'batch.begun',
    `The journal of the run ${run} of the line ${TerminalText.escape(id)} of ${TerminalText.escape(batch)} ${why}: the line is not begun.`,
    {
      hint: `It may be paid. Somebody has changed the database: look at the chain first. ${decidedBy({ batch, id })}`,
      next: ShellCommand.line`ferry runs show ${run}`,
      run,
    },
  );
}

/** This machine has made a run for the line, and the store has none of it. */
function forgottenRun({ batch, id }: HeldLine, run: string): BaseError {
  return new BaseError(
    'batch.begun',
    `The store has lost the run ${run} of the line ${TerminalText.escape(id)} of ${TerminalText.escape(batch)}: it is not begun again.`,
    {
      hint: `It may be paid. The store was restored from a copy, or somebody has deleted runs: look at the chain first. ${decidedBy({ batch, id })}`,
      next: ShellCommand.from('batch retry', [batch], { line: id }),
      run,
    },
  );
}
