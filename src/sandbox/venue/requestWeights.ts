/** How many requests a client may make in a minute, each by its documented weight. Off unless set. */
import { VenueRefusalError } from './crypto/VenueRefusal.js';

export type RateLimit = {
  /** Undefined: no limit. */
  perMinute(): number | undefined;
  set(perMinute: number | undefined): void;
  /** Counts a request. @throws 23000 where the client's minute is used up */
  count(client: string, path: string): void;
};

const weights: Readonly<Record<string, number>> = {
  '/api/v1/sendTx': 6,
  '/api/v1/nextNonce': 6,
  '/api/v1/apikeys': 150,
  '/api/v1/transferFeeInfo': 500,
};

/** The last request may go beyond the limit: else a heavy one would never pass a low one. */
export function createRateLimit(clock: () => number): RateLimit {
  let limit: number | undefined;
  let made: { client: string; atMs: number; weight: number }[] = [];

  return {
    perMinute: () => limit,
    set(perMinute) {
      limit = perMinute;
      made = [];
    },
    count(client, path) {
      if (limit === undefined) return;
      const nowMs = clock();
      made = made.filter(({ atMs }) => atMs > nowMs - 60_000);
      const used = made.reduce((sum, request) => sum + (request.client === client ? request.weight : 0), 0);
      if (used >= limit) throw new VenueRefusalError(23000);
      made.push({ client, atMs: nowMs, weight: weights[path] ?? 1 });
    },
  };
}
