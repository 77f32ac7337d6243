/** Which request took the place of another, as the service's records say it. */
import { BaseError } from '../base/Errors.js';
import type { Service } from '../ports/Ports.js';

export type Succession = {
  /**
   * The request that took its place; undefined where there is none, or where the records do not tell. Never throws but
   * for an abort.
   */
  successor(requestId: string): Promise<string | undefined>;
  /** Those whose place was taken, the first one first. */
  superseded(): readonly string[];
};

/** Further than that no honest service leads. */
const maxSteps = 16;

/** Only requests/v3 tells it, and to some only with a key: who is refused once does not ask again. */
export function from(service: Pick<Service, 'requests'>, signal: AbortSignal): Succession {
  const superseded: string[] = [];
  let isRefused = false;
  return {
    superseded: () => superseded,
    async successor(requestId) {
      if (isRefused || superseded.length >= maxSteps) return undefined;
      try {
        const { requests } = await service.requests({ id: requestId, limit: 1 });
        const record = requests.find(({ id }) => isSame(id, requestId));
        const by = record?.supersededByRequestId ?? '';
        if (!/^0x[0-9a-fA-F]{1,64}$/.test(by)) return undefined;
        if ([requestId, ...superseded].some((each) => isSame(each, by))) return undefined;
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

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
