/** The journals of all runs, in the folder `runs` of the state directory. A run's id starts with its start time. */
import { chmodSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BaseError } from '../../core/base/Errors.js';
import * as BatchLineRef from '../../core/tracking/BatchLineRef.js';
import * as Journal from '../../core/tracking/Journal.js';
import type { LineRun, Run, RunRecord, Runs } from '../../core/tracking/RunStore.js';
import { syncFolder } from '../files/atomicWrite.js';
import { attempt } from '../files/attempt.js';
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

export type RunsHost = Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'randomBytes' | 'signal'>;

/** How the store reports, and whether it may take locks over. */
export type RunStoreAccess = { warn(text: string): void; takeOver?: fileLock.TakeOver | undefined };

type Store = RunStoreAccess & {
  host: RunsHost;
  folder: string;
  locks: string;
  /** The secret that seals journals, if there is one, and one in any case. */
  secret: userSecret.Sealing;
};

function storeOf(host: RunsHost, options: RunStoreAccess): Store {
  const folder = join(stateDir(host), 'runs');
  return { ...options, ...{ host, folder, locks: nonceLocks.folder(host), secret: userSecret.sealing(host) } };
}

/** Creates the store of a host’s journals, the ones that `ferry runs` shows and `ferry resume` continues. */
export function createRuns(host: RunsHost, options: RunStoreAccess): Runs {
  const store = storeOf(host, options);
  const { folder } = store;
  return {
    folder,
    create: (intent, { again }) => create(store, intent, again),
    open: (name) => open(store, name),
    async show(name) {
      const found = await record(store, await find(store, name));
      if (found.problem) throw found.problem;
      return found;
    },
    async list(limit) {
      const found: RunRecord[] = [];
      for await (const id of names(store)) {
        if (found.length >= limit) break;
        found.push(await record(store, id));
      }
      return found;
    },
    unfinished: async () => (await marked(store)).filter(({ state }) => state && Journal.isUnfinished(state)),
    async ofLedger(ledger, { network, instance }, isWanted) {
      const found = new Map<string, LineRun[]>();
      if (!(await isIndexed(store))) return found;
      for await (const { run, ...line } of runIndex.linesOf(folder, ledger)) {
        const { id, digest } = line;
        const isHere = line.network === network && line.instance === instance;
        if (isHere && isWanted({ id, digest }) && isThere(store, run))
          found.set(id, [{ run, line: { ledger, id, digest } }, ...(found.get(id) ?? [])]);
      }
      return found;
    },
    async unrecordedLines({ network, instance }) {
      if (!(await isIndexed(store))) return [];
      return [...marksOf(store)]
        .sort()
        .reverse()
        .flatMap((run): LineRun[] => {
          const begun = firstOf(store, run);
          const isThis = begun?.line && begun.network === network && begun.instance === instance;
          return isThis && begun.line ? [{ run, line: begun.line }] : [];
        });
    },
    async recorded(run) {
      const begun = firstOf(store, run);
      if (begun) attempt(() => runIndex.unmarkEnded(folder, markOf(run, begun)));
    },
    prune: (of) => prune(store, of),
  };
}

/** The runs that may be unfinished, or whose batch line may not be in its ledger. */
export async function unsettled(host: RunsHost, options: RunStoreAccess): Promise<ReadonlySet<string>> {
  const store = storeOf(host, options);
  return statSync(store.folder, { throwIfNoEntry: false }) && (await isIndexed(store)) ? marksOf(store) : new Set();
}

/** Acts on all journals while no run starts, with those that are not settled. @throws run.busy if a process has one */
export async function whileIdle<T>(
  host: RunsHost,
  options: RunStoreAccess,
  act: (unsettled: ReadonlySet<string>) => Promise<T>,
): Promise<T> {
  const store = storeOf(host, options);
  return alone(store, async () => {
    const { folder } = store;
    if (statSync(folder, { throwIfNoEntry: false })) await runIndex.ensure(folder, host.signal);
    const unsettledRuns = marksOf(store);
    for (const id of unsettledRuns)
      if (await fileLock.isHeld(lockOf(store, id)))
        throw runErrors.runBusyError(id, await fileLock.holder(lockOf(store, id)));
    return act(unsettledRuns);
  });
}

function marksOf({ folder }: Store): ReadonlySet<string> {
  const marks = [...runIndex.marked(folder, 'open'), ...runIndex.marked(folder, 'unrecorded')];
  return new Set(marks.map(({ id }) => id));
}

function file({ folder }: Store, id: string): string {
  return join(folder, `${id}.jsonl`);
}

