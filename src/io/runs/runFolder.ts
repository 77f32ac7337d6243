/** The journals of all runs, in the folder `runs` of the state directory. A run's id starts with its start time. */
import { chmodSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BaseError } from '../../core/base/Errors.js';
import * as BatchLineRef from '../../core/tracking/BatchLineRef.js';
import * as Journal from '../../core/tracking/Journal.js';
import type { LineRun, Run, RunRecord, Runs } from '../../core/tracking/RunStore.js';
import { makeFolder as makeFolderAt } from '../files/makeFolder.js';
import * as fileLock from '../locks/fileLock.js';
import * as nonceLocks from '../state/nonceLocks.js';
import { stateDir } from '../state/paths.js';
import * as runNames from '../state/runNames.js';
import * as stateFolders from '../state/stateFolders.js';
import * as userSecret from '../state/userSecret.js';
import type { Host } from '../terminal/host.js';
import * as journalFile from './journalFile.js';
import * as runErrors from './runErrors.js';
import * as runIndex from './runIndex.js';

/** The parts of the host that keeping journals requires. */
export type RunsHost = Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'randomBytes' | 'signal'>;

/** How the store reports, and whether it may take locks over. */
export type RunsOptions = { warn(text: string): void; takeOver?: fileLock.TakeOver | undefined };

