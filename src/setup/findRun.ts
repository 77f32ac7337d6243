/** The runs of this machine that somebody asks about, by their own name, a request, a transaction or an address. */
import { BaseError } from '../core/base/Errors.js';
import type { Context } from '../core/command/Context.js';
import * as Resumption from '../core/execution/Resumption.js';
import * as RequestReference from '../core/history/RequestReference.js';
import * as RequestSource from '../core/history/RequestSource.js';
import * as RunDocument from '../core/history/RunDocument.js';
import * as Journal from '../core/tracking/Journal.js';
import type { RunRecord } from '../core/tracking/RunStore.js';

/** A run of this machine by its journal. */
export type NamedRun = {
  state: Journal.State;
  /** Whether it has moved nothing and no longer can: only another run can have paid the request. */
  isUnpaid: boolean;
  /** Whether it is this user's and has an end. */
  hasEnd: boolean;
};

/** The journal of a run that may have paid. */
export function payingState(run: NamedRun | undefined): Journal.State | undefined {
  return run && !run.isUnpaid ? run.state : undefined;
}

/**
 * The unfinished run of this machine with one of these references. A status must not fail for want of journals, and what
 * somebody else may have written must not hide what is out.
 */
export async function findRun(references: readonly string[], context: Context): Promise<RunRecord | undefined> {
  try {
    const unfinished = await (await context.runs()).unfinished();
    const found = unfinished.filter(({ state }) => state && references.some((each) => Journal.isOf(state, each)));
    return found.find(({ isOwn }) => isOwn) ?? found[0];
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    context.warn(`The journals of this machine were not consulted: ${error.message}`);
    return undefined;
  }
}

/** How many runs are looked through for one that has ended. */
const latestRuns = 100;

/** The journal of a run of this user that has paid a request and has an end. */
export async function findPaid(reference: string, context: Context): Promise<Journal.State | undefined> {
  // Why the service does not answer is the error to tell.
  const latest = await context
    .runs()
    .then((runs) => runs.list(latestRuns))
    .catch(() => []);
  return latest.find(
    (each) =>
      each.state && Journal.isOf(each.state, reference) && hasEnd(each) && each.state.outcome?.funds !== 'untouched',
  )?.state;
}

/** Whether a run has an end: what somebody else may have written does not say so. */
function hasEnd({ state, isHeld, isOwn }: RunRecord): boolean {
  const { funds } = state?.outcome ?? {};
  return isOwn && !isHeld && funds !== undefined && funds !== 'unknown';
}

/** The latest run on the network in use. @throws run.unknown */
export async function latestOf(context: Context): Promise<string> {
  const { network } = context;
  const here = { network, instance: await context.instance() };
  const mayBeHere = ({ state, isOwn }: RunRecord): boolean =>
    isOwn && state !== undefined && Resumption.mayBeHere(state, here);
  const [run] = await RunDocument.latest(await Resumption.keptRuns(context), mayBeHere, 1);
  if (!run)
    throw new BaseError('run.unknown', `This machine has no run on ${network.name}.`, {
      hint: 'Name a request, or a transaction of it.',
      next: 'ferry runs list',
    });
  return run.id;
}

/** The reference to look up at the service; for a run, the one in its journal. @throws usage.invalid · run.* */
export async function nameOf(asked: string, context: Context): Promise<{ name: string; run: NamedRun | undefined }> {
  if (RequestReference.isAddress(asked)) {
    // A run of this machine needs no look at the records, for which some services want a key.
    const { state, isOwn = false } = (await findRun([asked], context)) ?? {};
    if (state && isOwn)
      return { name: RequestReference.inJournal(state) ?? asked, run: { state, isUnpaid: false, hasEnd: false } };
    return { name: await RequestReference.findByAddress(asked, RequestSource.from(context)), run: undefined };
  }
  if (!RequestReference.isOfRun(asked)) {
    RequestReference.assert(asked);
    return { name: asked, run: undefined };
  }
  const record = await (await Resumption.keptRuns(context)).show(asked);
  const { state, isHeld } = record;
  const isOver = hasEnd(record);
  if (state) {
    const place = { network: context.network, instance: await context.instance() };
    if (!isOver || !Resumption.mayBeHere(state, place)) Resumption.assertHere(state, place, 'status');
  }
  const name = RequestReference.ofRun(record);
  if (!state) return { name, run: undefined };
  const isUnpaid = !isHeld && (Journal.isUnsigned(state) || (isOver && state.outcome?.funds === 'untouched'));
  return { name, run: { state, isUnpaid, hasEnd: isOver } };
}
