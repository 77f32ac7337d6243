/** Whether processes of this machine still live. */
import { setTimeout as delay } from 'node:timers/promises';

/** Whether no process of that id is left, not even one that nobody has waited for. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** Waits until none of them is left, at most that long, and says whether so. */
export async function areGone(pids: readonly number[], timeoutMs: number): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await delay(10)) if (pids.every(isGone)) return true;
  return pids.every(isGone);
}
