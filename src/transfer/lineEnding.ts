/** The end of a line of a shared batch, which is written together with the outcome of its run. */
import type { BaseError } from '../core/base/Errors.js';
import type * as BatchResult from '../core/batch/BatchResult.js';
import type { Context } from '../core/command/Context.js';
import { toJson } from '../core/text/ErrorReport.js';
import type { BatchLineEnd } from '../core/tracking/BatchLineRef.js';
import * as Journal from '../core/tracking/Journal.js';
import { batchOf } from '../core/worker/BatchStore.js';

export type Ending<Result> = {
  /** By what its run has resulted in. */
  succeeded(result: Result): BatchLineEnd;
  /** By why its run has failed, with all its facts; undefined if the line will be tried again. */
  failed(error: BaseError): BatchLineEnd | undefined;
};

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

/** The result of a line that was paid. */
export function succeeded<Data extends { funds: string; run?: string | null }>(
  { id, digest }: { id: string; digest: string },
  data: Data,
): Over {
  const result = { command: 'execute' as const, id, digest, ok: true as const, data, error: null };
  return { result, error: undefined, run: data.run ?? null, funds: data.funds };
}

/** The result of a line that was not. */
export function failed({ id, digest }: { id: string; digest: string }, error: BaseError): Over {
  const result = { command: 'execute' as const, id, digest, ok: false as const, data: null, error: toJson(error) };
  return { result, error, run: error.run ?? null, funds: error.funds };
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
  return {
    succeeded: (result) => endOf(of, succeeded(of, result), context),
    failed(error) {
      const { taken, ...now } = state();
      return Journal.hasSigned(now) || taken !== undefined ? endOf(of, failed(of, error), context) : undefined;
    },
  };
}