function lockOf({ locks }: Store, id: string): string {
  return join(locks, `run-${id}`);
}

function isThere(store: Store, id: string): boolean {
  return statSync(file(store, id), { throwIfNoEntry: false }) !== undefined;
}

function markOf(id: string, { key }: { key: string }): runIndex.Mark {
  return { id, digest: runIndex.digestOf(key) };
}

/** How a run began, unless its journal was pruned meanwhile. */
function firstOf(store: Store, id: string): ReturnType<typeof journalFile.first> {
  return isThere(store, id) ? journalFile.first(file(store, id)) : undefined;
}

/** Whether there are journals; then there is an index of them. */
async function isIndexed(store: Store): Promise<boolean> {
  const { host, folder } = store;
  stateFolders.assertOurs(host);
  try {
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return false;
    if (!runIndex.isCurrent(folder)) await alone(store, () => runIndex.ensure(folder, host.signal));
    return true;
  } catch (error) {
    if (host.signal.aborted || error instanceof BaseError) throw error;
    throw unreadableRunsError(folder, error);
  }
}

/** The ids of the runs, newest first; those whose journal is gone are skipped. */
async function* names(store: Store): AsyncGenerator<string, void> {
  if (!(await isIndexed(store))) return;
  try {
    for (const id of runNames.read(store.folder)) if (isThere(store, id)) yield id;
  } catch (error) {
    throw unreadableRunsError(store.folder, error);
  }
}

async function record(store: Store, id: string): Promise<RunRecord> {
  const isHeld = await fileLock.isHeld(lockOf(store, id));
  const path = file(store, id);
  try {
    const { lines, isOwn } = journalFile.read(path, store.secret.find());
    // The first line was torn, so nothing was done yet.
    if (lines.length === 0) throw runErrors.emptyError(id, path);
    const state = runErrors.stateOf(id, { lines, isOwn });
    return { id, lines, isOwn, state, updatedAt: lines.at(-1)?.at ?? 0, problem: undefined, isHeld };
  } catch (error) {
    const problem = error instanceof BaseError ? error : unreadableRunsError(path, error);
    return { id, lines: [], isOwn: false, state: undefined, updatedAt: 0, problem, isHeld };
  }
}

async function marked(store: Store): Promise<RunRecord[]> {
  return (await isIndexed(store)) ? readMarked(store, () => true) : [];
}

/** Runs that may be unfinished, by their marks. The marks of those that have ended are removed on the way. */
async function readMarked(store: Store, isAsked: (mark: runIndex.Mark) => boolean): Promise<RunRecord[]> {
  const { folder } = store;
  const found: RunRecord[] = [];
  const open = new Set(runIndex.marked(folder, 'open').map(({ id }) => id));
  attempt(() => runIndex.markChanged(folder));
  for (const mark of runIndex.marked(folder, 'open').filter(isAsked)) {
    const run = await record(store, mark.id);
    const isOver = run.problem ? !isThere(store, mark.id) : run.state && !Journal.isUnfinished(run.state);
    // One that is only looked at again is recorded or not, as it was.
    const isLine = open.has(mark.id) && run.state?.line !== undefined;
    if (isOver && !run.isHeld) runIndex.end(folder, mark, { isLine });
    else found.push(run);
  }
  return found;
}

async function find(store: Store, name: string): Promise<string> {
  if (/^[\w-]+$/.test(name) && isThere(store, name)) return name;
  const found: string[] = [];
  for await (const id of names(store)) if (name !== '' && id.endsWith(name)) found.push(id);
  const [id, ...more] = found;
  if (id === undefined) throw runErrors.unknownRunError(name);
  if (more.length > 0) throw runErrors.ambiguousRunError(name, found);
  return id;
}

async function create(store: Store, intent: Parameters<Runs['create']>[0], again: boolean): Promise<Run> {
  const { host, folder } = store;
  stateFolders.assertOurs(host);
  makeFolder(folder);
  // Serialized, so that the second of two commands for the same transfer sees the first.
  return alone(store, async () => {
    await writing(folder, host.signal, () => runIndex.ensure(folder, host.signal));
    const digest = runIndex.digestOf(intent.key);
    const alike = again ? [] : await readMarked(store, (mark) => mark.digest === digest);
    const same = alike.find(({ id, state, problem }) => {
      // One that cannot be read may have paid, unless it never began.
      const begun = problem?.code === 'run.unsigned' ? undefined : (state ?? firstOf(store, id) ?? intent);
      return begun && BatchLineRef.isSame(begun, intent);
    });
    if (same) throw runErrors.unfinishedRunError(same);
    const id = runErrors.nameOf(host);
    const path = file(store, id);
    await writing(folder, host.signal, () => fileLock.tryAcquire(lockOf(store, id)));
    let journal: journalFile.JournalFile | undefined;
    try {
      const begun: Journal.Entry = { type: 'intent', run: id, ...intent };
      journalFile.writing(folder, () => {
        runIndex.begin(folder, { id, digest });
        if (intent.line) runIndex.listLine(folder, id, { ...intent, line: intent.line });
      });
      journal = journalFile.create({ path, now: host.now, seal: store.secret.findOrMake() });
      await journal.append(begun);
      journalFile.writing(folder, () => runIndex.list(folder, id));
      return hold(store, id, journal, Journal.from([begun]));
    } catch (error) {
      journal?.close();
      rmSync(path, { force: true });
      attempt(() => runIndex.unmark(folder, { id, digest }));
      fileLock.release(lockOf(store, id));
      throw error;
    }
  });
}

