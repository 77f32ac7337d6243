/** A mutex per key: tasks with the same key run one after another. */

/** Runs a task once all earlier tasks of the same key have settled. */
export type RunExclusive = <result>(key: string, work: () => Promise<result>) => Promise<result>;

export function createKeyedMutex(): RunExclusive {
  const turns = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (turns.get(key) ?? Promise.resolve()).then(work);
    const settled = turn
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (turns.get(key) === settled) turns.delete(key);
      });
    turns.set(key, settled);
    return turn;
  };
}
