/** Checks whether local processes are still alive. */

/** Whether no process with the id is left, not even a zombie. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
