/**
 * The runs of all machines. The rows of a run are the lines of its journal file, with their seals and sums: who can write to
 * the database can neither make one nor change one without being noticed.
 *
 * Nothing is sent before it is kept: a `signed` entry and the nonces it uses are one statement, which also checks the
 * epoch of the turn, and that no other open run has the nonce. No row means that somebody has taken over
 * (`store.fenced`).
 */
import { BaseError } from '../../core/base/Errors.js';
import type { Turn } from '../../core/ports/Ports.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as BatchLineRef from '../../core/tracking/BatchLineRef.js';
import * as Journal from '../../core/tracking/Journal.js';
import * as JournalCodec from '../../core/tracking/JournalCodec.js';
import type { LineRun, Run, Intent as RunIntent, RunRecord, Runs } from '../../core/tracking/RunStore.js';
import { batchOf } from '../../core/worker/BatchStore.js';
import * as runErrors from '../runs/runErrors.js';
import type { Kept } from '../state/storeMemory.js';
import type { Sealing } from '../state/userSecret.js';
import type { Host } from '../terminal/host.js';
import type { Query, Row, Session } from './session.js';
import { assertSafe } from './storeChecks.js';
import { assertNotHeld, isOfHeld } from './storeHolds.js';
import type { StoreLocks } from './storeLocks.js';
import { position, type StoreMark, type Written } from './storeMark.js';
import { claimOf, fencedError } from './storeNonces.js';
import { endLine } from './storeTurns.js';

export type RunsOptions = {
  session: Session;
  locks: StoreLocks;
  mark: StoreMark;
  isAsyncAccepted: boolean;
  host: Pick<Host, 'now' | 'randomBytes'>;
  /** The secret that all machines of the store share; made if there is none. */
  seal: Sealing;
  warn(text: string): void;
};

/**
 * Writes an entry, and what it uses of a turn, or nothing: no row means that another has taken over, that the line is held
 * since it may be paid, or that the server no longer keeps what it commits. The epoch of the run fences what has no turn, such
 * as a call. What announces an act names the machine, which counts it.
 */
const appending = `
  with mine as (
    select id from ferry.run where id = $1 and epoch = $13::bigint for update
  ), safe as (
    select 1 from mine where $11::text is null or current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on'
      and current_setting('synchronous_commit') not in ('off', 'local')
      and ($12::boolean or current_setting('synchronous_standby_names') <> '' or not exists (select 1 from pg_stat_replication))
      and not exists (select 1 from ferry.run r where r.id = $1 and ${isOfHeld})
  ), turned as (
    select counter from ferry.turn where counter = $4::text and epoch = $5::bigint for share
  ), held as (
    select counter from turned, safe union all select null from safe where $4::text is null
  ), used as (
    insert into ferry.nonce as n (counter, sequence, nonce, run, tx_hash)
    select held.counter, u.sequence, u.nonce, $1, $8 from held, unnest($6::text[], $7::numeric[]) as u (sequence, nonce)
    on conflict (counter, sequence, nonce) do update set run = excluded.run, tx_hash = excluded.tx_hash
    where n.run is null or n.run = excluded.run or (select is_over from ferry.run where id = n.run)
    returning 1
  ), entered as (
    insert into ferry.entry (run, n, text)
    select $1, $2, $3 from held where cardinality($6::text[]) = 0 or (select count(*) from used) = cardinality($6::text[])
    returning 1
  ), counted as (
    insert into ferry.machine as m (id, writes) select $11, 1 from entered where $11 is not null
    on conflict (id) do update set writes = m.writes + 1 returning writes
  )
  update ferry.run set updated_at = $9::bigint, is_over = $10::boolean
  where id = $1 and exists (select 1 from entered) returning id, (select writes from counted)::text as writes, ${position} as lsn`;

