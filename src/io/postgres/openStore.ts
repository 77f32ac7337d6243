/** A store for all machines: runs, turns, counted payments and rates in one database, over one session. */
import { createHash } from 'node:crypto';
import { BaseError } from '../../core/base/Errors.js';
import * as RateLimit from '../../core/network/RateLimit.js';
import type { Counted } from '../../core/ports/Ports.js';
import type { RateState } from '../http/rateLimitState.js';
import { fileNameOf } from '../locks/countedPayments.js';
import type { Environment } from '../state/paths.js';
import { createStoreMemory } from '../state/storeMemory.js';
import type { Sealing } from '../state/userSecret.js';
import type { Host } from '../terminal/host.js';
import { assertNoFiles } from './controlStore.js';
import * as schema from './schema.js';
import { type Address, connect, type Session } from './session.js';
import { createStoreBatches } from './storeBatches.js';
import { assertSafe } from './storeChecks.js';
import { createLocks } from './storeLocks.js';
import { createStoreMark } from './storeMark.js';
import { createStoreNonces } from './storeNonces.js';
import { createStoreRuns } from './storeRuns.js';

export type StoreOptions = Address & {
  isAsyncAccepted: boolean;
  host: Environment & Pick<Host, 'now' | 'sleep' | 'signal' | 'randomBytes'>;
  seal: Sealing;
  warn(text: string): void;
};

export type Store = Awaited<ReturnType<typeof openStore>>;

/** Connects, and refuses what cannot be trusted with payments. @throws store.* */
export async function openStore({ url, env, isAsyncAccepted, host, seal, warn }: StoreOptions) {
  await assertNoFiles(host, warn);
  const session = await connect({ url, env });
  const mark = createStoreMark({ session, memory: createStoreMemory(host), now: host.now, warn });
  try {
    await assertSafe(session, { isAsyncAccepted });
    await schema.assertUsable(session);
    await mark.arrive();
  } catch (error) {
    await session.end();
    throw error;
  }
  const locks = createLocks(session);
  return {
    session,
    runs: createStoreRuns({ session, locks, mark, isAsyncAccepted, host, seal, warn }),
    batches: createStoreBatches(session, locks, host),
    doubt: mark.doubt,
    nonces: (timeoutMs: number) => createStoreNonces({ session, locks, host, timeoutMs }),
    counted: (place: () => Promise<string>) => createStoreCounted(session, place),
    rates: (of: Parameters<typeof createStoreRates>[1]) => createStoreRates(session, of),
  };
}

/** The payments that the transfers of all machines have counted as theirs, each once. */
function createStoreCounted(session: Session, place: () => Promise<string>): Counted {
  return {
    async count(id, owner) {
      const [row] = await session.announce(
        `insert into ferry.counted as c (place, id, owner) values ($1, $2, $3)
        on conflict (place, id) do update set owner = c.owner returning owner`,
        [await place(), fileNameOf(id), owner],
      );
      return row?.owner === owner;
    },
    async ownerOf(id) {
      const [row] = await session.query('select owner from ferry.counted where place = $1 and id = $2', [
        await place(),
        fileNameOf(id),
      ]);
      return row && String(row.owner);
    },
  };
}

/**
 * The rate limit state of an origin and a key over all machines, by the store's clock: a worker's own may be seconds off,
 * and a limit kept by two clocks is none. Of the key, only a digest is written.
 */
export function createStoreRates(
  session: Session,
  { origin, apiKey = '' }: { origin: string; apiKey?: string | undefined },
): RateState {
  const place = createHash('sha256').update(`${origin}\n${apiKey}`).digest('hex').slice(0, 32);
  let aheadMs = 0;
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
