/**
 * Lines that are held because they may be paid, although the store has no run of them.
 *
 * Once somebody has adopted nonces that the store does not know, every line of the account that is not over is held: it
 * may be what they paid.
 */
import * as BatchHold from '../../core/worker/BatchHold.js';
import type { Batches } from '../../core/worker/BatchStore.js';
import type { Session } from './session.js';

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

export function createStoreHolds(session: Session): Pick<Batches, 'holdLines'> {
  return {
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
  };
}

/** @throws batch.unmatched if the run is of a line that is held */
export async function assertNotHeld({ query }: Session, run: string): Promise<void> {
  const rows = await query(`select 1 from ferry.run r where r.id = $1 and ${isOfHeld}`, [run]);
  if (rows.length > 0) throw BatchHold.heldLine();
}
