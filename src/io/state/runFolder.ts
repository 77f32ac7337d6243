/** The journals of all runs, in the folder `runs` of the state directory. A run's id starts with its start time. */
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import * as BatchLineRef from '../../core/tracking/BatchLineRef.js';
import * as Journal from '../../core/tracking/Journal.js';
import type { LineRun, Run, RunRecord, Runs } from '../../core/tracking/RunStore.js';
import { makeFolder as makeFolderAt } from '../files/makeFolder.js';
import type { Host } from '../terminal/host.js';
import * as fileLock from './fileLock.js';
import * as finishedRuns from './finishedRuns.js';
import * as journalFile from './journalFile.js';
import { stateDir } from './paths.js';

/** The parts of the host that keeping journals requires. */
export type RunsHost = Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'randomBytes' | 'signal'>;

/** Entries that only record what has happened: the run continues if they cannot be written. */
const notes: readonly Journal.Entry['type'][] = ['broadcast', 'receipt', 'request', 'status', 'outcome'];

/** Creates the store of a host’s journals, the ones that `ferry runs` shows and `ferry resume` continues. */
export function createRuns(host: RunsHost, warn: (text: string) => void): Runs {
  const folder = join(stateDir(host), 'runs');
  const file = (id: string): string => join(folder, `${id}.jsonl`);
  const lockOf = (id: string): string => join(folder, `${id}.lock`);

  const names = (): string[] => {
    try {
      return readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => name.slice(0, -'.jsonl'.length))
        .sort()
        .reverse();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new UnreadableRunsError(folder, error);
    }
  };

  const withSize = (id: string): finishedRuns.Over => [id, statSync(file(id)).size];

  const record = (id: string): RunRecord => {
    const isHeld = fileLock.isHeld(lockOf(id));
    try {
      const { lines } = journalFile.read(file(id));
      // The first line was torn, so nothing was done yet.
      if (lines.length === 0) throw new EmptyError(id);
      const state = Journal.from(lines.map(({ entry }) => entry));
      return { id, lines, state, updatedAt: lines.at(-1)?.at ?? 0, problem: undefined, isHeld };
    } catch (error) {
      const problem = error instanceof BaseError ? error : new UnreadableRunsError(file(id), error);
      return { id, lines: [], state: undefined, updatedAt: 0, problem, isHeld };
    }
  };

  /** Journals of runs that may be unfinished. Runs found to be finished are indexed and skipped the next time. */
  const open = (): RunRecord[] => {
    const over = finishedRuns.read(folder);
    const rest = names().filter((id) => over.get(id) !== statSync(file(id)).size);
    const records = rest.map(record);
    const isOver = ({ state, isHeld }: RunRecord): boolean =>
      state !== undefined && !isHeld && !Journal.isUnfinished(state);
    finishedRuns.add(
      folder,
      records.filter(isOver).map(({ id }) => withSize(id)),
    );
    return records.filter((each) => !isOver(each));
  };

  const find = (name: string): string => {
    const all = names();
    const found = all.includes(name) ? [name] : all.filter((id) => name !== '' && id.endsWith(name));
    const [id, ...more] = found;
    if (id === undefined) throw new UnknownRunError(name);
    if (more.length > 0) throw new AmbiguousRunError(name, found);
    return id;
  };

  const hold = (id: string, journal: journalFile.JournalFile, begun: Journal.State): Run => {
    let state = begun;
    let warned = false;
    return {
      id,
      state: () => state,
      async append(entry) {
        try {
          journal.append(entry);
        } catch (error) {
          if (!notes.includes(entry.type)) throw error;
          if (!warned) warn(`${(error as Error).message} The run continues without this entry.`);
          warned = true;
          return;
        }
        state = Journal.reduce(state, entry);
        if (entry.type === 'outcome') finishedRuns.add(folder, [withSize(id)]);
      },
      close() {
        journal.close();
        fileLock.release(lockOf(id));
      },
    };
  };

  return {
    folder,

    async create(intent, { again }) {
      makeFolder(folder);
      // Serialized, so that the second of two commands for the same transfer sees the first.
      const door = join(folder, 'begin.lock');
      await acquiring(door, host.signal);
      try {
        const same = again ? undefined : open().find(({ state }) => state && BatchLineRef.isSame(state, intent));
        if (same) throw new UnfinishedRunError(same);
        const id = nameOf(host);
        journalFile.writing(folder, () => fileLock.tryAcquire(lockOf(id)));
        let journal: journalFile.JournalFile | undefined;
        try {
          const begun: Journal.Entry = { type: 'intent', run: id, ...intent };
          journal = journalFile.create({ path: file(id), now: host.now });
          journal.append(begun);
          return hold(id, journal, Journal.from([begun]));
        } catch (error) {
          journal?.close();
          rmSync(file(id), { force: true });
          fileLock.release(lockOf(id));
          throw error;
        }
      } finally {
        fileLock.release(door);
      }
    },

    async open(name) {
      const id = find(name);
      if (!journalFile.writing(folder, () => fileLock.tryAcquire(lockOf(id))))
        throw new RunBusyError(id, fileLock.holder(lockOf(id)));
      try {
        const { lines, ...journal } = journalFile.open({ path: file(id), now: host.now });
        if (lines.length === 0) throw new EmptyError(id);
        return hold(id, journal, Journal.from(lines.map(({ entry }) => entry)));
      } catch (error) {
        fileLock.release(lockOf(id));
        throw error;
      }
    },

    async show(name) {
      const found = record(find(name));
      if (found.problem) throw found.problem;
      return found;
    },

    list: async (limit) => names().slice(0, limit).map(record),
    unfinished: async () => open().filter(({ state }) => state && Journal.isUnfinished(state)),

    async ofLedger(path, { network, instance }) {
      const found = new Map<string, LineRun>();
      for (const run of names()) {
        const begun = journalFile.first(file(run));
        if (begun?.line?.ledger !== path || begun.network !== network || begun.instance !== instance) continue;
        const { id, digest } = begun.line;
        if (!found.has(id)) found.set(id, { run, digest });
      }
      return found;
    },

    async prune(beforeMs) {
      const unfinished = new Set(open().map(({ id }) => id));
      const gone = names().filter((id) => !unfinished.has(id) && statSync(file(id)).mtimeMs < beforeMs);
      for (const id of gone) for (const path of [file(id), lockOf(id)]) rmSync(path, { force: true });
      finishedRuns.keep(folder, names());
      return gone;
    },
  };
}

