/**
 * What a store must be to be trusted with payments: it keeps what it has committed, and a lock is of one session.
 *
 * Checked at the start, and again by the statement of each entry that announces an act (`appending` of `storeRuns.ts`).
 */
import type { StoreCheck } from '../../core/ports/StoreControl.js';
import { refusedStoreError, type Session } from './session.js';

const least = 130_000;

/** Asks the server everything at once. @throws store.lost */
export async function checks(
  session: Session,
  { isAsyncAccepted }: { isAsyncAccepted: boolean },
): Promise<StoreCheck[]> {
  const [row = {}] = await session.query(`select
    current_setting('server_version_num')::int as version, current_setting('server_version') as named,
    current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
    current_setting('synchronous_commit') as commit, current_setting('synchronous_standby_names') as standbys,
    current_setting('transaction_read_only') as readonly, pg_is_in_recovery() as standby,
    (select count(*)::int from pg_stat_replication) as replicas, pg_backend_pid() as pid`);
  const { version, named, fsync, pages, commit, standbys, readonly, standby, replicas, pid } = row;
  const isAsync = Number(replicas) > 0 && standbys === '';
  const check = (name: string, found: unknown, isGood: boolean, problem: string): StoreCheck => ({
    name,
    found: String(found),
    problem: isGood ? undefined : problem,
  });
  return [
    check('version', String(named).split(' ')[0], Number(version) >= least, 'PostgreSQL 13 is the oldest that will do'),
    check('fsync', fsync, fsync === 'on', 'fsync is off, so a crash loses payments'),
    check('full_page_writes', pages, pages === 'on', 'full_page_writes is off, so a crash damages pages'),
    check(
      'synchronous_commit',
      commit,
      commit !== 'off' && commit !== 'local',
      `synchronous_commit is ${commit}, so a crash loses what was committed`,
    ),
    check(
      'writable',
      readonly === 'off' && standby !== true ? 'yes' : 'no',
      readonly === 'off' && standby !== true,
      'it is a standby or read-only',
    ),
    check(
      'replication',
      Number(replicas) === 0 ? 'no standby' : isAsync ? 'asynchronous' : 'synchronous',
      !isAsync || isAsyncAccepted,
      'a standby may lack the last commits (synchronous_standby_names is empty); storeAsync accepts that',
    ),
    check(
      'session',
      session.processId === pid ? 'its own' : 'behind a pooler',
      session.processId === pid,
      'there is a pooler in between, so a lock would be of no one session',
    ),
  ];
}

/** @throws store.refused */
export async function assertSafe(session: Session, terms: { isAsyncAccepted: boolean }): Promise<void> {
  const bad = (await checks(session, terms)).find(({ problem }) => problem !== undefined);
  if (bad?.problem !== undefined) throw refusedStoreError(session.name, bad.problem);
}
