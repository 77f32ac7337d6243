/** Notices that the service has stopped answering while a batch runs, and when it answers again. */
import { BaseError } from '../base/Errors.js';
import type { Clock, Service } from '../ports/Ports.js';

export type ServiceWatch = {
  /** The same service, whose answers are noticed. */
  watched(service: Service): Service;
  /**
   * After a request that was not answered: resolves to `alive` if the service answers others, else once it answers
   * again, or to `lost` after the time limit. It is `lost` at once if it has never answered.
   */
  outage(service: Service): Promise<'alive' | 'over' | 'lost'>;
  close(): void;
};

export type WatchSettings = {
  clock: Clock;
  signal: AbortSignal;
  /** How long to wait for the service, from its first request without an answer. */
  timeoutMs: number;
  /** Called once the service is known not to answer. */
  lost(error: BaseError): void;
  /** Called once it answers again. */
  back(afterMs: number): void;
};

/** Pauses between two requests to a service that does not answer. */
const pausesMs = [500, 1_000, 2_000, 5_000];

/** Whether an error means that the service did not answer: no connection, no response, or a gateway in its place. */
export function isSilence(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.code === 'service.unavailable') return [502, 503, 504].includes(error.httpStatus ?? 0);
  return error.code === 'service.unreachable' || error.code === 'service.timeout';
}

export function create({ clock, signal, timeoutMs, lost, back }: WatchSettings): ServiceWatch {
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  let hasAnswered = false;
  let lostAt: number | undefined;
  let outage: Promise<'alive' | 'over' | 'lost'> | undefined;

  const silence = async (service: Service): Promise<BaseError | undefined> => {
    try {
      await service.chains();
    } catch (error) {
      if (isSilence(error)) return error as BaseError;
    }
    hasAnswered = true;
    return undefined;
  };
  const last = async (service: Service): Promise<'alive' | 'over' | 'lost'> => {
    const startedAt = clock.now();
    const error = await silence(service);
    if (!error) return 'alive';
    if (either.aborted) throw either.reason;
    if (lostAt === undefined) lost(error);
    lostAt ??= startedAt;
    for (let asked = 0; lostAt !== undefined; asked++) {
      const leftMs: number = lostAt + timeoutMs - clock.now();
      if (leftMs <= 0) return 'lost';
      const pauseMs = pausesMs[Math.min(asked, pausesMs.length - 1)] ?? 0;
      await clock.sleep(Math.min(pauseMs, leftMs), either);
      if (!(await silence(service))) answered();
    }
    return 'over';
  };
  /** The first answer ends the outage, whoever asked. */
  const answered = (): void => {
    if (lostAt === undefined) return;
    const afterMs = clock.now() - lostAt;
    lostAt = undefined;
    back(afterMs);
  };
  const begin = (service: Service): Promise<'alive' | 'over' | 'lost'> => {
    if (!outage) {
      outage = last(service).finally(() => {
        outage = undefined;
      });
      outage.catch(() => {});
    }
    return outage;
  };

  return {
    watched(service) {
      const heed =
        (ask: (...given: unknown[]) => Promise<unknown>) =>
        async (...given: unknown[]): Promise<unknown> => {
          const wasLost = lostAt !== undefined;
          try {
            const answer = await ask(...given);
            hasAnswered = true;
            // An answer to a request from before may have been on its way.
            if (wasLost) answered();
            return answer;
          } catch (error) {
            if (!isSilence(error)) hasAnswered ||= error instanceof BaseError && error.httpStatus !== undefined;
            else if (hasAnswered) void begin(service);
            throw error;
          }
        };
      const members = Object.entries(service).map(([name, member]) => [
        name,
        typeof member === 'function' ? heed(member as (...given: unknown[]) => Promise<unknown>) : member,
      ]);
      return Object.fromEntries(members) as Service;
    },
    async outage(service) {
      if (!hasAnswered) return (await silence(service)) ? 'lost' : 'alive';
      return await begin(service);
    },
    close: () => end.abort(),
  };
}
