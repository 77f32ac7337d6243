/**
 * The runs of all machines. The rows of a run are the lines of its journal file, with their seals and sums: who can write to
 * the database can neither make one nor change one without being noticed.
 */
import { BaseError } from '../../core/base/Errors.js';
import * as Resumption from '../../core/execution/Resumption.js';
import type * as BatchLineRef from '../../core/tracking/BatchLineRef.js';
import { isSame } from '../../core/tracking/BatchLineRef.js';
import * as Journal from '../../core/tracking/Journal.js';
import * as JournalCodec from '../../core/tracking/JournalCodec.js';
import type { LineRun, Run, Intent as RunIntent, RunRecord, Runs } from '../../core/tracking/RunStore.js';
import { batchOf } from '../../core/worker/BatchStore.js';
import * as runErrors from '../runs/runErrors.js';
import type { Kept } from '../state/storeMemory.js';
import type { Query, Row } from './session.js';
import { holdRun, lockOf, type RunStoreAccess } from './storeJournal.js';
import type { StoreLocks } from './storeLocks.js';

export function createStoreRuns(store: RunStoreAccess): Runs {
  const { query, name: folder } = store.session;
  return {
    folder,
    create: (intent, { again }) => createRun(store, intent, again),
    async open(name) {
      try {
        return await openRun(store, name);
      } catch (error) {
        throw Resumption.unreadRuns(error);
      }
    },

    async show(name) {
      const found = await record(store, await findWhole(store, name));
      if (found.problem) throw found.problem;
      return found;
    },

    async list(limit) {
      const ids = await idsBy(query, 'order by seq desc limit $1', [Number.isFinite(limit) ? limit : null]);
      await store.mark.mend(ids);
      return Promise.all(ids.map((id) => record(store, id)));
    },

    async unfinished() {
      const ids = await idsBy(query, 'where not is_over order by seq desc');
      const found = await Promise.all(ids.map((id) => record(store, id)));
      return found.filter(({ state }) => state && Journal.isUnfinished(state));
    },

    async ofLedger(ledger, { network, instance }, isWanted) {
      const rows = await query(
        `select id, line, digest from ferry.run
        where ledger = $1 and network = $2 and instance is not distinct from $3 order by seq desc`,
        [ledger, network, instance],
      );
      const found = new Map<string, LineRun[]>();
      for (const { run, line } of rows.map(lineRunOf(ledger)))
        if (isWanted(line)) found.set(line.id, [...(found.get(line.id) ?? []), { run, line }]);
      return found;
    },

    async unrecordedLines({ network, instance }) {
      const rows = await query(
        `select id, ledger, line, digest from ferry.run
        where ledger is not null and not is_recorded and network = $1 and instance is not distinct from $2
        order by seq desc`,
        [network, instance],
      );
      return rows.map((row) => lineRunOf(String(row.ledger))(row));
    },

    async recorded(run) {
      await query('update ferry.run set is_recorded = true where id = $1 and is_over', [run]);
    },

    prune: (bounds) => prune(query, bounds),
  };
}

async function idsBy(query: Query, where: string, values: readonly unknown[] = []): Promise<string[]> {
  return (await query(`select id from ferry.run ${where}`, values)).map(({ id }) => String(id));
}

async function record({ session, locks, seal }: RunStoreAccess, id: string): Promise<RunRecord> {
  const isHeld = await locks.isHeld(lockOf(id));
  try {
    const { lines, isOwn } = read(id, await textOf(session.query, id), { session, seal });
    const state = runErrors.stateOf(id, { lines, isOwn });
    return { id, lines, isOwn, state, updatedAt: lines.at(-1)?.at ?? 0, problem: undefined, isHeld };
  } catch (error) {
    if (!(error instanceof BaseError) || error.code === 'store.lost') throw error;
    return { id, lines: [], isOwn: false, state: undefined, updatedAt: 0, problem: error, isHeld };
  }
}

