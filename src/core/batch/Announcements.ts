/** What happens beside the results of a batch, told when it happens and not only with the next result. */

export type Announcements<Event> = {
  say(event: Event): void;
  /** Yields the values of a source, and what is said meanwhile. */
  among<Value>(source: AsyncGenerator<Value, void>): AsyncGenerator<Value | Event, void>;
};

export function create<Event>(): Announcements<Event> {
  let said: Event[] = [];
  let wake = (): void => {};
  return {
    say(event) {
      said.push(event);
      wake();
    },
    async *among(source) {
      let next = source.next();
      // The error is thrown where it is awaited.
      const heed = (): void => void next.catch(() => {});
      heed();
      try {
        for (;;) {
          const spoken = new Promise<undefined>((resolve) => {
            wake = () => resolve(undefined);
          });
          const step = said.length > 0 ? undefined : await Promise.race([next, spoken]);
          const events = said;
          said = [];
          yield* events;
          if (!step) continue;
          if (step.done) return;
          yield step.value;
          next = source.next();
          heed();
        }
      } finally {
        await source.return();
      }
    },
  };
}
