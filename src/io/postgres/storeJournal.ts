/**
 * The journal of one run in the store, which this process has locked.
 *
 * Nothing is sent before it is kept: a `signed` entry and the nonces it uses are one statement, which also checks the
 * epoch of the turn, and that no other open run has the nonce. No row means that somebody has taken over
 * (`store.fenced`).
 */
import { BaseError } from '../../core/base/Errors.js';
import type { Turn } from '../../core/ports/Ports.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import type { BatchLineEnd } from '../../core/tracking/BatchLineRef.js';
import * as Journal from '../../core/tracking/Journal.js';
import * as JournalCodec from '../../core/tracking/JournalCodec.js';
import type { Run } from '../../core/tracking/RunStore.js';
import * as runErrors from '../runs/runErrors.js';
import type { Kept } from '../state/storeMemory.js';
import type { Sealing } from '../state/userSecret.js';
import type { Host } from '../terminal/host.js';
import { assertNotHeld, isOfHeld } from './batchRows.js';
import type { Row, Session } from './session.js';
import { assertSafe } from './storeChecks.js';
import type { StoreLocks } from './storeLocks.js';
import { position, type StoreMark, type Written } from './storeMark.js';
import { claimOf, fencedError, type Use } from './storeNonces.js';
import { endLine } from './storeTurns.js';

export type RunStoreAccess = {
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

/** A run as it was opened, with the epoch that fences whoever had it before. */
export type Opened = Pick<JournalCodec.Read, 'lines' | 'end' | 'isOwn'> & { id: string; epoch: string };

type Held = Pick<Opened, 'id' | 'end' | 'epoch'> & {
  state: Journal.State;
  count: number;
  /** What this machine has no copy of yet. */
  uncopied: Kept[];
  /** Whether it keeps one: only of a run that has announced something. */
  isCopied: boolean;
  isClosed: boolean;
};

export function holdRun(
  store: RunStoreAccess,
  { id, lines, end, isOwn, epoch }: Opened,
  begun: Journal.State,
  uncopied: readonly Kept[],
): Run {
  const opened = { id, end, epoch, state: begun, count: lines.length };
  const held: Held = { ...opened, uncopied: [...uncopied], isCopied: false, isClosed: false };
  const { locks, warn } = store;
  let warned = false;
  /** One after the other: each line continues the one before it. */
  let last: Promise<unknown> = Promise.resolve();
  // What an earlier process has signed is about to be sent from here.
  if (Journal.isUnfinished(begun)) copy(store, held);
  return {
    id,
    isOwn,
    state: () => held.state,
    async append(entry, turn, line) {
      const writing = last.then(() => write(store, held, { entry, turn, line }));
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
      if (held.isClosed) return;
      held.isClosed = true;
      void last
        .then(() => endUnsigned(store, held))
        .catch(() => {})
        .then(() => locks.release(lockOf(id)));
    },
  };
}

export function lockOf(id: string): string {
  return `run ${id}`;
}

/** What has signed nothing is over without an outcome. */
async function endUnsigned({ session }: RunStoreAccess, { id, state }: Held): Promise<void> {
  if (Journal.isUnfinished(state) || state.outcome) return;
  await session.query('update ferry.run set is_over = true where id = $1', [id]);
}

type Writing = { entry: Journal.Entry; turn: Turn | undefined; line: BatchLineEnd | undefined };

async function write(store: RunStoreAccess, held: Held, { entry, turn, line }: Writing): Promise<void> {
  if (held.isClosed) throw new Error('The run is closed.');
  const { session, host, isAsyncAccepted } = store;
  const { id, count } = held;
  const at = host.now();
  const { text, end } = JournalCodec.from({ at, entry }, count, held.end, store.seal.findOrMake());
  const taking = claimOf(turn);
  const { counter, epoch } = taking?.claim ?? {};
  const uses = taking ? usesOf(entry, taking.claim.uses) : [];
  const state = Journal.reduce(held.state, entry);
  const isNote = !acts.includes(entry.type);
  const values = [
    ...[id, count, text, counter ?? null, epoch ?? null],
    ...[uses.map(({ sequence }) => sequence), uses.map(({ nonce }) => String(nonce))],
    ...[hashIn(entry), String(at), state.outcome !== undefined],
    ...[isNote ? null : machineFor(id, store), isAsyncAccepted, held.epoch],
  ];
  const rows = await (line ? withLine(store, values, line) : session.announce(appending, values));
  if (rows.length === 0) {
    await assertSafe(session, { isAsyncAccepted });
    await assertNotHeld(session, id);
    throw fencedError(`the run ${id}, or the account that pays for it`);
  }
  taking?.written();
  held.uncopied.push({ n: count, text });
  if (counter !== undefined)
    for (const { sequence, nonce } of uses)
      held.uncopied.push({ counter, sequence, nonce: String(nonce), txHash: hashIn(entry) });
  held.state = state;
  held.end = end;
  held.count = count + 1;
  if (isNote && !held.isCopied) return;
  const [{ writes, lsn } = {}] = rows;
  copy(store, held, isNote ? undefined : { writes: String(writes), lsn: String(lsn) });
}

/** The nonces that an entry uses: those of its turn, and that of the transaction that it has signed. */
function usesOf(entry: Journal.Entry, claimed: readonly Use[]): Use[] {
  if (entry.type !== 'signed' && entry.type !== 'invalidation') return [...claimed];
  const nonce = BigInt(entry.nonce);
  const isClaimed = claimed.some((use) => use.sequence === '' && use.nonce === nonce);
  return isClaimed ? [...claimed] : [...claimed, { sequence: '', nonce }];
}

function hashIn(entry: Journal.Entry): string | null {
  return 'txHash' in entry && typeof entry.txHash === 'string' ? entry.txHash : null;
}

/** An entry with the end of the line that the run carries out. */
function withLine({ session }: RunStoreAccess, values: readonly unknown[], line: BatchLineEnd): Promise<Row[]> {
  return session.transaction(async (within) => {
    const rows = await within(appending, values);
    if (rows.length > 0) await endLine(within, line);
    return rows;
  });
}

/** Has this machine keep a copy of what the store has got; `written` if something was announced by it. */
function copy({ mark }: RunStoreAccess, held: Held, written?: Written): void {
  const { id, uncopied, isCopied } = held;
  try {
    mark.keep(id, uncopied, { isFlushed: written !== undefined || !isCopied, written });
    held.isCopied = true;
    held.uncopied = [];
  } catch (error) {
    // What only records what has happened is not worth stopping for.
    if (written || !isCopied) throw uncopiedRunError(id, error);
  }
}

function machineFor(id: string, { mark }: RunStoreAccess): string {
  try {
    return mark.machine();
  } catch (error) {
    throw uncopiedRunError(id, error);
  }
}

/** The entries that say what is about to be done: money may move, or an allowance be set, once they are written. */
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
