/** Advisory locks of a session, by name. They end with it. */
import { createHash } from 'node:crypto';
import type { Query, Session } from './session.js';

export type StoreLocks = ReturnType<typeof createLocks>;

/** The key of a lock: 64 bits of a digest, as PostgreSQL takes them. */
function keyOf(name: string): string {
  return createHash('sha256').update(`ferry ${name}`).digest().readBigInt64BE(0).toString();
}

export function createLocks(session: Session) {
  const mine = new Set<string>();
  const holder = async (name: string, query: Query = session.query): Promise<string | undefined> => {
    const [row] = await query(
      `select l.pid, host(a.client_addr) as client, a.application_name as program
      from pg_locks l left join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and l.objsubid = 1
        and l.database = (select oid from pg_database where datname = current_database())
        and ((l.classid::bigint << 32) | l.objid::bigint) = $1::bigint`,
      [keyOf(name)],
    );
    if (!row) return undefined;
    return `another ferry process${typeof row.client === 'string' ? ` at ${row.client}` : ''}`;
  };
  return {
    /** Takes a lock unless another process, or another caller in this one, holds it. */
    async tryTake(name: string): Promise<boolean> {
      if (mine.has(name)) return false;
      mine.add(name);
      try {
        const [row] = await session.query('select pg_try_advisory_lock($1::bigint) as taken', [keyOf(name)]);
        if (row?.taken !== true) mine.delete(name);
        return row?.taken === true;
      } catch (error) {
        mine.delete(name);
        throw error;
      }
    },
    /** Gives it back; at the latest, the end of the session does. */
    release(name: string): void {
      if (!mine.has(name)) return;
      const done = session.query('select pg_advisory_unlock($1::bigint)', [keyOf(name)]);
      // Held until then, so that this process does not take it twice.
      void done.catch(() => {}).then(() => mine.delete(name));
    },
    /** Whether anybody holds it. Asked within a transaction by its query. */
    isHeld: async (name: string, query?: Query) => mine.has(name) || (await holder(name, query)) !== undefined,
    /** Who holds it, in words; undefined if nobody does. */
    holder: async (name: string) => (mine.has(name) ? 'another run of this process' : holder(name)),
  };
}
