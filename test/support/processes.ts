/** Looks at local processes, and signals them. */

/** Whether no process with the id is left, not even a zombie. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** Signals a process, or with `group` all of the group that it leads. Of no process it would be the group of the tests. */
export function signal(pid: number | undefined, name: NodeJS.Signals, { group = false } = {}): void {
  if (!pid) throw new Error('There is no process to signal.');
  process.kill(group ? -pid : pid, name);
}
