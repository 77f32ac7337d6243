/**
 * What people decide about batches and their lines: pause, cancel, try again, and what becomes of a line that is refused or
 * held because it may be paid.
 */
import { BaseError } from '../../core/base/Errors.js';
import { toJson } from '../../core/text/ErrorReport.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as BatchHold from '../../core/worker/BatchHold.js';
import type { Batches, Changed, RefusedLine } from '../../core/worker/BatchStore.js';
import { findBatch, isEnded, isHeld, reasonColumns, refusedLines } from './batchRows.js';
import type { Query, Session } from './session.js';
import { acceptedOf, endLine } from './storeTurns.js';

/** A refused line that is not begun again unless somebody names it; earlier versions had no code of their own for it. */
const mayBePaid = `coalesce(l.reason->>'code' in ('batch.begun', '${BatchHold.reason.code}')
  or l.reason->>'message' like '%has lost the run%', false)`;

/** Whether somebody has to decide on a line `l`. One that has failed may be held as well. */
const isRefused = `(l.state = 'refused' or l.state = 'failed' and ${isHeld})`;

/** What a line becomes that waits again. */
const waitsAgain = `state = 'waiting', reason = null, attempts = 0, not_before = null, begun_at = null`;

type Decisions = Pick<
  Batches,
  'setState' | 'cancel' | 'retry' | 'refused' | 'cancelRefused' | 'retryRefused' | 'holdLines' | 'releaseHeld'
>;

export function createStoreDecisions(session: Session): Decisions {
  const { query } = session;
  return {
    async setState(name, state) {
      const rows = await session.announce(
        `update ferry.batch set state = $2 where name = $1 and state <> 'cancelled' returning name`,
        [name, state],
      );
      if (rows.length > 0) return;
      throw cancelledBatch((await findBatch(query, name)).batch.name);
    },

    cancel: (name) => cancel(session, name),
    retry: (name) => retry(session, name),

    async refused(name, id) {
      await findBatch(query, name);
      const [row] = await query<RefusedLine>(
        `select n, id, digest, account, doc, run, accepted, ${reasonColumns} from ferry.line l
        where batch = $1 and id = $2 and ${isRefused}`,
        [name, id],
      );
      if (!row) throw notRefused(name, id);
      return { ...row, accepted: acceptedOf(row) };
    },

    async cancelRefused(name, id) {
      const { n, digest, run } = await this.refused(name, id);
      const error = endedUnknown(name, run);
      const doc = JSON.stringify({ id, digest, ok: false, data: null, error: toJson(error) });
      await session.transaction(async (within) => {
        await forgetFailure(within, name, n);
        await endLine(within, { batch: name, id, digest, ok: false, code: error.code, funds: error.funds, run, doc });
        // One that had failed before it was held would be held on.
        await within('update ferry.line set reason = null where batch = $1 and n = $2', [name, n]);
      });
    },

    async retryRefused(name, id, accepted) {
      await assertNotCancelled(query, name);
      await session.transaction(async (within) => {
        const [row] = await within(
          `update ferry.line l set ${waitsAgain}, accepted = $3
          where batch = $1 and id = $2 and ${isRefused} and not ${isEnded} returning n`,
          [name, id, accepted && JSON.stringify(accepted)],
        );
        if (!row) throw notRefused(name, id);
        await forgetFailure(within, name, Number(row.n));
      });
    },

    async holdLines(account, { network, instance }, reason) {
      // What has failed could be tried again: it may have been, and paid.
      const rows = await session.announce(
        `update ferry.line l set state = case l.state when 'failed' then 'failed' else 'refused' end, reason = $4
        from ferry.batch b where b.name = l.batch and b.network = $2 and b.instance is not distinct from $3
          and l.account = $1 and b.state <> 'cancelled' and (l.state in ('waiting', 'running', 'stuck')
            or l.state in ('failed', 'refused') and not ${isHeld})
          and not ${isEnded}
        returning l.batch, l.id, l.n`,
        [account.toLowerCase(), network, instance, JSON.stringify(reason)],
      );
      return rows
        .sort((a, b) => String(a.batch).localeCompare(String(b.batch)) || Number(a.n) - Number(b.n))
        .map(({ batch, id }) => `${batch}/${id}`);
    },

    async releaseHeld(name) {
      return session.transaction(async (within) => {
        await assertNotCancelled(within, name);
        const rows = await within(
          `update ferry.line l set ${waitsAgain}
          where batch = $1 and l.state in ('refused', 'failed') and ${isHeld} and not ${isEnded} returning n`,
          [name],
        );
        for (const { n } of rows) await forgetFailure(within, name, Number(n));
        return rows.length;
      });
    },
  };
}

