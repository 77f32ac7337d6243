/** The batches of all machines, their lines and their results. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import { toJson } from '../../core/text/ErrorReport.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as BatchHold from '../../core/worker/BatchHold.js';
import type {
  Batch,
  Batches,
  LineState,
  RefusedLine,
  ResultRow,
  StuckLine,
  SubmittedLine,
  Totals,
} from '../../core/worker/BatchStore.js';
import type { Environment } from '../state/paths.js';
import type { Query, Session } from './session.js';
import { createStoreHolds, isHeld } from './storeHolds.js';
import type { StoreLocks } from './storeLocks.js';
import { identify } from './storeMark.js';
import { acceptedOf, createStoreTurns, endLine } from './storeTurns.js';

/** How many lines one statement writes, or reads. */
const linesAtOnce = 5_000;

/** From so many lines on, the server vacuums them at once and not when it comes to it: their state is then read from an index. */
const longBatch = 10_000;

/** How many lines a status names that need somebody, or time. */
const stuckShown = 20;

/** A refused line that is not begun again unless somebody names it; earlier versions had no code of their own for it. */
const mayBePaid = `coalesce(l.reason->>'code' in ('batch.begun', '${BatchHold.reason.code}')
  or l.reason->>'message' like '%has lost the run%', false)`;

/** Whether somebody has to decide on a line `l`. One that has failed may be held as well. */
const isRefused = `(l.state = 'refused' or l.state = 'failed' and ${isHeld})`;

const batchColumns = `b.name, b.network, b.instance, b.store, b.digest, b.lines, b.submitter, b.signature, b.state, b.priority,
  (extract(epoch from b.submitted_at) * 1000)::float8 as "submittedAt"`;

/** Why a line is not done. */
const reasonColumns = `coalesce(reason->>'code', '') as code, coalesce(reason->>'message', '') as message, reason->>'next' as next`;