export function createStoreRuns({ session, locks, mark, isAsyncAccepted, host, seal, warn }: RunsOptions): Runs {
  const { query } = session;
  const lockOf = (id: string): string => `run ${id}`;

  const readText = (id: string, text: string): JournalCodec.Read => {
    const found = JournalCodec.read(text, seal.find());
    if (found.lines.length === 0) throw runErrors.emptyError(id, session.name);
    return found;
  };
  const read = async (id: string): Promise<JournalCodec.Read> => readText(id, await textOf(query, id));

  /** The nonces of a run that another process has begun, as this machine copies them. */
  const usesOf = (id: string): Promise<Kept[]> =>
    query('select counter, sequence, nonce::text, tx_hash as "txHash" from ferry.nonce where run = $1', [id]);

  const record = async (id: string): Promise<RunRecord> => {
    const isHeld = await locks.isHeld(lockOf(id));
    try {
      const { lines, isOwn } = await read(id);
      const state = runErrors.stateOf(id, lines);
      return { id, lines, isOwn, state, updatedAt: lines.at(-1)?.at ?? 0, problem: undefined, isHeld };
    } catch (error) {
      if (!(error instanceof BaseError) || error.code === 'store.lost') throw error;
      return { id, lines: [], isOwn: false, state: undefined, updatedAt: 0, problem: error, isHeld };
    }
  };

  const idsBy = async (where: string, values: readonly unknown[] = []): Promise<string[]> =>
    (await query(`select id from ferry.run ${where}`, values)).map(({ id }) => String(id));

  const machineFor = (id: string): string => {
    try {
      return mark.machine();
    } catch (error) {
      throw uncopiedRunError(id, error);
    }
  };

  /** A run that this process has locked, and opened as the last one. */
  const hold = (
    id: string,
    begun: Journal.State,
    { lines, end, isOwn, epoch }: Pick<JournalCodec.Read, 'lines' | 'end' | 'isOwn'> & { epoch: string },
    /** What this machine has no copy of yet; undefined if it keeps none, since nothing was announced. */
    first: readonly Kept[],
  ): Run => {
    let uncopied: Kept[] = [...first];
    let isCopied = false;
    let state = begun;
    let before = end;
    let count = lines.length;
    let isClosed = false;
    let warned = false;
    /** One after the other: each line continues the one before it. */
    let last: Promise<unknown> = Promise.resolve();
    const write = async (
      entry: Journal.Entry,
      turn: Turn | undefined,
      line: BatchLineRef.BatchLineEnd | undefined,
    ): Promise<void> => {
      if (isClosed) throw new Error('The run is closed.');
      const at = host.now();
      const { text, end: after } = JournalCodec.from({ at, entry }, count, before, seal.findOrMake());
      const taking = claimOf(turn);
      const { nonce, txHash } = entry as { nonce?: unknown; txHash?: unknown };
      const uses = [...(taking?.claim.uses ?? [])];
      const isSigned = entry.type === 'signed' || entry.type === 'invalidation';
      if (taking && isSigned && !uses.some((use) => use.sequence === '' && use.nonce === BigInt(Number(nonce))))
        uses.push({ sequence: '', nonce: BigInt(Number(nonce)) });
      const next = Journal.reduce(state, entry);
      const isNote = !announces(entry);
      const values = [
        ...[id, count, text],
        ...[taking?.claim.counter ?? null, taking?.claim.epoch ?? null],
        ...[uses.map(({ sequence }) => sequence), uses.map((use) => String(use.nonce))],
        ...[typeof txHash === 'string' ? txHash : null, String(at), next.outcome !== undefined],
        ...[isNote ? null : machineFor(id), isAsyncAccepted, epoch],
      ];
      const rows = await (line ? withLine(values, line) : session.announce(appending, values));
      if (rows.length === 0) {
        await assertSafe(session, { isAsyncAccepted });
        await assertNotHeld(session, id);
        throw fencedError(`the run ${id}, or the account that pays for it`);
      }
      taking?.written();
      const hash = typeof txHash === 'string' ? txHash : null;
      const { counter } = taking?.claim ?? {};
      uncopied.push({ n: count, text });
      if (counter !== undefined)
        for (const { sequence, nonce: used } of uses)
          uncopied.push({ counter, sequence, nonce: String(used), txHash: hash });
      state = next;
      before = after;
      count += 1;
      if (isNote && !isCopied) return;
      const [{ writes, lsn } = {}] = rows;
      copy(isNote ? undefined : { writes: String(writes), lsn: String(lsn) });
    };
    const copy = (written?: Written): void => {
      try {
        mark.keep(id, uncopied, { isFlushed: written !== undefined || !isCopied, written });
        isCopied = true;
        uncopied = [];
      } catch (error) {
        // What only records what has happened is not worth stopping for.
        if (written || !isCopied) throw uncopiedRunError(id, error);
      }
    };
    // What an earlier process has signed is about to be sent from here.
    if (Journal.isUnfinished(begun)) copy();
    return {
      id,
      isOwn,
      state: () => state,
      async append(entry, turn, line) {
        const writing = last.then(() => write(entry, turn, line));
        last = writing.catch(() => {});
        try {
          await writing;
        } catch (error) {
          const isLost = error instanceof BaseError && error.code.startsWith('store.');
          if (!isLost || !runErrors.notes.includes(entry.type)) throw error;
          if (!warned) warn(`${(error as Error).message} The run continues without this entry.`);
          warned = true;
        }
      },
      close() {
        if (isClosed) return;
        isClosed = true;
        // What has signed nothing is over without an outcome.
        const over = (): Promise<unknown> | undefined =>
          Journal.isUnfinished(state) || state.outcome
            ? undefined
            : query('update ferry.run set is_over = true where id = $1', [id]);
        void last
          .then(over)
          .catch(() => {})
          .then(() => locks.release(lockOf(id)));
      },
    };
  };

  /** An entry with the end of the line that the run carries out. */
  const withLine = (values: readonly unknown[], line: BatchLineRef.BatchLineEnd): Promise<Row[]> =>
    session.transaction(async (within) => {
      const rows = await within(appending, values);
      if (rows.length > 0) await endLine(within, line);
      return rows;
    });

  /**
   * The run that has signed for a line and has not ended untouched, or that somebody holds. A line of a file is the same
   * whatever its ledger: each machine of the store may have one of its own.
   */
  const begunOf = async (
    { line, network, instance }: Pick<RunIntent, 'network' | 'instance'> & { line: BatchLineRef.BatchLineRef },
    within: Query,
  ): Promise<string | undefined> => {
    const values = [line.ledger, line.id];
    await within(`select pg_advisory_xact_lock(hashtextextended('ferry.line.' || $1 || ' ' || $2, 0))`, values);
    const runs = await within(
      `select r.id, string_agg(e.text, '' order by e.n) as text from ferry.run r join ferry.entry e on e.run = r.id
      where (r.ledger = $1 and r.line = $2 or r.line = $2 and r.digest = $5)
        and r.network = $3 and r.instance is not distinct from $4 group by r.id`,
      // A shared batch is known by its name: the same lines under another name are meant.
      [...values, network, instance, isShared(line) ? null : line.digest],
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
  };

  return {
    folder: session.name,

    async create(intent, { again }) {
      const id = runErrors.nameOf(host);
      if (!(await locks.tryTake(lockOf(id)))) throw runErrors.runBusyError(id, undefined);
      try {
        const entry: Journal.Entry = { type: 'intent', run: id, ...intent };
        const at = host.now();
        const { text, end } = JournalCodec.from({ at, entry }, 0, JournalCodec.start, seal.findOrMake());
        const { key, network, instance, line } = intent;
        const same = await session.transaction(async (within) => {
          // Serialized, so that the second of two commands for the same transfer sees the first.
          await within(`select pg_advisory_xact_lock(hashtextextended('ferry.key.' || $1, 0))`, [key]);
          if (line && (!again || isShared(line))) {
            const begun = await begunOf({ ...intent, line }, within);
            if (begun !== undefined) return begun;
          }
          const open = again ? [] : await within('select id from ferry.run where key = $1 and not is_over', [key]);
          for (const { id: other } of open) {
            const state = stateIn(await textOf(within, String(other)));
            if (!BatchLineRef.isSame(state, intent)) continue;
            // One that is being started has signed nothing yet.
            if (Journal.isUnfinished(state) || (await locks.isHeld(lockOf(String(other)), within)))
              return String(other);
          }
          await within(
            `insert into ferry.run (id, key, network, instance, ledger, line, digest, updated_at)
            values ($1, $2, $3, $4, $5, $6, $7, $8)`,
            [id, key, network, instance, line?.ledger, line?.id, line?.digest, String(at)],
          );
          await within('insert into ferry.entry (run, n, text) values ($1, 0, $2)', [id, text]);
          return undefined;
        });
        if (same !== undefined) throw runErrors.begunError(await record(same));
        const begun = Journal.from([entry]);
        return hold(id, begun, { lines: [{ at, entry }], end, isOwn: true, epoch: '0' }, [{ n: 0, text }]);
      } catch (error) {
        locks.release(lockOf(id));
        throw error;
      }
    },

    async open(name) {
      const id = await findRun(query, name);
      if (!(await locks.tryTake(lockOf(id)))) throw runErrors.runBusyError(id, undefined);
      try {
        // From now on, whoever had opened it before writes nothing to it.
        const [row] = await session.announce('update ferry.run set epoch = epoch + 1 where id = $1 returning epoch', [
          id,
        ]);
        const text = await textOf(query, id);
        const found = { ...readText(id, text), epoch: String(row?.epoch) };
        return hold(id, runErrors.stateOf(id, found.lines), found, [...entriesOf(text), ...(await usesOf(id))]);
      } catch (error) {
        locks.release(lockOf(id));
        throw error;
      }
    },

    async show(name) {
      const found = await record(await findRun(query, name));
      if (found.problem) throw found.problem;
      return found;
    },

    list: async (limit) =>
      Promise.all((await idsBy('order by seq desc limit $1', [Number.isFinite(limit) ? limit : null])).map(record)),

    async unfinished() {
      const found = await Promise.all((await idsBy('where not is_over order by seq desc')).map(record));
      return found.filter(({ state }) => state && Journal.isUnfinished(state));
    },

    async ofLedger(ledger, { network, instance }, isWanted) {
      const rows = await query(
        `select id, line, digest from ferry.run
        where ledger = $1 and network = $2 and instance is not distinct from $3 order by seq`,
        [ledger, network, instance],
      );
      const found = new Map<string, LineRun>();
      for (const { run, line } of rows.map(lineRunOf(ledger))) if (isWanted(line)) found.set(line.id, { run, line });
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

    async prune({ beforeMs, keep }) {
      const rows = await query(
        `delete from ferry.run r where is_over and updated_at < $1::bigint
        and id not in (select id from ferry.run order by seq desc limit $2)
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
    },
  };
}

/** Whether an entry says what is about to be done: money may move, or an allowance be set, once it is written. */
function announces({ type }: Journal.Entry): boolean {
  return acts.includes(type);
}

const acts: readonly Journal.Entry['type'][] = [
  'signed',
  'replacement',
  'signed-batch',
  'signed-permit',
  'invalidation',
  'signed-transfer',
  'call',
  'address',
];

function entriesOf(text: string): Kept[] {
  return text.split(/(?<=\n)/).map((each, n) => ({ n, text: each }));
}

/** The journal of a run, as it is in the store. */
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

/** The store has an entry, and this machine cannot keep a copy of it: what it announces is not done here. */
function uncopiedRunError(run: string, cause: unknown): BaseError {
  return new BaseError(
    'config.unwritable',
    `This machine cannot keep its copy of the run ${run}, so nothing more is sent.`,
    {
      facts: [['reason', (cause as Error).message]],
      hint: 'A store that is restored from a backup gets the copy back. Free some space in the state directory, then resume the run.',
      next: ShellCommand.line`ferry resume ${run}`,
      funds: 'unknown',
      cause,
    },
  );
}
