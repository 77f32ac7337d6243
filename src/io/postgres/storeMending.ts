/**
 * Puts back what a store has lost, from the copies of this machine: runs, their entries byte for byte, and their nonces.
 * A process that holds the turn at one of these counters is fenced by it, since it does not know all of their nonces.
 */
import { BaseError } from '../../core/base/Errors.js';
import * as Journal from '../../core/tracking/Journal.js';
import * as JournalCodec from '../../core/tracking/JournalCodec.js';
import type { KeptRun } from '../state/storeMemory.js';
import type { Query, Session } from './session.js';

const runsAtOnce = 500;

/** @throws store.* */
export async function putBack(session: Session, kept: Iterable<KeptRun>, warn: (text: string) => void): Promise<void> {
  let some: KeptRun[] = [];
  let count = 0;
  const compare = async (): Promise<void> => {
    const rows = await session.query(
      `select run, count(*)::int as count from ferry.entry where run = any($1::text[]) group by run`,
      [some.map(({ run }) => run)],
    );
    const counts = new Map(rows.map(({ run, count: there }) => [String(run), Number(there)]));
    for (const each of some) {
      if ((counts.get(each.run) ?? 0) >= each.texts.length) continue;
      try {
        if (await session.transaction((within) => putRun(within, each))) count += 1;
        else warn(`The run ${each.run} went on in the store otherwise than here, and stays as it is there.`);
      } catch (error) {
        // A copy that is damaged keeps nobody from the others.
        if (!(error instanceof BaseError) || error.code.startsWith('store.')) throw error;
        warn(`The copy of the run ${each.run} cannot be put back. ${error.message}`);
      }
    }
    some = [];
  };
  for (const each of kept) {
    some.push(each);
    if (some.length === runsAtOnce) await compare();
  }
  if (some.length > 0) await compare();
  if (count > 0)
    warn(`The store had lost ${count === 1 ? 'a run' : `${count} runs`} of this machine, which were put back.`);
}

/** Whether the run is there now; not if the store has another end of it. */
export async function putRun(query: Query, { run, texts, uses }: KeptRun): Promise<boolean> {
  const { lines } = JournalCodec.read(texts.join(''));
  const state = Journal.from(lines.map(({ entry }) => entry));
  const { line } = state;
  const isFree = line === undefined || (await makeWay(query, run, line));
  const at = String(Math.floor(lines.at(-1)?.at ?? 0));
  await insertIfNew(query, run, state, { at, isOver: true });
  await query('select id from ferry.run where id = $1 for update', [run]);
  const there = await query('select text from ferry.entry where run = $1 order by n', [run]);
  if (there.some(({ text }, n) => text !== texts[n])) return false;
  await insertEntries(query, run, texts);
  await query('update ferry.run set is_over = $2, updated_at = greatest(updated_at, $3::bigint) where id = $1', [
    run,
    !Journal.isUnfinished(state) || !isFree,
    at,
  ]);
  for (const { counter, sequence, nonce, txHash } of uses) {
    await query(
      `insert into ferry.nonce (counter, sequence, nonce, run, tx_hash) values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [counter, sequence, nonce, run, txHash],
    );
    await query('update ferry.turn set epoch = epoch + 1 where counter = $1', [counter]);
  }
  if (line) await putLine(query, run, line, state);
  return true;
}

/** Whether it was not there. */
export async function insertIfNew(
  query: Query,
  id: string,
  { key, network, instance, line }: Pick<Journal.State, 'key' | 'network' | 'instance' | 'line'>,
  { at, isOver = false, isRecorded = false }: { at: string; isOver?: boolean; isRecorded?: boolean },
): Promise<boolean> {
  const added = await query(
    `insert into ferry.run (id, key, network, instance, ledger, line, digest, updated_at, is_over, is_recorded)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing returning id`,
    [id, key, network, instance, line?.ledger, line?.id, line?.digest, at, isOver, isRecorded],
  );
  return added.length > 0;
}

export async function insertEntries(query: Query, run: string, texts: readonly string[]): Promise<void> {
  await query(
    `insert into ferry.entry (run, n, text) select $1, o - 1, t from unnest($2::text[]) with ordinality as u (t, o)
    on conflict do nothing`,
    [run, texts],
  );
}

/**
 * Ends what another machine has begun for the line meanwhile, if it has signed nothing. Whether no run of
 * the line is open now: a second one that has signed may pay as well, and is finished as any other.
 */
async function makeWay(query: Query, run: string, { ledger, id }: { ledger: string; id: string }): Promise<boolean> {
  const others = await query(
    'select id from ferry.run where ledger = $1 and line = $2 and id <> $3 and not is_over for update',
    [ledger, id, run],
  );
  let isFree = true;
  for (const { id: other } of others) {
    const entries = await query('select text from ferry.entry where run = $1 order by n', [other]);
    const { lines } = JournalCodec.read(entries.map(({ text }) => String(text)).join(''));
    if (Journal.isUnfinished(Journal.from(lines.map(({ entry }) => entry)))) isFree = false;
    // A process that has opened it can no longer write to it.
    else await query('update ferry.run set is_over = true, epoch = epoch + 1 where id = $1', [other]);
  }
  return isFree;
}

/**
 * A line that the store takes for one that nobody has begun, or that has failed, has a run again: it is finished. So is one that
 * was canceled with its batch meanwhile, unless the run has moved nothing.
 */
async function putLine(
  query: Query,
  run: string,
  { ledger, id, digest }: { ledger: string; id: string; digest: string },
  { outcome }: Journal.State,
): Promise<void> {
  if (!ledger.startsWith('batch:')) return;
  const values = [ledger.slice('batch:'.length), id, digest];
  await query(
    `delete from ferry.result r using ferry.line l where l.batch = $1 and l.id = $2 and l.digest = $3
      and r.batch = l.batch and r.n = l.n and not r.ok
      and case r.code when 'batch.cancelled' then $4 else r.funds = 'untouched' end`,
    [...values, outcome?.funds !== 'untouched'],
  );
  await query(
    `update ferry.line l set state = 'running', run = $4, reason = null, not_before = null, begun_at = clock_timestamp()
    where batch = $1 and id = $2 and digest = $3 and state in ('waiting', 'refused', 'stuck', 'failed', 'cancelled')
      and not exists (select 1 from ferry.result where batch = l.batch and n = l.n)`,
    [...values, run],
  );
}
