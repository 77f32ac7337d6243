/** The error of a class that the work throws; undefined if it throws none. Any other error is thrown on. */
export function thrownBy<E extends Error>(
  kind: abstract new (...args: never[]) => E,
  work: () => unknown,
): E | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
  return undefined;
}
