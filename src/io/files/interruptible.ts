/**
 * Waits for files, pipes and standard input that end with the process's signal. A pipe that nobody opens for writing
 * blocks a thread in a system call that nothing can cancel: the wait ends all the same, and the process dies by the
 * signal with the thread in it.
 */

/** Waits for a value or the signal. @throws the signal's reason */
export async function orAborted<T>(signal: AbortSignal, waiting: Promise<T>): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([waiting, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The chunks of a stream until the signal. @throws the signal's reason · whatever the stream throws */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await orAborted(signal, chunks.next());
      if (step.done) return;
      yield step.value;
    }
  } finally {
    const closing = chunks.return?.();
    // After an abort it waits for the chunk that may never come.
    if (signal.aborted) closing?.catch(() => {});
    else await closing;
  }
}
