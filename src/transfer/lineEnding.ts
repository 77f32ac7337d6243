/** The end of a line of a shared batch, which is written together with the outcome of its run. */
import { BaseError } from '../core/base/Errors.js';
import type * as BatchResult from '../core/batch/BatchResult.js';
import type { Context } from '../core/command/Context.js';
import { toJson } from '../core/text/ErrorReport.js';
import type { BatchLineEnd } from '../core/tracking/BatchLineRef.js';
import * as Journal from '../core/tracking/Journal.js';
import { batchOf } from '../core/worker/BatchStore.js';

/** By what its run has resulted in, or why it has failed, with all its facts; undefined if the line will be tried again. */
export type Ending<Result> = (ended: Result | BaseError) => BatchLineEnd | undefined;

/** How a line has ended: its result, and what the result does not say. */
export type Over = { result: BatchResult.Result; error: BaseError | undefined; run: string | null; funds: string };

/** The end as it is stored, without secrets. */
export function endOf(
  { batch, id, digest }: Pick<BatchLineEnd, 'batch' | 'id' | 'digest'>,
  { result: { ok, data, error: told }, error, run, funds }: Over,
  { conceal }: Pick<Context, 'conceal'>,
): BatchLineEnd {
  const doc = conceal(JSON.stringify({ id, digest, ok, data, error: told }));
  return { batch, id, digest, ok, code: error?.code ?? null, funds, run, doc };
}

/** The end of a line, by what its run has resulted in, or why it was not paid. */
export function over<Data extends { funds: string; run?: string | null | undefined }>(
  { id, digest }: { id: string; digest: string },
  ended: Data | BaseError,
): Over {
  const error = ended instanceof BaseError ? ended : undefined;
  const told = error ? { ok: false, data: null, error: toJson(error) } : { ok: true, data: ended, error: null };
  return { result: { command: 'execute', id, digest, ...told }, error, run: ended.run ?? null, funds: ended.funds };
}

/**
 * How a run that somebody finishes by hand ends its line; undefined if it carries out no line of a shared batch. One that
 * has signed nothing leaves its line to the workers.
 */
export function endingOf(
  state: () => Journal.State,
  context: Pick<Context, 'conceal'>,
): Ending<{ status: string; funds: string; run?: string | null }> | undefined {
  const { line } = state();
  const batch = line && batchOf(line.ledger);
  if (!line || batch === undefined) return undefined;
  const of = { ...line, batch };
  return (ended) => {
    const now = state();
    const isLeft = ended instanceof BaseError && !Journal.hasSigned(now) && now.taken === undefined;
    return isLeft ? undefined : endOf(of, over(of, ended), context);
  };
}
