/** The batch line that a run carries out, by which a restarted batch finds the runs it has started. */
import * as z from 'zod/mini';

export const schema = z.strictObject({
  /** The absolute path of the ledger. */
  ledger: z.string(),
  id: z.string(),
  /** Digest of the line's transfer. */
  digest: z.string(),
});

export type BatchLineRef = z.output<typeof schema>;

/** The result of a line of a shared batch, as it is stored. `doc` is its line of the results. */
export type BatchLineEnd = {
  batch: string;
  id: string;
  digest: string;
  ok: boolean;
  code: string | null;
  funds: string;
  run: string | null;
  doc: string;
};

/**
 * The runs of each line of some ledgers.
 *
 * @param runs newest first
 * @param isWanted whether a ledger is one of them, by its path; asked once
 */
export async function ofLedgers<Run extends { line: BatchLineRef }>(
  runs: readonly Run[],
  isWanted: (path: string) => Promise<boolean>,
): Promise<ReadonlyMap<string, readonly Run[]>> {
  const wanted = new Map<string, boolean>();
  const found = new Map<string, Run[]>();
  for (const run of runs) {
    const { ledger, id, digest } = run.line;
    const isOne = wanted.get(ledger) ?? (await isWanted(ledger));
    wanted.set(ledger, isOne);
    const key = keyOf({ id, digest });
    if (isOne) found.set(key, [...(found.get(key) ?? []), run]);
  }
  return found;
}

/** The key of a line in the result of `ofLedgers`: another transfer under the same id is another line. */
export function keyOf({ id, digest }: Pick<BatchLineRef, 'id' | 'digest'>): string {
  return `${digest} ${id}`;
}

/** The fields that identify the transfer of a run. */
type Identity = { key: string; line?: BatchLineRef | undefined };

/** Whether two runs are of the same transfer. Two lines of a batch with the same transfer are intended twice. */
export function isSame(a: Identity, b: Identity): boolean {
  return a.key === b.key && !(a.line && b.line && a.line.id !== b.line.id);
}
