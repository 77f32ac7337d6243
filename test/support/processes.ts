/** Checks whether local processes are still alive. */
import { setTimeout as delay } from 'node:timers/promises';

/** Whether no process with the id is left, not even a zombie. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** Waits until none of them is left, up to the timeout. Resolves to whether they are gone. */
export async function areGone(pids: readonly number[], timeoutMs: number): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await delay(10)) if (pids.every(isGone)) return true;
  return pids.every(isGone);
}