export function createStoreBatches(session: Session, locks: StoreLocks, place: Environment): Batches {
  const { query } = session;
  const me = { id: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`, host: hostname() };

  const find = async (ask: Query, name: string): Promise<{ batch: Batch; blocks: readonly Hex[] }> => {
    const text = `select ${batchColumns}, b.blocks from ferry.batch b where b.name = $1`;
    const [row] = await ask<Batch & { blocks: string }>(text, [name]);
    if (!row) throw unknownBatch(name);
    const { blocks, ...batch } = row;
    return { batch, blocks: (blocks.match(/.{64}/g) ?? []).map((block): Hex => `0x${block}`) };
  };

  const stuckLines = (where: string, values: readonly unknown[]): Promise<StuckLine[]> =>
    query(
      `select batch, id, account, state, run, ${reasonColumns} from ferry.line
      where state in ('stuck', 'refused') ${where} order by batch, n limit ${stuckShown}`,
      values,
    );

  const refusedLines = (name: string): Promise<StuckLine[]> =>
    stuckLines(`and batch = $1 and state = 'refused'`, [name]);

  return {
    me,
    store: () => identify(session, place),
    ...createStoreTurns(session, locks),
    ...createStoreHolds(session),

    async submit(batch, blocks, lines) {
      const { name, network, instance, store, digest, submitter, signature, state, priority } = batch;
      const submitted = await session.transaction(async (within): Promise<'new' | 'same'> => {
        const made = await within(
          `insert into ferry.batch
            (name, network, instance, store, digest, lines, submitter, signature, blocks, state, priority)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning name`,
          [
            ...[name, network, instance, store, digest, batch.lines],
            ...[submitter, signature, blocks.map((block) => block.slice(2)).join(''), state, priority],
          ],
        );
        if (made.length === 0) {
          const there = (await find(within, name)).batch;
          if (there.digest === digest && there.network === network && there.instance === instance) return 'same';
          throw otherBatch(there);
        }
        let some: SubmittedLine[] = [];
        // The next lines are read while the server writes these.
        let writing: Promise<void> = Promise.resolve();
        for await (const line of lines) {
          some.push(line);
          if (some.length < linesAtOnce) continue;
          await writing;
          writing = insert(within, name, some);
          writing.catch(() => {});
          some = [];
        }
        await writing;
        await insert(within, name, some);
        return 'new';
      });
      // The batch is submitted, whether the server does this or not.
      if (submitted === 'new' && batch.lines >= longBatch) await query('vacuum (analyze) ferry.line').catch(() => {});
      return submitted;
    },

    list: () =>
      query(
        `select ${batchColumns}, coalesce(s.states, '{}') as states from ferry.batch b left join (
          select batch, jsonb_object_agg(state, count) as states from (
            select batch, state, count(*) from ferry.line group by batch, state
          ) c group by batch
        ) s on s.batch = b.name order by b.submitted_at desc`,
      ),

    find: (name) => find(query, name),

    async status(name) {
      const { batch } = await find(query, name);
      const byAccount = await query<{ account: string; state: LineState; count: number; oldest: number | null }>(
        `select account, state, count, case when state in ('running', 'stuck') then (
          select (extract(epoch from clock_timestamp() - min(begun_at)) * 1000)::float8 from ferry.line l
          where l.batch = $1 and l.account = c.account and l.state = c.state and l.state in ('running', 'stuck')
        ) end as oldest from (
          select account, state, count(*)::int as count from ferry.line where batch = $1 group by account, state
        ) c order by account`,
        [name],
      );
      const results = await query<{ funds: string; code: string | null; count: number }>(
        'select funds, code, count(*)::int as count from ferry.result where batch = $1 group by funds, code',
        [name],
      );
      const states: Partial<Record<LineState, number>> = {};
      const accounts = new Map<string, { states: Partial<Record<LineState, number>>; oldestMs: number | null }>();
      for (const { account, state, count, oldest } of byAccount) {
        const known = accounts.get(account) ?? { states: {}, oldestMs: null };
        accounts.set(account, known);
        known.states[state] = count;
        states[state] = (states[state] ?? 0) + count;
        if (oldest !== null) known.oldestMs = Math.max(known.oldestMs ?? 0, oldest);
      }
      const funds: Record<string, number> = {};
      for (const row of results) funds[row.funds] = (funds[row.funds] ?? 0) + row.count;
      return {
        batch,
        states,
        funds,
        accounts: [...accounts].map(([account, known]) => ({ account, ...known })),
        stuck: await stuckLines('and batch = $1', [name]),
        codes: [...new Set(results.flatMap(({ code }) => code ?? []))].sort(),
      };
    },

    async *results(name, { isFailed, since }) {
      await find(query, name);
      // By ranges, which are read by their index whatever the server knows of a table that has grown. A retry leaves gaps.
      const read = async (after: number): Promise<{ rows: readonly ResultRow[]; last: number }> => {
        const [counted] = await query<{ results: number }>('select results from ferry.batch where name = $1', [name]);
        const last = Math.min(counted?.results ?? 0, after + linesAtOnce);
        const wanted = isFailed ? 'and not ok' : '';
        const text = `select seq, id, doc from ferry.result where batch = $1 and seq > $2 and seq <= $3 ${wanted} order by seq`;
        return { rows: last <= after ? [] : await query(text, [name, after, last]), last };
      };
      for (let after = since, next = read(after); ; ) {
        const { rows, last } = await next;
        if (last <= after) return;
        after = last;
        // The server reads the next ones while these are written.
        next = read(after);
        next.catch(() => {});
        yield* rows;
      }
    },

    async setState(name, state) {
      const rows = await session.announce(
        `update ferry.batch set state = $2 where name = $1 and state <> 'cancelled' returning name`,
        [name, state],
      );
      if (rows.length > 0) return;
      throw cancelledBatchError((await find(query, name)).batch.name);
    },

    async cancel(name) {
      const lines = await session.transaction(async (within) => {
        await find(within, name);
        // Whoever claims a line of it next has to wait for this, and then finds it canceled.
        await within(`update ferry.batch set state = 'cancelled' where name = $1`, [name]);
        const error = cancelledLine(name);
        const doc = toJson(error);
        const [row] = await within(
          `with ended as (
            update ferry.line set state = 'cancelled'
            where batch = $1 and (state = 'waiting' or state = 'refused' and reason->>'code' = 'batch.capped') returning n, id, digest
          ), numbered as (
            select row_number() over (order by n) as more, n, id, digest from ended
          ), written as (
            insert into ferry.result (batch, seq, n, id, ok, code, funds, doc)
            select $1, b.results + more, e.n, e.id, false, $2, 'untouched',
              jsonb_build_object('id', e.id, 'digest', e.digest, 'ok', false, 'data', null, 'error', $3::jsonb)::text
            from numbered e, ferry.batch b where b.name = $1 on conflict do nothing returning 1
          ), counted as (
            update ferry.batch set results = results + (select count(*) from ended) where name = $1
          )
          select count(*)::int as count from ended`,
          [name, error.code, JSON.stringify(doc)],
        );
        return Number(row?.count);
      });
      return { lines, refused: await refusedLines(name) };
    },

    async retry(name) {
      const lines = await session.transaction(async (within) => {
        const { batch } = await find(within, name);
        if (batch.state === 'cancelled') throw cancelledBatchError(name);
        const [row] = await within(
          `with gone as (
            delete from ferry.result r using ferry.line l where r.batch = $1 and not r.ok and r.funds = 'untouched'
              and r.code <> 'batch.cancelled' and l.batch = r.batch and l.n = r.n and not ${isHeld}
            returning r.n
          ), again as (
            update ferry.line l set state = 'waiting', reason = null, attempts = 0, not_before = null, begun_at = null
            where l.batch = $1 and not ${mayBePaid}
              and (l.state = 'refused' or l.state = 'failed' and l.n in (select n from gone))
            returning 1
          )
          select count(*)::int as count from again`,
          [name],
        );
        return Number(row?.count);
      });
      return { lines, refused: await refusedLines(name) };
    },

    async refused(name, id) {
      await find(query, name);
      const [row] = await query<RefusedLine>(
        `select n, id, digest, account, doc, run, accepted, ${reasonColumns} from ferry.line l
        where batch = $1 and id = $2 and ${isRefused}`,
        [name, id],
      );
      if (!row) throw notRefusedError(name, id);
      return { ...row, accepted: acceptedOf(row) };
    },

    async cancelRefused(name, id) {
      const { n, digest, run } = await this.refused(name, id);
      const error = endedUnknown(name, run);
      const doc = JSON.stringify({ id, digest, ok: false, data: null, error: toJson(error) });
      await session.transaction(async (within) => {
        await forgetFailure(within, name, n);
        await endLine(within, { batch: name, id, digest, ok: false, code: error.code, funds: error.funds, run, doc });
      });
    },

    async retryRefused(name, id, accepted) {
      const { batch } = await find(query, name);
      if (batch.state === 'cancelled') throw cancelledBatchError(name);
      await session.transaction(async (within) => {
        const [row] = await within(
          `update ferry.line l set state = 'waiting', reason = null, attempts = 0, not_before = null, begun_at = null,
            accepted = $3 where batch = $1 and id = $2 and ${isRefused} returning n`,
          [name, id, accepted && JSON.stringify(accepted)],
        );
        if (!row) throw notRefusedError(name, id);
        await forgetFailure(within, name, Number(row.n));
      });
    },

    async releaseHeld(name) {
      return session.transaction(async (within) => {
        const { batch } = await find(within, name);
        if (batch.state === 'cancelled') throw cancelledBatchError(name);
        const rows = await within(
          `update ferry.line l set state = 'waiting', reason = null, attempts = 0, not_before = null, begun_at = null
          where batch = $1 and l.state in ('refused', 'failed') and ${isHeld} returning n`,
          [name],
        );
        for (const { n } of rows) await forgetFailure(within, name, Number(n));
        return rows.length;
      });
    },

    workers: () =>
      query(
        `select id, host, version, accounts, is_draining as "isDraining", refuses,
          (extract(epoch from started_at) * 1000)::float8 as "startedAt",
          (extract(epoch from seen_at) * 1000)::float8 as "seenAt"
        from ferry.worker order by id`,
      ),

    async beat({ version, accounts, isDraining, refuses }) {
      await query(
        `insert into ferry.worker (id, host, version, accounts, is_draining, refuses) values ($1, $2, $3, $4, $5, $6)
        on conflict (id) do update set seen_at = clock_timestamp(), is_draining = $5, refuses = $6`,
        [me.id, me.host, version, JSON.stringify(accounts), isDraining, JSON.stringify(refuses)],
      );
      // Of workers that were killed, some time ago.
      await query(`delete from ferry.worker where seen_at < clock_timestamp() - interval '1 day'`);
    },

    async leave() {
      await query('delete from ferry.worker where id = $1', [me.id]);
    },

    async totals() {
      const lines = await query<Totals['lines'][number]>(
        'select batch, state, count(*)::int as count from ferry.line group by batch, state order by batch, state',
      );
      const [row] = await query<{ oldest: number }>(
        `select coalesce(extract(epoch from clock_timestamp() - min(begun_at)) * 1000, 0)::float8 as oldest
        from ferry.line where state in ('running', 'stuck')`,
      );
      return { lines, oldestMs: row?.oldest ?? 0, stuck: await stuckLines('', []) };
    },
  };
}

async function insert(query: Query, batch: string, lines: readonly SubmittedLine[]): Promise<void> {
  if (lines.length === 0) return;
  const column = <K extends keyof SubmittedLine>(key: K): SubmittedLine[K][] => lines.map((line) => line[key]);
  await query(
    `insert into ferry.line (batch, n, id, digest, account, doc)
    select $1, * from unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[])`,
    [batch, column('n'), column('id'), column('digest'), column('account'), column('doc')],
  );
}

function unknownBatch(name: string): BaseError {
  return new BaseError('batch.unknown', `The store has no batch ${TerminalText.escape(name)}.`, {
    next: 'ferry batch list',
  });
}

/** A batch is what it was when it was submitted. */
function otherBatch({ name, lines }: Batch): BaseError {
  return new BaseError(
    'batch.taken',
    `The store has another batch ${TerminalText.escape(name)}, of ${lines} lines. Nothing was submitted.`,
    {
      hint: 'A batch cannot be changed: give the new one another name, and only the lines that are new.',
      next: ShellCommand.line`ferry batch status ${name}`,
    },
  );
}

/** A line has one result, and what is decided now is another one. */
async function forgetFailure(within: Query, batch: string, n: number): Promise<void> {
  await within(`delete from ferry.result where batch = $1 and n = $2 and not ok and funds = 'untouched'`, [batch, n]);
}

/** Nobody has to decide on the line: it is under way, or over. */
function notRefusedError(batch: string, id: string): BaseError {
  return new BaseError(
    'batch.unknown',
    `The batch ${TerminalText.escape(batch)} has no line ${TerminalText.escape(id)} that is refused.`,
    { next: ShellCommand.line`ferry batch status ${batch}` },
  );
}

/** Somebody has ended a line that was refused. */
function endedUnknown(batch: string, run: string | null): BaseError {
  return new BaseError(
    'batch.begun',
    `Somebody has ended the line of ${TerminalText.escape(batch)}, which was refused: whether it was paid is not known here.`,
    { ...(run === null ? {} : { run }), hint: 'Look at the chain before you pay it in any other way.' },
  );
}

function cancelledBatchError(name: string): BaseError {
  return new BaseError('batch.cancelled', `The batch ${TerminalText.escape(name)} is canceled, for good.`, {
    hint: 'Submit its lines under another name.',
  });
}

function cancelledLine(batch: string): BaseError {
  return new BaseError(
    'batch.cancelled',
    `The batch ${TerminalText.escape(batch)} was canceled before anybody began this line.`,
  );
}
