/**
 * Of cases of one kind that each take a sandbox, a process or a store, the suite takes a few, evenly. All of them:
 * WHOLE=1 npm test
 */
export function sampled<T>(cases: readonly T[], most: number): readonly T[] {
  if (process.env.WHOLE || cases.length <= most) return cases;
  const step = cases.length / most;
  return cases.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
