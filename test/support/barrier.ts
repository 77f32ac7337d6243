/** A server in front of another one that holds some requests back. */
import type { Urls } from './faults.js';
import { forward, json, type Loopback, loopback, type ReceivedRequest } from './loopback.js';

export type Barrier = Pick<Loopback, 'url'> & {
  /** Resolves when the first request is held. */
  reached: Promise<void>;
  /** Lets them all through, from now on. */
  open(): void;
};

/** Stands before a server until the test ends, and holds the requests that fit. */
export async function barrierBefore(upstream: string, holds: (request: ReceivedRequest) => boolean): Promise<Barrier> {
  let reach = (): void => {};
  let open = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { url } = await loopback((response, request) => {
    void (async () => {
      if (holds(request)) {
        reach();
        await opened;
      }
      const { status, text } = await forward(`${upstream}${request.path === '/' ? '' : request.path}`, request);
      json(JSON.parse(text), status)(response, request);
    })();
  });
  return { url, reached, open };
}

/** Ways to the servers of a sandbox on which nothing that was signed gets through until they are opened. */
export async function barriersOf({
  baseUrl,
  venueUrl,
  rpcUrls,
}: Urls): Promise<Pick<Barrier, 'reached' | 'open'> & { env: Ways }> {
  const isSigned = ({ method, path, body }: ReceivedRequest): boolean =>
    /eth_sendRawTransaction|POST \/execute|POST .*sendTx/.test(`${method} ${path} ${body}`);
  const [service, venue, node] = await Promise.all([
    barrierBefore(baseUrl, isSigned),
    barrierBefore(venueUrl, isSigned),
    barrierBefore(rpcUrls.alpha, isSigned),
  ]);
  return {
    env: { FERRY_BASE_URL: service.url, FERRY_VENUE_URL: venue.url, FERRY_RPC_URL_ALPHA: node.url },
    reached: Promise.race([service.reached, venue.reached, node.reached]),
    open: () => [service, venue, node].forEach((each) => void each.open()),
  };
}

type Ways = Readonly<Record<'FERRY_BASE_URL' | 'FERRY_VENUE_URL' | 'FERRY_RPC_URL_ALPHA', string>>;
