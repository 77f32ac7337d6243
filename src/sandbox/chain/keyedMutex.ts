/** Work that must not be done twice at once: of two alike, the second begins when the first has ended. */

/** Does the work when nothing else is done for that key. */
export type InTurn = <result>(key: string, work: () => Promise<result>) => Promise<result>;

export function createTurns(): InTurn {
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