function read(
  id: string,
  text: string,
  { session, seal }: Pick<RunStoreAccess, 'session' | 'seal'>,
): JournalCodec.Read {
  const found = JournalCodec.read(text, seal.find());
  if (found.lines.length === 0) throw runErrors.emptyError(id, session.name);
  return found;
}

async function createRun(store: RunStoreAccess, intent: RunIntent, again: boolean): Promise<Run> {
  const { session, locks, host, seal } = store;
  const id = runErrors.nameOf(host);
  if (!(await locks.tryTake(lockOf(id)))) throw runErrors.runBusyError(id, undefined);
  try {
    const entry: Journal.Entry = { type: 'intent', run: id, ...intent };
    const at = host.now();
    const { text, end } = JournalCodec.from({ at, entry }, 0, JournalCodec.start, seal.findOrMake());
    const same = await session.transaction(async (within) => {
      const begun = await begunBefore(intent, { again, locks }, within);
      if (begun === undefined) await insertRun(id, intent, { at, text }, within);
      return begun;
    });
    if (same !== undefined) throw runErrors.begunError(await record(store, same));
    const opened = { id, lines: [{ at, entry }], end, isOwn: true, epoch: '0' };
    return holdRun(store, opened, Journal.from([entry]), [{ n: 0, text }]);
  } catch (error) {
    locks.release(lockOf(id));
    throw error;
  }
}