async function open(store: Store, name: string): ReturnType<Runs['open']> {
  const { host, folder, locks, takeOver, secret } = store;
  stateFolders.assertOurs(host);
  const id = await find(store, name);
  const [path, lock] = [file(store, id), lockOf(store, id)];
  makeFolder(locks);
  if (!(await writing(folder, host.signal, () => fileLock.tryAcquire(lock, takeOver))))
    throw runErrors.runBusyError(id, await fileLock.holder(lock));
  try {
    const { lines, ...journal } = journalFile.open({ path, now: host.now, seal: secret.findOrMake() });
    if (lines.length === 0) throw runErrors.emptyError(id, path);
    return hold(store, id, journal, runErrors.stateOf(id, { lines, isOwn: journal.isOwn }));
  } catch (error) {
    fileLock.release(lock);
    throw error;
  }
}

/** A run whose lock is held, until it is closed. */
function hold(
  store: Store,
  id: string,
  { isOwn = true, ...journal }: journalFile.JournalFile & { isOwn?: boolean },
  begun: Journal.State,
): Run {
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
        if (!warned) store.warn(`${(error as Error).message} The run continues without this entry.`);
        warned = true;
        return;
      }
      state = Journal.reduce(state, entry);
    },
    close() {
      journal.close();
      if (!Journal.isUnfinished(state))
        attempt(() => runIndex.end(store.folder, markOf(id, state), { isLine: state.line !== undefined }));
      fileLock.release(lockOf(store, id));
    },
  };
}

async function prune(store: Store, { beforeMs, keep }: Parameters<Runs['prune']>[0]): Promise<string[]> {
  const unfinished = new Set((await marked(store)).map(({ id }) => id));
  const gone: string[] = [];
  const kept: string[] = [];
  if (!(await isIndexed(store))) return gone;
  await alone(store, async () => {
    // Without its run, a line that its ledger does not have would be paid again.
    const needed = new Set([...unfinished, ...marksOf(store)]);
    for await (const id of names(store)) {
      const isOld = kept.length >= keep && statSync(file(store, id)).mtimeMs < beforeMs;
      (isOld && !needed.has(id) ? gone : kept).push(id);
    }
    for (const id of gone) for (const path of [file(store, id), lockOf(store, id)]) rmSync(path, { force: true });
    journalFile.writing(store.folder, () => runIndex.keep(store.folder, kept.toReversed()));
  });
  return gone;
}

/** Acts while no run starts. @throws run.busy · config.unwritable */
async function alone<T>(store: Store, act: () => Promise<T>): Promise<T> {
  const { host, locks, takeOver } = store;
  const door = join(locks, 'runs');
  makeFolder(locks);
  const deadline = performance.now() + doorMs;
  while (!(await writing(door, host.signal, () => fileLock.tryAcquire(door, takeOver)))) {
    host.signal.throwIfAborted();
    const holder = await fileLock.holder(door);
    if (holder?.isElsewhere && performance.now() > deadline) throw doorBusy(door, holder);
    await delay(10, undefined, { signal: host.signal }).catch(() => host.signal.throwIfAborted());
  }
  try {
    return await act();
  } finally {
    fileLock.release(door);
  }
}

/** The start of a run takes an instant, so a process elsewhere that takes longer has died or is frozen. */
const doorMs = 10_000;

function makeFolder(folder: string): void {
  journalFile.writing(folder, () => {
    const first = makeFolderAt(folder);
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
    if (first === undefined) return;
    for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
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

function unreadableRunsError(path: string, cause: unknown): BaseError {
  return new BaseError('run.unreadable', `${path} cannot be read.`, {
    facts: [['reason', cause instanceof Error ? cause.message : String(cause)]],
    cause,
  });
}
