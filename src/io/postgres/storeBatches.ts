/** The batches of all machines, their lines and their results. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { BaseError } from '../../core/base/Errors.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import type {
  Batch,
  Batches,
  BatchStatus,
  LineState,
  Me,
  ResultRow,
  SubmittedLine,
  Totals,
} from '../../core/worker/BatchStore.js';
import type { Environment } from '../state/paths.js';
import { allStuckLines, batchColumns, findBatch, stuckLines } from './batchRows.js';
import type { Query, Session } from './session.js';
import { createStoreDecisions } from './storeDecisions.js';
import type { StoreLocks } from './storeLocks.js';
import { identify } from './storeMark.js';
import { createStoreTurns } from './storeTurns.js';

const linesAtOnce = 5_000;

/** From so many lines on, the server vacuums them at once and not when it comes to it: their state is then read from an index. */
const longBatch = 10_000;

export function createStoreBatches(session: Session, locks: StoreLocks, place: Environment): Batches {
  const { query } = session;
  const me = { id: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`, host: hostname() };
  return {
    me,
    store: () => identify(session, place),
    find: (name) => findBatch(query, name),
    ...createStoreTurns(session, locks),
    ...createStoreDecisions(session),
    ...createProgress(session, me),

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
          const there = (await findBatch(within, name)).batch;
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
  };
}

const resultsAtOnce = 5_000;

/** What people see of the store: its batches and how far they are, results, workers. No decision rests on it. */
function createProgress(
  session: Session,
  me: Me,
): Pick<Batches, 'list' | 'status' | 'results' | 'workers' | 'beat' | 'leave' | 'totals'> {
  const { query } = session;
  return {
    list: () =>
      query(
        `select ${batchColumns}, coalesce(s.states, '{}') as states from ferry.batch b left join (
          select batch, jsonb_object_agg(state, count) as states from (
            select batch, state, count(*) from ferry.line group by batch, state
          ) c group by batch
        ) s on s.batch = b.name order by b.submitted_at desc`,
      ),

    status: (name) => statusOf(session, name),
    results: (name, wanted) => resultsOf(session, name, wanted),

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
      return { lines, oldestMs: row?.oldest ?? 0, stuck: await allStuckLines(query) };
    },
  };
}

async function statusOf({ query }: Session, name: string): Promise<BatchStatus> {
  const { batch } = await findBatch(query, name);
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
    stuck: await stuckLines(query, name),
    codes: [...new Set(results.flatMap(({ code }) => code ?? []))].sort(),
  };
}

async function* resultsOf(
  { query }: Session,
  name: string,
  { isFailed, since }: Parameters<Batches['results']>[1],
): AsyncGenerator<ResultRow, void> {
  await findBatch(query, name);
  // By ranges, which are read by their index whatever the server knows of a table that has grown. A retry leaves gaps.
  const read = async (after: number): Promise<{ rows: readonly ResultRow[]; last: number }> => {
    const [counted] = await query<{ results: number }>('select results from ferry.batch where name = $1', [name]);
    const last = Math.min(counted?.results ?? 0, after + resultsAtOnce);
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
