/**
 * Who carries which line: an account is held by an advisory lock of the worker's session, so it is free as soon as that
 * session ends. What is left running of an account that this session holds, nobody carries.
 */
import type { Hex } from '../../core/base/Hex.js';
import * as JsonText from '../../core/text/JsonText.js';
import type { BatchLineEnd, BatchLineRef } from '../../core/tracking/BatchLineRef.js';
import * as BatchSeal from '../../core/worker/BatchSeal.js';
import type { AccountTurn, Batches, HeldLine, Left } from '../../core/worker/BatchStore.js';
import { ledgerOf } from '../../core/worker/BatchStore.js';
import type { Query, Session } from './session.js';
import type { StoreLocks } from './storeLocks.js';

const here = `b.network = $2 and b.instance is not distinct from $3 and not b.name = any($4::text[])`;

/** The line in the first entry of a run, as its journal has it. The index has the same expressions. */
const sealedLine = {
  isThere: `n = 0 and text like '%"line":{"ledger":"batch:%'`,
  text: `md5(substring(text from '"line":(\\{"ledger":"batch:.*"digest":"[^"]*"\\})'))`,
  of: (line: BatchLineRef): string => JsonText.line(line),
};

const isTime = '(l.not_before is null or l.not_before <= clock_timestamp())';

const columns = 'l.batch, l.n, l.id, l.digest, l.account, l.doc, l.state, l.attempts, l.accepted';

export function createStoreTurns(session: Session, locks: StoreLocks): Pick<Batches, 'payable' | 'hold'> {
  return {
    async payable(accounts, { network, instance }, except) {
      const rows = await session.query(
        `select account from unnest($1::text[]) with ordinality as given (account, place) cross join lateral (
          select min(l.begun_at) as first from ferry.line l join ferry.batch b on b.name = l.batch
          where l.account = given.account and l.state in ('running', 'stuck') and ${isTime} and ${here}
        ) begun where begun.first is not null or exists (
          select 1 from ferry.batch b where b.state = 'ready' and ${here} and exists (
            select 1 from ferry.line l
            where l.account = given.account and l.batch = b.name and l.state = 'waiting' and ${isTime}
          )
        ) order by begun.first nulls last, place`,
        [accounts, network, instance, except],
      );
      return rows.map(({ account }) => String(account));
    },
    async hold(account) {
      const lock = `account ${account.toLowerCase()}`;
      if (!(await locks.tryTake(lock))) return undefined;
      return turnOf({ session, account, release: () => locks.release(lock) });
    },
  };
}

type Held = { session: Session; account: string; release(): void };

function turnOf({ session, account, release }: Held): AccountTurn {
  const { query } = session;
  return {
    async claim({ network, instance }, except) {
      const values = [account, network, instance, except];
      const [begun] = await query<HeldLine>(
        `select ${columns} from ferry.line l join ferry.batch b on b.name = l.batch
        where l.account = $1 and l.state in ('running', 'stuck') and ${isTime} and ${here}
        order by l.begun_at limit 1`,
        values,
      );
      // What was begun and is not the line of this turn is settled before anything new is signed.
      if (begun) return lineOf(begun);
      const [line] = await session.announce<HeldLine>(
        `with next as (
          select l.batch, l.n from ferry.batch b cross join lateral (
            select batch, n from ferry.line l
            where l.account = $1 and l.batch = b.name and l.state = 'waiting' and ${isTime}
            order by n limit 1 for update skip locked
          ) l
          where b.state = 'ready' and ${here} order by b.priority desc, b.submitted_at limit 1
        )
        update ferry.line l set state = 'running', begun_at = clock_timestamp(), attempts = attempts + 1, reason = null
        from next where l.batch = next.batch and l.n = next.n and l.state = 'waiting'
        returning ${columns}`,
        values,
      );
      return line && { ...lineOf(line), state: 'waiting' };
    },
    block(batch, number) {
      const first = number * BatchSeal.blockLines;
      return query('select n, id, digest, account from ferry.line where batch = $1 and n >= $2 and n < $3 order by n', [
        ...[batch, first, first + BatchSeal.blockLines],
      ]);
    },
    async runsOf({ batch, id, digest }) {
      const ledger = ledgerOf(batch);
      // A database user can make a row name another line, but cannot seal that.
      const rows = await query(
        `select id from ferry.run where id in (
          select id from ferry.run where ledger = $1 and line = $2
          union all select run from ferry.entry where ${sealedLine.isThere} and ${sealedLine.text} = md5($3)
        ) order by seq desc`,
        [ledger, id, sealedLine.of({ ledger, id, digest })],
      );
      return rows.map(({ id: run }) => String(run));
    },
    async hasPaid(batch) {
      const [row] = await query(
        `select exists (
          select 1 from ferry.line where batch = $1 and account = $2 and state = 'done'
        ) as paid`,
        [batch, account],
      );
      return row?.paid === true;
    },
    end: (line) => session.transaction((within) => endLine(within, line)),
    async leave(line, to) {
      const { state, run, reason, waitMs } = to;
      await session.announce(
        `update ferry.line set state = $3, run = coalesce($4, run), reason = $5, attempts = attempts + $7,
          not_before = clock_timestamp() + make_interval(secs => $6::float8 / 1000)
        where batch = $1 and n = $2 and state in ('waiting', 'running', 'stuck')`,
        [line.batch, line.n, state, run, JSON.stringify(reason), waitMs, attemptsIn(line, to)],
      );
    },
    release,
  };
}

/** How many attempts are counted when a line is left. The claim of one that waited has counted one. */
function attemptsIn(line: HeldLine, { state, isHeldBack }: Left): number {
  if (isHeldBack) return line.state === 'waiting' ? -1 : 0;
  return state === 'stuck' ? 1 : 0;
}

/** Writes the result of a line, unless it has one, and that it is over. */
export async function endLine(within: Query, end: BatchLineEnd): Promise<void> {
  const { batch, id, digest, ok, code, funds, run, doc } = end;
  await within(
    `with line as (
      select n from ferry.line where batch = $1 and id = $2 and digest = $3
    ), counted as (
      update ferry.batch set results = results + 1 where name = $1 and exists (select 1 from line)
        and not exists (select 1 from ferry.result r where r.batch = $1 and r.n in (select n from line))
      returning results
    )
    insert into ferry.result (batch, seq, n, id, ok, code, funds, run, doc)
    select $1, counted.results, line.n, $2, $4, $5, $6, $7, $8 from counted, line on conflict do nothing`,
    [batch, id, digest, ok, code, funds, run, doc],
  );
  await within(
    `update ferry.line l set state = case when r.ok then 'done' else 'failed' end, run = $4, reason = null
    from ferry.result r where l.batch = $1 and l.id = $2 and l.digest = $3 and r.batch = l.batch and r.n = l.n
      and l.state not in ('done', 'failed')`,
    [batch, id, digest, run],
  );
  if (run !== null)
    await within('update ferry.run set is_recorded = true where id = $1 and is_over and not is_recorded', [run]);
}

/** What was decided of a line, as it is stored. */
export function acceptedOf({ accepted }: { accepted: unknown }): HeldLine['accepted'] {
  const { runs, signature } = (accepted ?? {}) as Partial<Record<string, unknown>>;
  if (!Array.isArray(runs) || typeof signature !== 'string') return null;
  return { runs: runs.map(String), signature: signature as Hex };
}

function lineOf(row: HeldLine): HeldLine {
  return { ...row, accepted: acceptedOf(row) };
}
