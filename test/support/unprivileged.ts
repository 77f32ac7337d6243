/**
 * Runs an action as a user who may not write everywhere. Root may, and becomes nobody for the time: a whole process has one
 * user, so nothing else may run in it.
 */
export async function unprivileged<Result>(act: () => Promise<Result>): Promise<Result> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
