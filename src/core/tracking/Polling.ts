/** The way to wait for what others do: ask, pause a little longer each time, ask again. */
import type { Clock } from '../ports/Ports.js';

/** How long and how often is asked. Without a limit, until there is an answer or the signal aborts. */
export type Pace = {
  /** No question is asked later than a pause after so many milliseconds. */
  timeoutMs?: number | undefined;
  /** The most questions, at least one. */
  looks?: number | undefined;
  /** The pause after a question, in milliseconds. */
  delayMs?: ((look: number) => number) | undefined;
};

/** The delay before the next question: short at first, then a second, as the service recommends. */
export function delayMs(look: number): number {
  return Math.min(1000, Math.round(50 * 1.35 ** look));
}

/**
 * Asks until there is an answer.
 *
 * @param ask resolves to undefined if there is none yet
 * @param end what it resolves to if there is none in time, or on Ctrl-C; an error is thrown
 */
export async function pollUntil<T>(
  ask: (look: number) => Promise<T | undefined>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  { timeoutMs = Number.POSITIVE_INFINITY, looks = Number.POSITIVE_INFINITY, delayMs: pause = delayMs }: Pace,
  end: (why: 'late' | 'stopped') => T | Error | Promise<T | Error>,
): Promise<T> {
  const deadline = clock.now() + timeoutMs;
  const ended = async (why: 'late' | 'stopped'): Promise<T> => {
    const result = await end(why);
    if (result instanceof Error) throw result;
    return result;
  };
  for (let look = 0; ; look++) {
    const answer = await ask(look);
    if (answer !== undefined) return answer;
    if (signal.aborted) return ended('stopped');
    if (look + 1 >= looks || clock.now() >= deadline) return ended('late');
    const isStopped = await clock.sleep(pause(look), signal).then(
      () => false,
      () => true,
    );
    if (isStopped) return ended('stopped');
  }
}

/** Waits before the next question. @throws what `explain` makes, on Ctrl-C: an error that says where the funds are */
export async function pause(
  ms: number,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  explain: () => Error,
): Promise<void> {
  await clock.sleep(ms, signal).catch(() => {
    throw explain();
  });
}