/** Creates the store of a host’s journals, the ones that `ferry runs` shows and `ferry resume` continues. */
export function createRuns(host: RunsHost, { warn, takeOver }: RunsOptions): Runs {
  const folder = join(stateDir(host), 'runs');
  const locks = nonceLocks.folder(host);
  const door = join(locks, 'runs');
  const file = (id: string): string => join(folder, `${id}.jsonl`);
  const lockOf = (id: string): string => join(locks, `run-${id}`);
  const isThere = (id: string): boolean => statSync(file(id), { throwIfNoEntry: false }) !== undefined;
  const markOf = (id: string, { key }: { key: string }): runIndex.Mark => ({ id, digest: runIndex.digestOf(key) });

  const { find: known, findOrMake: seal } = userSecret.sealing(host);

  /** Whether there are journals; then there is an index of them. */
  const isIndexed = async (): Promise<boolean> => {
    stateFolders.assertOurs(host);
    try {
      if (statSync(folder, { throwIfNoEntry: false }) === undefined) return false;
      if (!runIndex.isCurrent(folder)) await rebuild();
      return true;
    } catch (error) {
      if (host.signal.aborted || error instanceof BaseError) throw error;
      throw new UnreadableRunsError(folder, error);
    }
  };

  const rebuild = async (): Promise<void> => {
    makeFolder(locks);
    await enter();
    try {
      await runIndex.ensure(folder, host.signal);
    } finally {
      fileLock.release(door);
    }
  };

  /** The ids of the runs, newest first; those whose journal is gone are skipped. */
  const names = async function* (): AsyncGenerator<string, void> {
    if (!(await isIndexed())) return;
    try {
      for (const id of runNames.read(folder)) if (isThere(id)) yield id;
    } catch (error) {
      throw new UnreadableRunsError(folder, error);
    }
  };

  const record = async (id: string): Promise<RunRecord> => {
    const isHeld = await fileLock.isHeld(lockOf(id));
    try {
      const { lines, isOwn } = journalFile.read(file(id), known());
      // The first line was torn, so nothing was done yet.
      if (lines.length === 0) throw new runErrors.EmptyError(id, file(id));
      const state = runErrors.stateOf(id, lines);
      return { id, lines, isOwn, state, updatedAt: lines.at(-1)?.at ?? 0, problem: undefined, isHeld };
    } catch (error) {
      const problem = error instanceof BaseError ? error : new UnreadableRunsError(file(id), error);
      return { id, lines: [], isOwn: false, state: undefined, updatedAt: 0, problem, isHeld };
    }
  };

  const open = async (): Promise<RunRecord[]> => ((await isIndexed()) ? marked() : []);

  /** Runs that may be unfinished. The marks of those that have ended are removed on the way. */
  const marked = async (isAsked: (mark: runIndex.Mark) => boolean = () => true): Promise<RunRecord[]> => {
    const found: RunRecord[] = [];
    noting(() => runIndex.markChanged(folder));
    for (const mark of runIndex.marked(folder, 'open').filter(isAsked)) {
      const run = await record(mark.id);
      const isOver = run.problem ? !isThere(mark.id) : run.state && !Journal.isUnfinished(run.state);
      if (isOver && !run.isHeld) runIndex.end(folder, mark, { isLine: run.state?.line !== undefined });
      else found.push(run);
    }
    return found;
  };

  const find = async (name: string): Promise<string> => {
    if (/^[\w-]+$/.test(name) && isThere(name)) return name;
    const found: string[] = [];
    for await (const id of names()) if (name !== '' && id.endsWith(name)) found.push(id);
    const [id, ...more] = found;
    if (id === undefined) throw new runErrors.UnknownRunError(name);
    if (more.length > 0) throw new runErrors.AmbiguousRunError(name, found);
    return id;
  };

  const hold = (
    id: string,
    { isOwn = true, ...journal }: journalFile.JournalFile & { isOwn?: boolean },
    begun: Journal.State,
  ): Run => {
    let state = begun;
    let warned = false;
    return {
      id,
      isOwn,
      state: () => state,
      async append(entry) {
        try {
          await journal.append(entry);
        } catch (error) {
          if (!runErrors.notes.includes(entry.type)) throw error;
          if (!warned) warn(`${(error as Error).message} The run continues without this entry.`);
          warned = true;
          return;
        }
        state = Journal.reduce(state, entry);
      },
      close() {
        journal.close();
        if (!Journal.isUnfinished(state))
          noting(() => runIndex.end(folder, markOf(id, state), { isLine: state.line !== undefined }));
        fileLock.release(lockOf(id));
      },
    };
  };

  return {
    folder,

    async create(intent, { again }) {
      stateFolders.assertOurs(host);
      makeFolder(folder);
      makeFolder(locks);
      // Serialized, so that the second of two commands for the same transfer sees the first.
      await enter();
      try {
        await writing(folder, host.signal, () => runIndex.ensure(folder, host.signal));
        const digest = runIndex.digestOf(intent.key);
        const alike = again ? [] : await marked((mark) => mark.digest === digest);
        const same = alike.find(({ state }) => state && BatchLineRef.isSame(state, intent));
        if (same) throw new runErrors.UnfinishedRunError(same);
        const id = runErrors.nameOf(host);
        await writing(folder, host.signal, () => fileLock.tryAcquire(lockOf(id)));
        let journal: journalFile.JournalFile | undefined;
        try {
          const begun: Journal.Entry = { type: 'intent', run: id, ...intent };
          journalFile.writing(folder, () => {
            runIndex.begin(folder, { id, digest });
            const { line, network, instance } = intent;
            if (line)
              runIndex.listLine(folder, line.ledger, { run: id, id: line.id, digest: line.digest, network, instance });
          });
          journal = journalFile.create({ path: file(id), now: host.now, seal: seal() });
          await journal.append(begun);
          journalFile.writing(folder, () => runIndex.list(folder, id));
          return hold(id, journal, Journal.from([begun]));
        } catch (error) {
          journal?.close();
          rmSync(file(id), { force: true });
          noting(() => runIndex.unmark(folder, { id, digest }));
          fileLock.release(lockOf(id));
          throw error;
        }
      } finally {
        fileLock.release(door);
      }
    },

    async open(name) {
      stateFolders.assertOurs(host);
      const id = await find(name);
      makeFolder(locks);
      if (!(await writing(folder, host.signal, () => fileLock.tryAcquire(lockOf(id), takeOver))))
        throw new runErrors.RunBusyError(id, await fileLock.holder(lockOf(id)));
      try {
        const { lines, ...journal } = journalFile.open({ path: file(id), now: host.now, seal: seal() });
        if (lines.length === 0) throw new runErrors.EmptyError(id, file(id));
        return hold(id, journal, runErrors.stateOf(id, lines));
      } catch (error) {
        fileLock.release(lockOf(id));
        throw error;
      }
    },

    async show(name) {
      const found = await record(await find(name));
      if (found.problem) throw found.problem;
      return found;
    },

    async list(limit) {
      const found: RunRecord[] = [];
      for await (const id of names()) {
        if (found.length >= limit) break;
        found.push(await record(id));
      }
      return found;
    },

    unfinished: async () => (await open()).filter(({ state }) => state && Journal.isUnfinished(state)),

    async ofLedger(ledger, { network, instance }, isWanted) {
      const found = new Map<string, LineRun>();
      if (!(await isIndexed())) return found;
      for await (const { run, ...line } of runIndex.linesOf(folder, ledger)) {
        const { id, digest } = line;
        const isHere = line.network === network && line.instance === instance;
        if (isHere && isWanted({ id, digest }) && isThere(run)) found.set(id, { run, line: { ledger, id, digest } });
      }
      return found;
    },

    async unrecordedLines({ network, instance }) {
      if (!(await isIndexed())) return [];
      const marks = [...runIndex.marked(folder, 'open'), ...runIndex.marked(folder, 'unrecorded')];
      return marks
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .flatMap(({ id: run }): LineRun[] => {
          const begun = isThere(run) ? journalFile.first(file(run)) : undefined;
          const isThis = begun?.line && begun.network === network && begun.instance === instance;
          return isThis && begun.line ? [{ run, line: begun.line }] : [];
        });
    },

    async recorded(run) {
      // The journal may have been pruned meanwhile.
      const begun = isThere(run) ? journalFile.first(file(run)) : undefined;
      if (begun) noting(() => runIndex.unmarkEnded(folder, markOf(run, begun)));
    },

    async prune({ beforeMs, keep }) {
      const unfinished = new Set((await open()).map(({ id }) => id));
      const gone: string[] = [];
      const kept: string[] = [];
      if (!(await isIndexed())) return gone;
      await enter();
      try {
        for await (const id of names()) {
          const isOld = kept.length >= keep && statSync(file(id)).mtimeMs < beforeMs;
          (isOld && !unfinished.has(id) ? gone : kept).push(id);
        }
        for (const id of gone) for (const path of [file(id), lockOf(id)]) rmSync(path, { force: true });
        journalFile.writing(folder, () => runIndex.keep(folder, kept.toReversed()));
      } finally {
        fileLock.release(door);
      }
      return gone;
    },
  };

  /** Waits for the lock that serializes the start of runs. @throws run.busy · config.unwritable */
  async function enter(): Promise<void> {
    const deadline = performance.now() + doorMs;
    while (!(await writing(door, host.signal, () => fileLock.tryAcquire(door, takeOver)))) {
      host.signal.throwIfAborted();
      const holder = await fileLock.holder(door);
      if (holder?.isElsewhere && performance.now() > deadline) throw doorBusy(door, holder);
      await delay(10, undefined, { signal: host.signal }).catch(() => host.signal.throwIfAborted());
    }
  }
}

