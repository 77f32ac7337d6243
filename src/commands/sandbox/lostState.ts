/** What `sandbox start` and `sandbox status` say of a state that is gone. */
import * as z from 'zod/mini';
import type { LostInstance } from '../../core/ports/SandboxProcess.js';
import * as TerminalText from '../../core/text/TerminalText.js';

/** The instance before this one, if its state could not be continued; null if it could, or a reset ended it. */
export const lost = z.nullable(
  z.object({
    /** Its id; null if it is not known. */
    instance: z.nullable(z.string()),
    /** When that was noticed, ISO 8601. */
    at: z.string(),
    /** What was wrong, to follow "its state". */
    why: z.string(),
  }),
);

export function toLost(found: LostInstance | null | undefined): z.infer<typeof lost> {
  return found ? { instance: found.instance, at: new Date(found.atMs).toISOString(), why: found.why } : null;
}

/** A sentence for the terminal. */
export function lostText({ instance, why }: NonNullable<z.infer<typeof lost>>): string {
  const whose = instance === null ? 'The state before' : `The state of the instance ${TerminalText.escape(instance)}`;
  return (
    `${whose} ${TerminalText.escape(why)}. Its requests, balances and transactions are gone; ` +
    'runs that were made on it say so.'
  );
}
