/**
 * Which store it is, and whether it is what it was. What is signed for one store is worth nothing in another, and a machine
 * notices another one in its place. It records where it is: one that finds itself on another server, timeline or database was
 * restored or has failed over. Each machine remembers how far it was: what is less now was lost.
 */
import { BaseError } from '../../core/base/Errors.js';
import type { StoreDoubt } from '../../core/tracking/StoreDoubt.js';
import { attempt } from '../files/attempt.js';
import type { Environment } from '../state/paths.js';
import * as storeMemory from '../state/storeMemory.js';
import type { Session } from './session.js';
import { putBack } from './storeMending.js';

/** Where this database is: a restored copy of its tables has others, and a promoted standby has another timeline. */
const place = `(select system_identifier from pg_control_system()) || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
  || ' ' || (select oid from pg_database where datname = current_database()) || ' ' || 'ferry.mark'::regclass::oid`;

export const migration = `
  create table ferry.mark (
    is_only boolean primary key default true check (is_only),
    place text not null,
    -- How often it was found to lack something, or where it does not belong; and when, unless somebody has vouched for it.
    loss integer not null default 0,
    lost_at timestamptz
  );
  -- How often each machine has written what announces an act.
  create table ferry.machine (id text primary key, writes bigint not null);
  insert into ferry.mark (place) select ${place};
`;

/** The position in the server's log, as a number. */
export const position = `(pg_current_wal_lsn() - '0/0'::pg_lsn)::text`;

export type StoreMark = ReturnType<typeof createStoreMark>;

/** How far the store was with a write. */
export type Written = { writes: string; lsn: string };

export type MarkOptions = {
  session: Session;
  memory: storeMemory.StoreMemory;
  now(): number;
  warn(text: string): void;
};

export function createStoreMark({ session, memory, now, warn }: MarkOptions) {
  let known: MarkRow | undefined;
  const look = async (): Promise<MarkRow> => {
    const [row] = await session.query<MarkRow>(
      `select (select id from ferry.store) as store, place as known, ${place} as place, loss, (extract(epoch from lost_at) * 1000)::float8 as "lostMs",
        (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as lsn,
        coalesce((select writes from ferry.machine where id = $1), 0)::text as writes
      from ferry.mark`,
      [memory.findMachine() ?? ''],
    );
    known = row ?? never();
    return known;
  };
  /** Of several who notice, one notes it. A server that was restored may have the clock of its copy. */
  const noteLoss = async ({ known: before, loss }: MarkRow): Promise<MarkRow> => {
    await session.announce(
      `update ferry.mark set place = ${place}, loss = loss + 1,
        lost_at = greatest(clock_timestamp(), to_timestamp($3::float8 / 1000)) where place = $1 and loss = $2`,
      [before, loss, now()],
    );
    return look();
  };
  const settled = async (seen: MarkRow): Promise<MarkRow> => (seen.known === seen.place ? seen : noteLoss(seen));

  return {
    /** The name of this machine in the store. @throws the file system's error */
    machine: memory.machine,
    /** Looks whether the store is what this machine knew. If not, notes it, and puts back what is missing. @throws store.* */
    async arrive(): Promise<void> {
      try {
        await arrive();
      } catch (error) {
        // A role that may only read pays nothing.
        if (!(error instanceof BaseError) || error.code !== 'store.unwritable') throw error;
        warn(error.message);
      }
    },
    /** What it may have forgotten, as it is now. @throws store.* */
    async doubt(): Promise<StoreDoubt | undefined> {
      const { lostMs } = await settled(await look());
      return lostMs === null ? undefined : { sinceMs: lostMs };
    },
    async trust(): Promise<void> {
      await settled(await look());
      await session.announce('update ferry.mark set lost_at = null');
    },
    /** Puts back what the store lacks of some runs, and this machine has copied. @throws store.* */
    async mend(runs: readonly string[]): Promise<void> {
      const { store } = known ?? never();
      await putBack(
        session,
        runs.flatMap((run) => memory.run(store, run) ?? []),
        warn,
      );
    },
    /** Copies entries that were committed, before what they announce is done. @throws the file system's error */
    keep(
      run: string,
      kept: readonly storeMemory.Kept[],
      { isFlushed, written }: { isFlushed: boolean; written?: Written | undefined },
    ): void {
      const { store, place: there, loss } = known ?? never();
      memory.keep(store, run, kept, isFlushed);
      if (!written) return;
      const before = memory.read(store);
      const isLater =
        before === undefined ||
        before.loss < loss ||
        (before.loss === loss && BigInt(written.writes) > BigInt(before.writes));
      if (isLater) memory.write(store, { place: there, loss, ...written });
    },
  };

  async function arrive(): Promise<void> {
    let seen = await settled(await look());
    const remembered = memory.read(seen.store);
    const isShort =
      remembered !== undefined &&
      (BigInt(seen.writes) < BigInt(remembered.writes) ||
        (seen.place === remembered.place && BigInt(seen.lsn) < BigInt(remembered.lsn)));
    if (isShort && seen.loss <= remembered.loss) seen = await noteLoss(seen);
    const isKnown = remembered?.loss === seen.loss && remembered.place === seen.place;
    if (isKnown && !isShort) return;
    if (isShort || seen.loss > 0) {
      await putBack(session, memory.runs(seen.store), warn);
      await session.announce(
        `insert into ferry.machine as m (id, writes) values ($1, $2::bigint)
          on conflict (id) do update set writes = greatest(m.writes, excluded.writes)`,
        [memory.machine(), remembered?.writes ?? '0'],
      );
      seen = await look();
    }
    remember(seen);
  }

  /** A machine that cannot remember signs nothing later on. */
  function remember({ store, place: there, loss, writes, lsn }: MarkRow): void {
    attempt(() => memory.write(store, { place: there, loss, writes, lsn }));
  }
}

type MarkRow = storeMemory.Remembered & { store: string; known: string; lostMs: number | null };

function never(): never {
  throw new Error('The store has no mark.');
}

/** The id of the store, which this machine remembers. @throws store.refused if it remembers another one at this address */
export async function identify(session: Session, place: Environment): Promise<string> {
  const id = await idOf(session);
  const known = storeMemory.pinnedAt(place, session.name);
  if (known === undefined) storeMemory.pin(place, session.name, id);
  else if (known !== id)
    throw new BaseError(
      'store.refused',
      `The store ${session.name} is another one than this machine knows there. Nothing was signed.`,
      {
        hint: 'A copy of a store keeps its id. If a new one was made there on purpose, say so.',
        next: 'ferry store check --adopt',
      },
    );
  return id;
}

/** The id that the store says it has. */
export async function idOf(session: Session): Promise<string> {
  const [row] = await session.query('select id from ferry.store');
  return String(row?.id);
}