/** The start of a run takes an instant, so a process elsewhere that takes longer has died or is frozen. */
const doorMs = 10_000;

/** Updates the index, which the next command repairs if that fails. */
function noting(update: () => void): void {
  try {
    update();
  } catch {
    // The mark of an ended run only costs time.
  }
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

/** Converts the failure of a write. @throws config.unwritable · the signal's reason */
async function writing<Result>(path: string, signal: AbortSignal, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (signal.aborted) throw error;
    return journalFile.writing(path, () => {
      throw error;
    });
  }
}

/** A process that cannot be asked holds the lock that serializes the start of runs. */
function doorBusy(path: string, holder: fileLock.Holder): BaseError {
  return new BaseError(
    'run.busy',
    'Another process is starting a run in the same folder, and does not finish. Nothing was signed.',
    {
      facts: [
        ['lock', path],
        ['process', fileLock.formatHolder(holder)],
      ],
      hint: fileLock.adviceOn(holder),
    },
  );
}

export class UnreadableRunsError extends BaseError {
  override name = 'UnreadableRunsError';
  constructor(path: string, cause: unknown) {
    super('run.unreadable', `${path} cannot be read.`, {
      facts: [['reason', cause instanceof Error ? cause.message : String(cause)]],
      cause,
    });
  }
}
