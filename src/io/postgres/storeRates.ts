/**
 * The rate limit state of an origin and a key over all machines, by the store's clock: a worker's own may be seconds off,
 * and a limit kept by two clocks is none.
 */
import { createHash } from 'node:crypto';
import { BaseError } from '../../core/base/Errors.js';
import * as RateLimit from '../../core/network/RateLimit.js';
import type { RateState } from '../http/rateLimitState.js';
import type { Session } from './session.js';

/** @param origin the service's origin; of the key, only a digest is written */
export function createStoreRates(
  session: Session,
  { origin, apiKey = '' }: { origin: string; apiKey?: string | undefined },
): RateState {
  const place = createHash('sha256').update(`${origin}\n${apiKey}`).digest('hex').slice(0, 32);
  let aheadMs = 0;
  /** What this process knew last. */
  let own = RateLimit.fresh;
  const setClock = (now: unknown): void => {
    aheadMs = Number(now) - Date.now();
  };
  const clock = `(extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
  const shared: RateState['change'] = (by) =>
    session.transaction(async (query) => {
      // What is lost of it costs a wait, and no payment.
      await query('set local synchronous_commit = off');
      await query('insert into ferry.rate (place, state) values ($1, $2) on conflict do nothing', [
        place,
        JSON.stringify(RateLimit.fresh),
      ]);
      const [row] = await query(`select state, ${clock} from ferry.rate where place = $1 for update`, [place]);
      setClock(row?.now);
      const changed = by(stateOf(row?.state));
      await query('update ferry.rate set state = $2 where place = $1', [place, JSON.stringify(changed.state)]);
      return changed;
    });
  return {
    now: () => Date.now() + aheadMs,
    async written() {
      try {
        const [row] = await session.query(`select state, ${clock} from ferry.rate where place = $1`, [place]);
        return stateOf(row?.state);
      } catch {
        return own;
      }
    },
    async change(by) {
      try {
        const changed = await shared(by);
        own = changed.state;
        return changed;
      } catch (error) {
        if (!(error instanceof BaseError && error.code.startsWith('store.'))) throw error;
        // Without the store this process signs nothing more, and follows what it has sent at the last known pace.
        const changed = by(own);
        own = changed.state;
        return changed;
      }
    },
  };
}

function stateOf(found: unknown): RateLimit.State {
  return RateLimit.read(JSON.stringify(found ?? RateLimit.fresh)) ?? RateLimit.fresh;
}
