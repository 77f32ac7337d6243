/** HTTP client of the service: retries what is safe to repeat and decodes every response with the wire schemas. */
import type * as z from 'zod/mini';
import * as Execute from '../../core/api/Execute.js';
import * as ExecutePermits from '../../core/api/ExecutePermits.js';
import * as QuoteV2 from '../../core/api/QuoteV2.js';
import * as StatusV3 from '../../core/api/StatusV3.js';
import * as Decode from '../../core/api/schema/Decode.js';
import * as QueryParam from '../../core/api/schema/QueryParam.js';
import * as Transactions from '../../core/api/Transactions.js';
import { BaseError } from '../../core/base/Errors.js';
import * as Redaction from '../../core/base/Redaction.js';
import * as Url from '../../core/base/Url.js';
import * as ClockSkew from '../../core/checks/ClockSkew.js';
import { apiKeysOf, type Network } from '../../core/network/Network.js';
import type { Service } from '../../core/ports/Ports.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import type { Answer, Fetch, Init } from './httpClient.js';
import { NetworkError } from './networkError.js';
import { readJson } from './responseJson.js';
import { ofReads, type Retry, retryAfterMs, withRetries } from './retry.js';
import { malformed, refused, ServiceError, type ServiceRequest, unanswered, undecodable } from './serviceError.js';

export type RemoteOptions = Pick<Retry, 'clock' | 'random' | 'signal'> & { fetch: Fetch; network: Network };

/**
 * Creates the client of a network's service. The schemas of what a transfer does not ask load with the first question: made
 * for every command, they would cost each of them milliseconds.
 *
 * @throws config.invalid if the network has no base URL
 */
export function createService(options: RemoteOptions): Service {
  const { ask, ...clocks } = createExchange(options);
  const purpose = 'to index the transaction';
  const notify = async ({ endpoint }: typeof Transactions.index | typeof Transactions.single, body: object) => {
    await ask({ ...endpoint, purpose, repeatable: false, body, funds: 'in-flight' }, Transactions.response);
  };
  return {
    ...clocks,
    quote: (body) => ask({ ...QuoteV2.endpoint, purpose: 'to quote', repeatable: true, body }, QuoteV2.response),
    status: (requestId) =>
      ask(
        {
          ...StatusV3.endpoint,
          purpose: 'to return the status of the request',
          repeatable: true,
          params: [['requestId', requestId]],
          funds: 'unknown',
        },
        StatusV3.response,
      ),
    async requests(value) {
      const { endpoint, query, response } = await import('../../core/api/RequestsV3.js');
      const params = QueryParam.params(query, value);
      return ask({ ...listed(endpoint), params }, response);
    },
    async requestsV2(value) {
      const { endpoint, query, response } = await import('../../core/api/RequestsV2.js');
      const params = QueryParam.params(query, value);
      return ask({ ...listed(endpoint), params }, response);
    },
    async chains() {
      const { endpoint, response } = await import('../../core/api/catalog/Chains.js');
      return ask({ ...endpoint, purpose: 'to list its chains', repeatable: true }, response);
    },
    async currencies(body) {
      const { endpoint, response } = await import('../../core/api/catalog/CurrenciesV2.js');
      return ask({ ...endpoint, purpose: 'to list currencies', repeatable: false, body }, response);
    },
    async tokenPrice(value) {
      const { endpoint, query, response } = await import('../../core/api/catalog/TokenPrice.js');
      const params = QueryParam.params(query, value);
      return (
        (await ask({ ...endpoint, purpose: 'to price a token', repeatable: true, params }, response)).price ?? undefined
      );
    },
    indexTransaction: (body) => notify(Transactions.index, body),
    indexSingle: (body) => notify(Transactions.single, body),
    executePermit: (body, signature) =>
      ask(
        {
          ...ExecutePermits.endpoint,
          purpose: 'to accept the signature',
          repeatable: false,
          params: [['signature', signature]],
          body,
        },
        ExecutePermits.response,
      ),
    async appFees(wallet) {
      const { balancesEndpoint, balances } = await import('../../core/api/AppFeeClaims.js');
      const purpose = 'to return the app fees';
      return ask({ ...ofWallet(balancesEndpoint, wallet), purpose, repeatable: true }, balances);
    },
    async appFeeClaims(wallet) {
      const { claimsEndpoint, claims } = await import('../../core/api/AppFeeClaims.js');
      return ask({ ...ofWallet(claimsEndpoint, wallet), purpose: 'to return the claims', repeatable: true }, claims);
    },
    async prepareClaim(wallet, body) {
      const { claimEndpoint, claimResponse } = await import('../../core/api/AppFeeClaims.js');
      const purpose = 'to prepare the claim';
      return ask({ ...ofWallet(claimEndpoint, wallet), purpose, repeatable: true, body }, claimResponse);
    },
    execute: (body) =>
      ask({ ...Execute.endpoint, purpose: 'to submit the transaction', repeatable: false, body }, Execute.response),
  };
}

