/** Finds the request that superseded another, in the service's records. */
import * as z from 'zod/mini';
import * as AddressText from '../base/AddressText.js';
import { BaseError } from '../base/Errors.js';
import type { Service } from '../ports/Ports.js';

export type Supersession = {
  /**
   * The request that superseded this one; undefined if there is none or the records do not show it. Throws only on
   * abort.
   */
  successor(requestId: string): Promise<string | undefined>;
  /** The superseded requests, oldest first. */
  superseded(): readonly string[];
};

const replaced = z.object({ id: z.string(), supersededByRequestId: z.nullish(z.string()) });

/** Longer successions are not followed. */
const maxSteps = 16;

/** Only requests/v3 has this, in part only with an API key: after a refusal no further lookups are made. */
export function from(service: Pick<Service, 'requests'>, signal: AbortSignal): Supersession {
  const superseded: string[] = [];
  let isRefused = false;
  return {
    superseded: () => superseded,
    async successor(requestId) {
      if (isRefused || superseded.length >= maxSteps) return undefined;
      try {
        const { requests, odd } = await service.requests({ id: requestId, limit: 1 });
        // Whatever else is odd about a record, it may say what replaced it.
        const named = odd.flatMap(({ value }) => {
          const read = z.safeParse(replaced, value);
          return read.success ? [read.data] : [];
        });
        const record = [...requests, ...named].find(({ id }) => AddressText.isEqual(id, requestId));
        const by = record?.supersededByRequestId ?? '';
        if (!/^0x[0-9a-fA-F]{1,64}$/.test(by)) return undefined;
        if ([requestId, ...superseded].some((each) => AddressText.isEqual(each, by))) return undefined;
        superseded.push(requestId);
        return by;
      } catch (error) {
        if (signal.aborted || !(error instanceof BaseError)) throw error;
        isRefused = error.code === 'auth.refused' || error.httpStatus === 404;
        return undefined;
      }
    },
  };
}
