/** Rate limiting by documented request weights. Off unless configured. */
import { VenueRefusalError } from './VenueRefusal.js';

export type RateLimit = {
  /** Undefined: no limit. */
  perMinute(): number | undefined;
  set(perMinute: number | undefined): void;
  /** Counts a request. @throws 23000 if the client has exceeded its limit */
  count(client: string, path: string): void;
};

const weights: Readonly<Record<string, number>> = {
  '/api/v1/sendTx': 6,
  '/api/v1/nextNonce': 6,
  '/api/v1/apikeys': 150,
  '/api/v1/transferFeeInfo': 500,
};

/** The last request may exceed the limit; otherwise a heavy request could never pass a low one. */
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
