/** What an act gives; undefined where it fails. For what may fail, and where the reason changes nothing. */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