/** A run id such as `20261121-093000-1f2e3d`, in UTC. */
function nameOf({ now, randomBytes }: RunsHost): string {
  const time = new Date(now()).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${Buffer.from(randomBytes(3)).toString('hex')}`;
}

/** Creates the folder, private to this user. */
function makeFolder(folder: string): void {
  journalFile.writing(folder, () => {
    const first = makeFolderAt(folder);
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
    if (first === undefined) return;
    for (let made = folder; made.length >= first.length; made = dirname(made)) journalFile.syncFolder(dirname(made));
  });
}

async function acquiring(path: string, signal: AbortSignal): Promise<void> {
  try {
    await fileLock.acquire(path, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    journalFile.writing(path, () => {
      throw error;
    });
  }
}

export class UnknownRunError extends BaseError {
  override name = 'UnknownRunError';
  constructor(name: string) {
    super('run.unknown', `There is no run named ${name}.`, { next: 'ferry runs list' });
  }
}

export class AmbiguousRunError extends BaseError {
  override name = 'AmbiguousRunError';
  constructor(name: string, found: readonly string[]) {
    super('run.ambiguous', `${found.length} runs end with ${name}.`, { next: 'ferry runs list' });
  }
}

export class RunBusyError extends BaseError {
  override name = 'RunBusyError';
  constructor(run: string, holder: { pid: number } | undefined) {
    super('run.busy', 'Another process is executing this run.', {
      facts: holder ? [['process', String(holder.pid)]] : [],
      hint: 'Let it finish, or stop it first.',
      funds: 'unknown',
      run,
    });
  }
}

/** The same transfer has been started before and is unfinished. */
export class UnfinishedRunError extends BaseError {
  override name = 'UnfinishedRunError';
  constructor({ id, state, isHeld }: RunRecord) {
    const what = state?.kind === 'call' ? 'call' : 'transfer';
    super('run.unfinished', `The same ${what} was started before and is not finished, so it is not sent again.`, {
      facts: state ? [['begun', state.summary]] : [],
      hint: `${isHeld ? 'Another process is executing it.' : 'Finish it first.'} To send it a second time, use --again.`,
      next: isHeld ? `ferry runs show ${id}` : `ferry resume ${id}`,
      run: id,
      requestId: state?.quote?.requestId,
    });
  }
}

export class EmptyError extends BaseError {
  override name = 'EmptyError';
  constructor(run: string) {
    super('run.unsigned', 'The run ended before its first journal entry was written. Nothing was signed.', { run });
  }
}

export class UnreadableRunsError extends BaseError {
  override name = 'UnreadableRunsError';
  constructor(path: string, cause: unknown) {
    super('run.unreadable', `${path} cannot be read.`, {
      facts: [['cause', cause instanceof Error ? cause.message : String(cause)]],
      cause,
    });
  }
}
