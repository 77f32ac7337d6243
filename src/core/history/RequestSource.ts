/** The source of request records: requests/v3, or the deprecated requests/v2 if v3 is missing or needs an API key. */
import type * as RequestsV2 from '../api/RequestsV2.js';
import type * as RequestsV3 from '../api/RequestsV3.js';
import type * as RequestRecord from '../api/schema/RequestRecord.js';
import { BaseError } from '../base/Errors.js';
import type { Network } from '../network/Network.js';
import type { Service } from '../ports/Ports.js';
import * as TerminalText from '../text/TerminalText.js';
import * as RequestDocument from './RequestDocument.js';
import * as RequestQuery from './RequestQuery.js';
import * as UnreadableRecord from './UnreadableRecord.js';

export type Entry<T = RequestDocument.RequestDocument> =
  | { ok: true; request: T }
  | { ok: false; unreadable: UnreadableRecord.UnreadableRecord };

export type Page<T = RequestDocument.RequestDocument> = {
  /** In the order of the service. */
  entries: readonly Entry<T>[];
  /** The cursor of the next page; undefined on the last one. */
  continuation: string | undefined;
};

export type Version = 'v3' | 'v2';

export type RequestSource<T = RequestDocument.RequestDocument> = {
  /** Fetches a page of the requests that match a query. @throws service.* · auth.refused */
  page(query: RequestQuery.RequestQuery): Promise<Page<T>>;
  /** The version in use; undefined before the first page. A cursor is only valid for its version. */
  version(): Version | undefined;
};

export type Ports = {
  service(): Promise<Pick<Service, 'requests' | 'requestsV2'>>;
  network: Network;
  /** Called once if the deprecated version is used. */
  warn(text: string): void;
};

export type Readers<T> = {
  v3(record: RequestsV3.Record, network: Network): T;
  v2(record: RequestsV2.Record, network: Network): T;
};

/**
 * The records of a service as documents.
 *
 * @param withOrders whether to ask the deprecated version, which has it on demand alone, for the order of each request
 */
export function from(ports: Ports, withOrders = false): RequestSource {
  return reading(ports, { v3: RequestDocument.fromV3, v2: RequestDocument.fromV2 }, withOrders);
}

/** The records of a service, converted by `readers`. The first page determines which version is used. */
export function reading<T>(
  { service, network, warn }: Ports,
  readers: Readers<T>,
  withOrders = false,
): RequestSource<T> {
  let version: Version | undefined;

  async function pageV3(query: RequestQuery.RequestQuery): Promise<Page<T>> {
    const { requests, odd, continuation } = await (await service()).requests(query);
    version = 'v3';
    return {
      entries: inOrder(requests, odd, (record) => readers.v3(record, network)),
      continuation: continuation || undefined,
    };
  }

  async function pageV2(query: RequestQuery.RequestQuery, refusal?: BaseError): Promise<Page<T>> {
    const converted = RequestQuery.toV2(query);
    if ('lacking' in converted)
      throw new BaseError(
        refusal?.code ?? 'service.refused',
        refusal?.message ?? 'The service has only the deprecated records.',
        {
          facts: [...(refusal?.facts ?? []), ['needed for', converted.lacking.join(', ')]],
          hint: `The deprecated records can be listed, but not filtered by ${converted.lacking.join(', ')}.`,
          next: refusal?.next,
          httpStatus: refusal?.httpStatus,
          cause: refusal,
        },
      );
    const { requests, odd, continuation, deprecation } = await (await service()).requestsV2({
      ...converted.query,
      ...(withOrders && { includeOrderData: true }),
    });
    if (version === undefined) warn(warning(deprecation ?? {}, network));
    version = 'v2';
    return {
      entries: inOrder(requests, odd, (record) => readers.v2(record, network)),
      continuation: continuation || undefined,
    };
  }

  return {
    version: () => version,
    async page(query) {
      if (version === 'v2') return pageV2(query);
      try {
        return await pageV3(query);
      } catch (refusal) {
        if (version !== undefined || !(refusal instanceof BaseError) || !isMissing(refusal, network)) throw refusal;
        return await pageV2(query, refusal).catch((error: unknown) => {
          // Without the deprecated records, a key is what it takes.
          throw refusal.code === 'auth.refused' && isGone(error) ? refusal : error;
        });
      }
    },
  };
}

/** The records of a page, each in its place. */
function inOrder<R, T>(records: readonly R[], odd: readonly RequestRecord.Odd[], read: (record: R) => T): Entry<T>[] {
  const entries = records.map((record): Entry<T> => ({ ok: true, request: read(record) }));
  // By ascending index, so each finds the ones before it in place.
  for (const each of odd) entries.splice(each.index, 0, { ok: false, unreadable: UnreadableRecord.from(each) });
  return entries;
}

/** Whether the service lacks the endpoint, or requires an API key and none is configured. */
function isMissing({ code, httpStatus }: BaseError, { apiKey }: Network): boolean {
  return httpStatus === 404 || (code === 'auth.refused' && apiKey === undefined);
}

/** Whether the service has retired an endpoint. */
function isGone(error: unknown): boolean {
  return error instanceof BaseError && (error.httpStatus === 404 || error.httpStatus === 410);
}

function warning(
  { message, sunsetAt }: { message?: string | null | undefined; sunsetAt?: string | null | undefined },
  { name, apiKey }: Network,
): string {
  return [
    'These are the deprecated records, which have fewer fields.',
    ...(message ? [`The service says: ${TerminalText.brief(message).replace(/\.?$/, '.')}`] : []),
    ...(sunsetAt ? [`They are available until ${TerminalText.brief(sunsetAt).slice(0, 10)}.`] : []),
    ...(apiKey === undefined
      ? [`An API key gives access to the current ones: ferry config set networks.${name}.apiKey`]
      : []),
  ].join(' ');
}
