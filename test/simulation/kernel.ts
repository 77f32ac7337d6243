/**
 * Virtual time on one thread. What happens is a queue of events; between two of them all code that was woken runs until it
 * waits again, and the clock jumps to the next event.
 */

export type Kernel = {
  /** Unix time in milliseconds. */
  now(): number;
  /** Lets something happen after so many milliseconds. What is due at the same time happens in the order it was planned. */
  after(ms: number, act: () => void): void;
  /** The same of what comes again and again, and lets nobody go on who waits. */
  beat(ms: number, act: () => void): void;
  /** Lets time pass until nothing is left to happen but what comes again and again. */
  settle(): Promise<void>;
  /** Resolves after so many milliseconds. */
  sleep(ms: number): Promise<void>;
  /** Lets time pass until a promise is settled, or nothing is left to happen. */
  until<T>(ended: Promise<T>): Promise<T>;
  /** A line of the history. The text is made only if somebody reads it. */
  note(who: string, what: () => string): void;
};

type Event = { at: number; order: number; isBeat: boolean; act(): void };

/** Nothing that happens in a run takes longer: it is stuck. */
const mostEvents = 200_000;

/** What has just happened may set off something else. */
const settleMs = 10_000;

export function create(startMs: number, tell?: ((line: string) => void) | undefined): Kernel {
  const queue: Event[] = [];
  let now = startMs;
  let order = 0;
  let beats = 0;
  const plan = (ms: number, isBeat: boolean, act: () => void): void => {
    order += 1;
    if (isBeat) beats += 1;
    push(queue, { at: now + Math.max(0, Math.round(ms)), order, isBeat, act });
  };
  const after = (ms: number, act: () => void): void => plan(ms, false, act);
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => after(ms, resolve));
  return {
    now: () => now,
    after,
    beat: (ms, act) => plan(ms, true, act),
    sleep,
    async settle() {
      while (queue.length > beats) await sleep(settleMs);
    },
    async until(ended) {
      let isSettled = false;
      const settle = (): void => {
        isSettled = true;
      };
      ended.then(settle, settle);
      await quiet();
      for (let count = 0; ; count++) {
        if (isSettled) return await ended;
        const event = pop(queue);
        if (!event) throw new Error('Nothing is left to happen, and it has not ended.');
        if (count > mostEvents) throw new Error('It does not end.');
        now = event.at;
        event.act();
        if (event.isBeat) beats -= 1;
        else await quiet();
      }
    },
    note(who, what) {
      tell?.(`${((now - startMs) / 1000).toFixed(3).padStart(9)}  ${who.padEnd(14)} ${what()}`);
    },
  };
}

/** Every promise that can go on has gone on once Node runs its next tick. It takes no time. */
function quiet(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** Adds to a binary heap. */
function push(heap: Event[], event: Event): void {
  heap.push(event);
  for (let at = heap.length - 1; at > 0; ) {
    const above = (at - 1) >> 1;
    if (!isBefore(heap[at], heap[above])) return;
    swap(heap, at, above);
    at = above;
  }
}

/** Takes the first from a binary heap. */
function pop(heap: Event[]): Event | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (!first || !last || heap.length === 0) return first;
  heap[0] = last;
  for (let at = 0; ; ) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    const least = isBefore(heap[right], heap[left]) ? right : left;
    if (!isBefore(heap[least], heap[at])) return first;
    swap(heap, at, least);
    at = least;
  }
}

function isBefore(a: Event | undefined, b: Event | undefined): boolean {
  if (!a || !b) return a !== undefined && b === undefined;
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function swap(heap: Event[], a: number, b: number): void {
  const [one, other] = [heap[a], heap[b]];
  if (!one || !other) return;
  heap[a] = other;
  heap[b] = one;
}
