/** Work on requests that is tried again until it succeeds: a temporarily unavailable node must not lose a request. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger.js';

export const retryMs = 1_000;

/** @param failure what a request says while its work is not done, before the reason */
export function createTasks(ledger: Ledger, failure: string) {
  const end = new AbortController();
  const signal: AbortSignal = end.signal;
  const running = new Set<Promise<void>>();

  async function attempt(requestId: string, task: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      try {
        return await task();
      } catch (error) {
        if (signal.aborted) return;
        const reason = error instanceof Error ? error.message : String(error);
        ledger.update(requestId, { details: `${failure} (will retry): ${reason}` });
        await sleep(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  return {
    /** Aborts at the end. */
    signal,
    run(requestId: string, task: () => Promise<void>): void {
      // It ends in an error only if the ledger cannot be written, which ends the sandbox.
      const work: Promise<void> = attempt(requestId, task)
        .catch(() => undefined)
        .finally(() => running.delete(work));
      running.add(work);
    },
    isBusy: () => running.size > 0,
    /** Tries nothing again, and resolves once nothing runs any more. */
    async stop(): Promise<void> {
      end.abort();
      await Promise.all(running);
    },
  };
}