/** Ends every line that nobody has begun. */
async function cancel(session: Session, name: string): Promise<Changed> {
  const lines = await session.transaction(async (within) => {
    await findBatch(within, name);
    // The next worker that claims one of its lines waits for this, and then finds it canceled.
    await within(`update ferry.batch set state = 'cancelled' where name = $1`, [name]);
    const [mark] = await within('select lost_at is not null as "isInDoubt" from ferry.mark');
    const error = cancelledLine(name, mark?.isInDoubt !== false);
    const doc = toJson(error);
    const [row] = await within(
      `with ended as (
        update ferry.line set state = 'cancelled'
        where batch = $1 and (state = 'waiting' or state = 'refused' and reason->>'code' = 'batch.capped') returning n, id, digest
      ), numbered as (
        select row_number() over (order by n) as more, n, id, digest from ended
      ), written as (
        insert into ferry.result (batch, seq, n, id, ok, code, funds, doc)
        select $1, b.results + more, e.n, e.id, false, $2, $4,
          jsonb_build_object('id', e.id, 'digest', e.digest, 'ok', false, 'data', null, 'error', $3::jsonb)::text
        from numbered e, ferry.batch b where b.name = $1 on conflict do nothing returning 1
      ), counted as (
        update ferry.batch set results = results + (select count(*) from ended) where name = $1
      )
      select count(*)::int as count from ended`,
      [name, error.code, JSON.stringify(doc), error.funds],
    );
    return Number(row?.count);
  });
  return { lines, refused: await refusedLines(session.query, name) };
}

/** Lets lines wait again that failed with funds untouched, or were refused and are not paid. */
async function retry(session: Session, name: string): Promise<Changed> {
  const lines = await session.transaction(async (within) => {
    await assertNotCancelled(within, name);
    const [row] = await within(
      `with gone as (
        delete from ferry.result r using ferry.line l where r.batch = $1 and not r.ok and r.funds = 'untouched'
          and r.code <> 'batch.cancelled' and l.batch = r.batch and l.n = r.n and not ${isHeld}
        returning r.n
      ), again as (
        update ferry.line l set ${waitsAgain}
        where l.batch = $1 and not ${mayBePaid}
          and (l.state = 'refused' or l.state = 'failed' and l.n in (select n from gone))
        returning 1
      )
      select count(*)::int as count from again`,
      [name],
    );
    return Number(row?.count);
  });
  return { lines, refused: await refusedLines(session.query, name) };
}

/** @throws batch.unknown · batch.cancelled */
async function assertNotCancelled(ask: Query, name: string): Promise<void> {
  const { batch } = await findBatch(ask, name);
  if (batch.state === 'cancelled') throw cancelledBatch(name);
}

/** A line has one result, and what is decided now is another one. */
async function forgetFailure(within: Query, batch: string, n: number): Promise<void> {
  await within(`delete from ferry.result where batch = $1 and n = $2 and not ok and funds = 'untouched'`, [batch, n]);
}

/** Nobody has to decide on the line: it is under way, or over. */
function notRefused(batch: string, id: string): BaseError {
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

function cancelledBatch(name: string): BaseError {
  return new BaseError('batch.cancelled', `The batch ${TerminalText.escape(name)} is canceled, for good.`, {
    hint: 'Submit its lines under another name.',
  });
}

function cancelledLine(name: string, isInDoubt: boolean): BaseError {
  const batch = TerminalText.escape(name);
  if (!isInDoubt)
    return new BaseError('batch.cancelled', `The batch ${batch} was canceled before anybody began this line.`);
  return new BaseError(
    'batch.cancelled',
    `The batch ${batch} was canceled in a store that may have lost who began this line: whether it was paid is not known here.`,
    { funds: 'unknown', hint: 'Look at the chain before you pay it in any other way.' },
  );
}
