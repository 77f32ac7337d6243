/** What every store of runs has in common: their names, what may go unwritten, and how they refuse. */
import { BaseError } from '../../core/base/Errors.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as Journal from '../../core/tracking/Journal.js';
import type * as JournalCodec from '../../core/tracking/JournalCodec.js';
import type { RunRecord } from '../../core/tracking/RunStore.js';
import { batchOf } from '../../core/worker/BatchStore.js';
import * as fileLock from '../locks/fileLock.js';
import type { Host } from '../terminal/host.js';

/** Entries that only record what has happened: the run continues if they cannot be written. */
export const notes: readonly Journal.Entry['type'][] = ['broadcast', 'receipt', 'request', 'status', 'outcome'];

/** The state of a run. A copy under another name would be a second run of the same transfer. @throws run.unreadable */
export function stateOf(id: string, { lines, isOwn }: Pick<JournalCodec.Read, 'lines' | 'isOwn'>): Journal.State {
  const state = Journal.from(lines.map(({ entry }) => entry));
  if (state.run !== id)
    throw new BaseError('run.unreadable', `The journal ${id} is a copy of the run ${state.run}.`, {
      hint: 'A copy could pay a second time, so ferry does not act on it. Remove it.',
      funds: 'unknown',
    });
  // The command is offered as the one to type next: never what somebody else may have written.
  return isOwn ? state : { ...state, command: null };
}

/** A run id such as `20261121-093000-1f2e3d`, in UTC. */
export function nameOf({ now, randomBytes }: Pick<Host, 'now' | 'randomBytes'>): string {
  const time = new Date(now()).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${Buffer.from(randomBytes(3)).toString('hex')}`;
}

/** A complete id was printed by ferry: if the journal is lost, what the run signed may still be used. */
export function unknownRunError(name: string): BaseError {
  const isWhole = /^\d{8}-\d{6}-[0-9a-f]{6}$/.test(name);
  return new BaseError('run.unknown', `There is no run named ${name}.`, {
    ...(isWhole && {
      funds: 'unknown',
      hint: 'If it was begun here, its journal is lost, and what it signed may still pay. Do not start the transfer again before that has expired, nor without a look at the account.',
    }),
    next: 'ferry runs list',
  });
}

export function ambiguousRunError(name: string, found: readonly string[]): BaseError {
  return new BaseError('run.ambiguous', `${found.length} runs end with ${name}.`, { next: 'ferry runs list' });
}

export function runBusyError(run: string, holder: fileLock.Holder | undefined): BaseError {
  return new BaseError('run.busy', 'Another process is executing this run.', {
    facts: holder ? [['process', fileLock.formatHolder(holder)]] : [],
    hint: fileLock.adviceOn(holder),
    next: holder?.isElsewhere ? ShellCommand.line`ferry resume ${run} --take-over` : undefined,
    funds: 'unknown',
    run,
  });
}

export function unfinishedRunError({ id, state, isHeld }: RunRecord): BaseError {
  const what = state?.kind === 'call' ? 'call' : 'transfer';
  return new BaseError(
    'run.unfinished',
    `The same ${what} was started before and is not finished, so it is not sent again.`,
    {
      facts: state ? [['begun', state.summary]] : [],
      hint: `${isHeld ? 'Another process is executing it.' : 'Finish it first.'} To send it a second time, use --again.`,
      next: isHeld ? ShellCommand.line`ferry runs show ${id}` : ShellCommand.line`ferry resume ${id}`,
      run: id,
      requestId: state?.quote?.requestId,
    },
  );
}

export function begunError(run: RunRecord): BaseError {
  const { outcome, line, quote } = run.state ?? {};
  return outcome
    ? new BaseError('batch.begun', 'The line was begun before, and its run has moved money: it is not begun again.', {
        facts: [['funds', outcome.funds]],
        hint:
          line && batchOf(line.ledger) === undefined
            ? 'Another machine, or a batch with another --out, has begun it. If it is meant a second time, use --again. For a batch of several machines: ferry batch submit.'
            : undefined,
        next: ShellCommand.line`ferry runs show ${run.id}`,
        run: run.id,
        requestId: quote?.requestId,
      })
    : unfinishedRunError(run);
}

export function emptyError(run: string, path: string): BaseError {
  return new BaseError(
    'run.unsigned',
    'The run ended before its first journal entry was written. Nothing was signed.',
    {
      facts: [['journal', path]],
      run,
    },
  );
}
