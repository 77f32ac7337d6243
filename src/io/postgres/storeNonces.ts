/**
 * Turns at nonce counters over all machines: an advisory lock of the session, and an epoch that every write checks. What a
 * turn uses is written together with the entry that announces it, in one statement.
 */
import { hostname } from 'node:os';
import { BaseError } from '../../core/base/Errors.js';
import type { NonceCounter, Nonces, Turn } from '../../core/ports/Ports.js';
import { type CounterLock, takeTurn } from '../state/nonceLocks.js';
import * as nonceRecord from '../state/nonceRecord.js';
import type { Host } from '../terminal/host.js';
import type { Session } from './session.js';
import type { StoreLocks } from './storeLocks.js';

export type NoncesOptions = {
  session: Session;
  locks: StoreLocks;
  host: Pick<Host, 'now' | 'sleep' | 'signal'>;
  timeoutMs: number;
};

/** A nonce that was used and is not written yet. */
export type Use = { sequence: string; nonce: bigint };

/** What a statement must check and write of a turn. */
export type Claim = { counter: string; epoch: string; uses: readonly Use[] };

const claims = new WeakMap<Turn, { taken(): Claim; written(claim: Claim): void }>();

/** What is to be written of a turn with the next entry; undefined for a turn of another store. */
export function claimOf(turn: Turn | undefined): { claim: Claim; written(): void } | undefined {
  const found = turn && claims.get(turn);
  if (!found) return undefined;
  const claim = found.taken();
  return { claim, written: () => found.written(claim) };
}

export function createStoreNonces({ session, locks, host, timeoutMs }: NoncesOptions): Nonces {
  return {
    take(counter, held = async () => counter) {
      const name = `turn ${nonceRecord.lockOf(counter)}`;
      const lock: CounterLock = {
        tryTake: () => locks.tryTake(name),
        release: () => locks.release(name),
        async holder() {
          return { words: (await locks.holder(name)) ?? 'another ferry process', pid: null, isElsewhere: false };
        },
        longestPauseMs: 250,
      };
      return takeTurn(counter, lock, { host, timeoutMs }, async () =>
        begin(nonceRecord.nameOf(await held()), counter, lock),
      );
    },
  };

  async function begin(name: string, counter: NonceCounter, lock: CounterLock): Promise<Turn> {
    const [row] = await session.announce(
      `insert into ferry.turn as t (counter, epoch, holder) values ($1, 1, $2)
      on conflict (counter) do update set epoch = t.epoch + 1, holder = excluded.holder returning epoch`,
      [name, `${hostname()} ${process.pid}`],
    );
    const epoch = String(row?.epoch);
    const found = await session.query(
      'select sequence, max(nonce) + 1 as next from ferry.nonce where counter = $1 group by sequence',
      [name],
    );
    const known = new Map(found.map(({ sequence, next }) => [String(sequence), BigInt(String(next))]));
    let staged: Use[] = [];
    let isOurs = true;
    const turn: Turn = {
      known: (sequence = '') => known.get(sequence),
      use(next, sequence = '') {
        if (next <= (known.get(sequence) ?? -1n)) return;
        known.set(sequence, next);
        if (next > 0n) staged.push({ sequence, nonce: next - 1n });
      },
      async commit() {
        if (staged.length === 0) return;
        const uses = staged;
        const rows = await session.announce(...statement({ counter: name, epoch, uses }));
        if (rows.length === 0) throw fencedError(nonceRecord.inWords(counter));
        staged = staged.filter((use) => !uses.includes(use));
      },
      release() {
        if (isOurs) lock.release();
        isOurs = false;
      },
    };
    claims.set(turn, {
      taken: () => ({ counter: name, epoch, uses: staged }),
      written: ({ uses }) => {
        staged = staged.filter((use) => !uses.includes(use));
      },
    });
    return turn;
  }
}

/** Writes uses that no entry announces: of an approval taken back, or of nonces that another program has used. */
function statement({ counter, epoch, uses }: Claim): [text: string, values: readonly unknown[]] {
  return [
    `with held as (select counter from ferry.turn where counter = $1 and epoch = $2::bigint for share),
    used as (
      insert into ferry.nonce (counter, sequence, nonce)
      select held.counter, u.sequence, u.nonce from held, unnest($3::text[], $4::numeric[]) as u (sequence, nonce)
      on conflict do nothing
    )
    select counter from held`,
    [counter, epoch, uses.map(({ sequence }) => sequence), uses.map(({ nonce }) => String(nonce))],
  ];
}

export function fencedError(what: string): BaseError {
  return new BaseError(
    'store.fenced',
    `Another process has taken over ${what}: this one signs and sends nothing more.`,
    {
      hint: 'It was frozen, or its connection was cut. What it had signed is in the store, for whoever has taken over.',
      funds: 'unknown',
    },
  );
}