/** What each endpoint is asked by, and what the answers say of the service's clock. @throws config.invalid */
function createExchange({ fetch, network, clock, random, signal }: RemoteOptions) {
  if (network.baseUrl === undefined) throw noBaseUrl(network);
  const { apiKey } = network;
  const baseUrl: string = network.baseUrl;
  // What was sent with a request must not come back into a quote, and from there into files.
  const redact = Redaction.of([...Url.secrets(baseUrl), ...apiKeysOf(network)]);
  let skew: ClockSkew.Skew | undefined;
  /** A clock that agreed once is right: later answers may have waited. */
  const noteDate = (date: string | null, askedAt: number): void => {
    const reported = Date.parse(date ?? '');
    if (Number.isNaN(reported)) return;
    const found = ClockSkew.fromSecond(reported, { askedAt, answeredAt: clock.now() });
    if (!skew || ClockSkew.least(found) < ClockSkew.least(skew)) skew = found;
  };
  const retry = { ...ofReads, clock, random, signal };

  async function ask<S extends z.core.$ZodType>(asked: ServiceRequest, response: S): Promise<z.core.output<S>> {
    if (!asked.repeatable) return askOnce(asked, response, {});
    return withRetries(
      retry,
      (error) => (error instanceof ServiceError ? error : { again: false }),
      (withinMs) => askOnce(asked, response, { withinMs }),
    );
  }

  async function askOnce<S extends z.core.$ZodType>(
    asked: ServiceRequest,
    response: S,
    bounds: Pick<Init, 'withinMs'>,
  ): Promise<z.core.output<S>> {
    const at = { network, baseUrl, asked };
    const { status, headers, body } = await read(asked, bounds);
    const json = readJson(body, redact);
    if (status < 200 || status > 299)
      throw refused({ status, body, json, waitMs: retryAfterMs(headers.get('retry-after'), clock.now()) }, at);
    if (json === undefined) throw malformed({ body, type: headers.get('content-type') }, at);
    const decoding = Decode.from(response, json);
    if (!decoding.ok) throw undecodable(decoding.problems, json, at);
    return decoding.value;
  }

  async function read(
    asked: ServiceRequest,
    bounds: Pick<Init, 'withinMs'>,
  ): Promise<Omit<Answer, 'text'> & { body: string }> {
    const url = Url.join(baseUrl, asked.path);
    for (const [name, value] of asked.params ?? []) url.searchParams.append(name, value);
    const askedAt = clock.now();
    try {
      const answer = await fetch(url.href, {
        method: asked.method,
        headers: {
          accept: 'application/json',
          ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
        },
        ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
        ...bounds,
      });
      noteDate(answer.headers.get('date'), askedAt);
      return { status: answer.status, headers: answer.headers, body: await answer.text() };
    } catch (error) {
      throw error instanceof NetworkError ? unanswered(error, { network, baseUrl, asked }) : error;
    }
  }

  /** Unix time in milliseconds: every response has a Date header, whatever its status. */
  async function time(): Promise<number | undefined> {
    const { headers } = await read({ method: 'GET', path: '/', purpose: 'to return its time', repeatable: true }, {});
    const reported = Date.parse(headers.get('date') ?? '');
    return Number.isNaN(reported) ? undefined : reported;
  }

  return { baseUrl, ask, time, clockSkew: () => skew };
}

type Endpoint = Pick<ServiceRequest, 'method' | 'path'>;

function listed(endpoint: Endpoint): ServiceRequest {
  return { ...endpoint, purpose: 'to list requests', repeatable: true };
}

function ofWallet({ method, path }: Endpoint, wallet: string): Endpoint {
  return { method, path: path.replace(':wallet', wallet) };
}

function noBaseUrl({ name }: Network): BaseError {
  return new BaseError('config.invalid', `The network ${name} has no base URL.`, {
    hint: 'Set the URL of its service.',
    next: ShellCommand.line`ferry config set networks.${name}.baseUrl <url>`,
  });
}
