/** The slots of a chain of Solana's kind, which are of real time, and the block hashes that transactions name. */
import type { VirtualMachine } from './liteSvm.js';

const slotMs = 400;
/** Slots for which a block hash may be named, as on Solana. */
const hashLife = 150;
/** How long one block hash is given out. */
const hashMs = 5_000;
const firstMs = Date.UTC(2025, 0, 1);

export function createSlots(svm: () => VirtualMachine, clock: () => number) {
  const hashes: { hash: string; slot: number; atMs: number }[] = [];
  let latestSlot = 0;

  /** The slot of the clock, or a later one that something has landed in. */
  function slot(): number {
    latestSlot = Math.max(latestSlot, Math.floor((clock() - firstMs) / slotMs));
    return latestSlot;
  }

  /** The slot to land in: after every one that anybody was told of, as on a chain whose slots are as short as a transfer. */
  function nextSlot(): number {
    latestSlot = slot() + 1;
    return latestSlot;
  }

  /** The latest block hash; the one before stays good for a minute. */
  function blockhash(): { hash: string; lastValidSlot: number } {
    const now = clock();
    const latest = hashes.at(-1);
    // Slots run ahead of the clock while much lands.
    if (!latest || now - latest.atMs >= hashMs || slot() - latest.slot >= hashLife / 2) {
      svm().expireBlockhash();
      hashes.push({ hash: svm().latestBlockhash(), slot: slot(), atMs: now });
    }
    while (hashes[0] && hashes[0].slot + hashLife < slot()) hashes.shift();
    const found = hashes.at(-1);
    if (!found) throw new Error('There is no block hash.');
    return { hash: found.hash, lastValidSlot: found.slot + hashLife };
  }

  function isGood(hash: string): boolean {
    return hashes.some((each) => each.hash === hash && each.slot + hashLife >= slot());
  }

  return {
    slot,
    nextSlot,
    blockhash,
    isGood,
    /** Something landed in this slot before a restart. */
    pass(landed: number): void {
      latestSlot = Math.max(latestSlot, landed);
    },
    /** Lets the programs see the time. */
    tick(): void {
      const now = svm().getClock();
      now.slot = BigInt(slot());
      now.unixTimestamp = BigInt(Math.floor(clock() / 1000));
      svm().setClock(now);
    },
  };
}
