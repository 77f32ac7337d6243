/** A clock that sleeps at once, until it is stopped, and what it slept. */
export function quickClock(signal: AbortSignal = new AbortController().signal) {
  let now = 0;
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    signal.throwIfAborted();
    slept.push(ms);
    now += ms;
  };
  return { signal, slept, clock: { now: () => now, sleep } };
}
