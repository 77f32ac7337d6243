/** What people see of the store: its batches and how far they are, results, workers. No decision rests on it. */
import type { Batches, BatchStatus, LineState, Me, ResultRow, Totals } from '../../core/worker/BatchStore.js';
import { allStuckLines, batchColumns, findBatch, stuckLines } from './batchRows.js';
import type { Session } from './session.js';

/** How many results one statement reads. */
const resultsAtOnce = 5_000;

export function createStoreProgress(
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

/** By ranges, which are read by their index whatever the server knows of a table that has grown. */
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
