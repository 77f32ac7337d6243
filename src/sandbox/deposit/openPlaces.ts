/**
 * The deposit addresses that are looked after, in memory: each block asks for them, and a search gets slower with the
 * records. Paid ones are among them, since a second payment is sent back.
 */
import type { Entry } from '../ledger/Entry.js';
import type { Ledger } from '../ledger/ledger.js';
import * as RecordFacets from '../ledger/RecordFacets.js';
import * as DepositPlace from './DepositPlace.js';

export type OpenPlaces = {
  /** Those of a chain, oldest first. */
  on(chainId: number): readonly DepositPlace.DepositPlace[];
  /** Changes with every new address. */
  count(): number;
};

/** Reads the addresses on these chains from the ledger, once, and learns of new ones as they are added. */
export function createOpenPlaces(
  ledger: Pick<Ledger, 'search' | 'onAdded'>,
  clock: () => number,
  chainIds: readonly number[],
): OpenPlaces {
  const places = new Map<number, DepositPlace.DepositPlace[]>();
  let count = 0;
  let lastMs = clock();

  function add(entry: Entry): void {
    const place = DepositPlace.from(entry);
    if (!place) return;
    const { chainId } = entry.order.origin;
    count += 1;
    const those = places.get(chainId);
    if (those) those.push(place);
    else places.set(chainId, [place]);
  }

  function fill(): void {
    places.clear();
    for (const entry of ledger.search({ words: [chainIds.map(RecordFacets.placeWord)] })) add(entry);
  }

  fill();
  ledger.onAdded(add);

  return {
    on(chainId) {
      const nowMs = clock();
      // A clock that is set back opens addresses that were dropped.
      if (nowMs < lastMs) fill();
      lastMs = nowMs;
      const those = places.get(chainId) ?? [];
      if (those.every(({ untilMs }) => nowMs < untilMs)) return those;
      const open = those.filter(({ untilMs }) => nowMs < untilMs);
      places.set(chainId, open);
      return open;
    },
    count: () => count,
  };
}
