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

/** The fields that identify the transfer of a run. */
type Identity = { key: string; line?: BatchLineRef | undefined };

/** Whether two runs are of the same transfer. Two lines of a batch with the same transfer are intended twice. */
export function isSame(a: Identity, b: Identity): boolean {
  return a.key === b.key && !(a.line && b.line && a.line.id !== b.line.id);
}
