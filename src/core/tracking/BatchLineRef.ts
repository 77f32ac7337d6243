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
 * The runs of lines whose ledger is gone from its recorded place: it was moved or lost, so they belong to the batch that
 * has the same lines now. If a ledger is still there, its runs belong to that batch.
 *
 * @param runs newest first
 * @param isThere whether a file exists
 */
export async function ofMovedLedgers<Run extends { line: BatchLineRef }>(
  runs: readonly Run[],
  isThere: (path: string) => Promise<boolean>,
): Promise<ReadonlyMap<string, readonly Run[]>> {
  const there = new Map<string, boolean>();
  const found = new Map<string, Run[]>();
  for (const run of runs) {
    const { ledger, id, digest } = run.line;
    const known = there.get(ledger) ?? (await isThere(ledger));
    there.set(ledger, known);
    const key = keyOf({ id, digest });
    if (!known) found.set(key, [...(found.get(key) ?? []), run]);
  }
  return found;
}

/** The key of a line in the result of `ofMovedLedgers`: another transfer under the same id is another line. */
export function keyOf({ id, digest }: Pick<BatchLineRef, 'id' | 'digest'>): string {
  return `${digest} ${id}`;
}

/** The fields that identify the transfer of a run. */
type Identity = { key: string; line?: BatchLineRef | undefined };

/** Whether two runs are of the same transfer. Two lines of a batch with the same transfer are intended twice. */
export function isSame(a: Identity, b: Identity): boolean {
  return a.key === b.key && !(a.line && b.line && a.line.id !== b.line.id);
}
