/**
 * What is read of batches and their lines in more than one place.
 *
 * Lines are held because they may be paid, although the store has no run of them: once somebody has adopted nonces that the
 * store does not know, every line of the account that is not over may be what they paid.
 */
import { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as BatchHold from '../../core/worker/BatchHold.js';
import type { Batch, StuckLine } from '../../core/worker/BatchStore.js';
import type { Query, Session } from './session.js';

/** How many lines a status names that need somebody, or time. */
const stuckShown = 20;

export const batchColumns = `b.name, b.network, b.instance, b.store, b.digest, b.lines, b.submitter, b.signature, b.state, b.priority,
  trunc(extract(epoch from b.submitted_at) * 1000)::float8 as "submittedAt"`;

export const reasonColumns = `coalesce(reason->>'code', '') as code, coalesce(reason->>'message', '') as message, reason->>'next' as next`;

/** Whether a line `l` is held. */
export const isHeld = `coalesce(l.reason->>'code', '') = '${BatchHold.reason.code}'`;

/** Whether a line `l` has a result after which nobody begins it again. */
export const isEnded = `exists (
  select 1 from ferry.result r where r.batch = l.batch and r.n = l.n and r.funds <> 'untouched'
)`;

/** Whether a run `r` is of a line that is held. */
export const isOfHeld = `exists (
  select 1 from ferry.line l where r.ledger = 'batch:' || l.batch and l.id = r.line
    and l.state in ('refused', 'failed') and ${isHeld}
)`;

/** @throws batch.unknown */
export async function findBatch(ask: Query, name: string): Promise<{ batch: Batch; blocks: readonly Hex[] }> {
  const text = `select ${batchColumns}, b.blocks from ferry.batch b where b.name = $1`;
  const [row] = await ask<Batch & { blocks: string }>(text, [name]);
  if (!row) throw unknownBatch(name);
  const { blocks, ...batch } = row;
  return { batch, blocks: (blocks.match(/.{64}/g) ?? []).map((block): Hex => `0x${block}`) };
}

/** The first lines that need somebody, or time, of all batches. */
export function allStuckLines(ask: Query): Promise<StuckLine[]> {
  return linesIn(ask, `state in ('stuck', 'refused')`);
}

/** Those of one batch. */
export function stuckLines(ask: Query, name: string): Promise<StuckLine[]> {
  return linesIn(ask, `batch = $1 and (state in ('stuck', 'refused') or ${hasFailedHeld})`, [name]);
}

/** The first lines of a batch that need somebody. */
export function refusedLines(ask: Query, name: string): Promise<StuckLine[]> {
  return linesIn(ask, `batch = $1 and (state = 'refused' or ${hasFailedHeld})`, [name]);
}

/** Whether a line `l` waits for a decision although it had failed before. Only the lines of one batch are looked through. */
const hasFailedHeld = `state = 'failed' and ${isHeld}`;

async function linesIn(ask: Query, where: string, values: readonly unknown[] = []): Promise<StuckLine[]> {
  const rows = await ask<StuckLine>(
    `select batch, id, account, state, run, ${reasonColumns} from ferry.line l
    where ${where} order by batch, n limit ${stuckShown}`,
    values,
  );
  return rows.map((row) => ({ ...row, next: row.next !== null && isNext.test(row.next) ? row.next : null }));
}

/** What a worker may have people type next: it looks, or asks first. Who can write to the database could have anything typed. */
const next =
  'resume|runs (show|cancel|reconcile)|batch (status|retry|cancel)|status|trace|doctor|config list|tokens|chains';
const isNext = new RegExp(
  `^ferry (${next}|(store|sandbox) (check|status))( (--(account|network|line) )?[\\w.:/][\\w.:/-]*| --watch)*$`,
);

function unknownBatch(name: string): BaseError {
  return new BaseError('batch.unknown', `The store has no batch ${TerminalText.escape(name)}.`, {
    next: 'ferry batch list',
  });
}

/** @throws batch.unmatched if the run is of a line that is held */
export async function assertNotHeld({ query }: Session, run: string): Promise<void> {
  const rows = await query(`select 1 from ferry.run r where r.id = $1 and ${isOfHeld}`, [run]);
  if (rows.length > 0) throw BatchHold.heldLine();
}