async function insertRun(
  id: string,
  { key, network, instance, line }: RunIntent,
  { at, text }: { at: number; text: string },
  within: Query,
): Promise<void> {
  await within(
    `insert into ferry.run (id, key, network, instance, ledger, line, digest, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, key, network, instance, line?.ledger, line?.id, line?.digest, String(at)],
  );
  await within('insert into ferry.entry (run, n, text) values ($1, 0, $2)', [id, text]);
}

/** The open run of the same transfer or line, if there is one. The next to ask waits until this transaction has ended. */
async function begunBefore(
  intent: RunIntent,
  { again, locks }: { again: boolean; locks: StoreLocks },
  within: Query,
): Promise<string | undefined> {
  const { key, line } = intent;
  await within(`select pg_advisory_xact_lock(hashtextextended('ferry.key.' || $1, 0))`, [key]);
  if (line && (!again || isShared(line))) {
    const begun = await begunOf({ ...intent, line }, locks, within);
    if (begun !== undefined) return begun;
  }
  const open = again ? [] : await within('select id from ferry.run where key = $1 and not is_over', [key]);
  for (const row of open) {
    const id = String(row.id);
    const state = stateIn(await textOf(within, id));
    if (!isSame(state, intent)) continue;
    // One that is being started has signed nothing yet.
    if (Journal.isUnfinished(state) || (await locks.isHeld(lockOf(id), within))) return id;
  }
  return undefined;
}

/**
 * The run that has signed for a line and has not ended untouched, or that somebody holds. A line of a file is the same
 * whatever its ledger: each machine of the store may have one of its own.
 */
async function begunOf(
  { line, network, instance }: Pick<RunIntent, 'network' | 'instance'> & { line: BatchLineRef.BatchLineRef },
  locks: StoreLocks,
  within: Query,
): Promise<string | undefined> {
  // By its id alone: another ledger may have the same line, for another account.
  await within(`select pg_advisory_xact_lock(hashtextextended('ferry.line.' || $1, 0))`, [line.id]);
  const runs = await within(
    `select r.id, string_agg(e.text, '' order by e.n) as text from ferry.run r join ferry.entry e on e.run = r.id
    where (r.ledger = $1 and r.line = $2 or r.line = $2 and r.digest = $5)
      and r.network = $3 and r.instance is not distinct from $4 group by r.id`,
    // A shared batch is known by its name: the same lines under another name are meant.
    [line.ledger, line.id, network, instance, isShared(line) ? null : line.digest],
  );
  for (const row of runs) {
    const id = String(row.id);
    const state = stateIn(String(row.text));
    // Somebody has had its row name this line.
    if (state.line?.id !== line.id || (isShared(line) && state.line.ledger !== line.ledger)) continue;
    const mayBePaid = Journal.hasSigned(state) || state.taken !== undefined;
    if (mayBePaid ? state.outcome?.funds !== 'untouched' : await locks.isHeld(lockOf(id), within)) return id;
    // Its process has ended, and nobody has looked at it since.
    if (!mayBePaid) await within('update ferry.run set is_over = true where id = $1 and not is_over', [id]);
  }
  return undefined;
}

async function openRun(store: RunStoreAccess, name: string): Promise<Run> {
  const { session, locks } = store;
  const id = await findWhole(store, name);
  if (!(await locks.tryTake(lockOf(id)))) throw runErrors.runBusyError(id, undefined);
  try {
    // From now on, whoever had opened it before writes nothing to it.
    const [row] = await session.announce('update ferry.run set epoch = epoch + 1 where id = $1 returning epoch', [id]);
    const text = await textOf(session.query, id);
    const opened = { ...read(id, text, store), id, epoch: String(row?.epoch) };
    const entries = text.split(/(?<=\n)/).map((each, n) => ({ n, text: each }));
    const uncopied = [...entries, ...(await noncesOf(session.query, id))];
    return holdRun(store, opened, runErrors.stateOf(id, opened), uncopied);
  } catch (error) {
    locks.release(lockOf(id));
    throw error;
  }
}

/** The id of a run, of which somebody may have deleted what this machine has signed. */
async function findWhole({ session, mark }: RunStoreAccess, name: string): Promise<string> {
  await mark.mend([name]);
  const id = await findRun(session.query, name);
  if (id !== name) await mark.mend([id]);
  return id;
}

/** The nonces of a run that another process has begun, as this machine copies them. */
async function noncesOf(query: Query, id: string): Promise<Kept[]> {
  return await query('select counter, sequence, nonce::text, tx_hash as "txHash" from ferry.nonce where run = $1', [
    id,
  ]);
}

async function prune(query: Query, { beforeMs, keep }: Parameters<Runs['prune']>[0]): Promise<string[]> {
  const rows = await query(
    `delete from ferry.run r where is_over and updated_at < $1::bigint
    and id not in (select id from ferry.run order by seq desc limit $2)
    -- Without its run, a line that its ledger does not have would be paid again.
    and (ledger is null or ledger like 'batch:%' or is_recorded)
    -- A line that may be tried again needs what shows that it was not paid.
    and not exists (
      select 1 from ferry.line l where r.ledger like 'batch:%' and l.batch = substr(r.ledger, 7) and l.id = r.line
        and l.state not in ('done', 'cancelled')
    ) returning id`,
    [String(Math.floor(beforeMs)), keep],
  );
  return rows
    .map(({ id }) => String(id))
    .sort()
    .reverse();
}

export async function textOf(query: Query, run: string): Promise<string> {
  const rows = await query('select text from ferry.entry where run = $1 order by n', [run]);
  return rows.map(({ text }) => text).join('');
}

/** What a journal says, whoever sealed it. */
function stateIn(text: string): Journal.State {
  return Journal.from(JournalCodec.read(text).lines.map(({ entry }) => entry));
}

/** The id of a run, by its id or last characters. @throws run.unknown · run.ambiguous */
export async function findRun(query: Query, name: string): Promise<string> {
  const rows = await query(`select id from ferry.run where id = $1 or right(id, greatest(length($1), 1)) = $1`, [name]);
  const ids = rows.map(({ id }) => String(id));
  const [id, ...more] = ids.includes(name) ? [name] : ids;
  if (id === undefined) throw runErrors.unknownRunError(name);
  if (more.length > 0) throw runErrors.ambiguousRunError(name, ids);
  return id;
}

/** Whether a line is of a batch that machines share, whose lines nobody pays again by a flag. */
function isShared({ ledger }: BatchLineRef.BatchLineRef): boolean {
  return batchOf(ledger) !== undefined;
}

function lineRunOf(ledger: string): (row: Row) => LineRun {
  return ({ id, line, digest }) => ({ run: String(id), line: { ledger, id: String(line), digest: String(digest) } });
}
