/** Which line of which batch a run is of, so that a batch that is taken up again knows what it has begun. */
import * as z from 'zod/mini';

export const schema = z.strictObject({
  /** The absolute path of the ledger. */
  ledger: z.string(),
  id: z.string(),
  /** Of the transfer that the line asked for. */
  digest: z.string(),
});

export type BatchPlace = z.output<typeof schema>;

/** What of a run tells whether it is the same as another one. */
type Begun = { key: string; line?: BatchPlace | undefined };

/** Whether two runs are of the same transfer. Two lines of a batch may ask for the same and mean it twice. */
export function isSame(a: Begun, b: Begun): boolean {
  return a.key === b.key && !(a.line && b.line && a.line.id !== b.line.id);
}
