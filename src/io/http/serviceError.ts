/** Turns every failure of the service into the error a user reads. */

import * as ErrorBody from '../../core/api/ErrorBody.js';
import * as Decode from '../../core/api/schema/Decode.js';
import { BaseError, type Code, type Extra, type Fact, type Funds } from '../../core/base/Errors.js';
import * as Redaction from '../../core/base/Redaction.js';
import * as Url from '../../core/base/Url.js';
import { apiKeysOf, type Network, settingUrl } from '../../core/network/Network.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import type { NetworkError } from './networkError.js';

export type ServiceRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Its purpose, to complete "The service refused …". */
  purpose: string;
  /** Whether the request is idempotent and safe to retry. */
  repeatable: boolean;
  params?: readonly (readonly [name: string, value: string])[];
  body?: unknown;
  /** Where the funds are if it fails: a failed status request does not make a transfer in flight untouched. */
  funds?: Funds;
};

export type At = { network: Network; baseUrl: string; asked: ServiceRequest };

export type Refusal = {
  status: number;
  body: string;
  json: unknown;
  /** The wait that `Retry-After` asks for, in milliseconds. */
  waitMs: number | undefined;
};

/** The error for a status code other than 2xx. */
export function refused({ status, body, json, waitMs }: Refusal, at: At): ServiceError {
  const { network, asked } = at;
  const said = ErrorBody.from(json);
  const facts: Fact[] = [
    ...fact('code', said.code, at),
    ...fact('message', said.message, at),
    ...fact('detail', said.detail, at),
    ...(said.form === 'none' ? received(body, at) : []),
    ['status', `${status} to ${asked.method} ${asked.path}`],
  ];
  const extra = {
    facts,
    httpStatus: status,
    requestId: said.requestId && TerminalText.brief(said.requestId, 300),
    funds: asked.funds,
    trace: said.simulation,
  };
  const passing = (ErrorBody.retryableCodes as readonly string[]).includes(said.code ?? '');

  if (status >= 300 && status < 400) return redirected(at, status);
  const isPage = said.form === 'none' && /^\s*</.test(body);
  if (isPage && [401, 403, 407, 451].includes(status)) return blocked(extra, at);
  if (status === 401 || status === 403 || /x-api-key/i.test(said.message ?? '')) return unauthorised(network, extra);
  if (status === 429) return rateLimited(waitMs, extra, at);
  if (status >= 500)
    return new ServiceError(
      'service.unavailable',
      `The ${network.name} service failed with a server error.`,
      { ...extra, hint: again },
      { again: passing || [502, 503, 504].includes(status), waitMs },
    );
  if (said.form === 'none')
    return new ServiceError(
      'service.malformed',
      `The ${network.name} service refused ${asked.purpose} without a documented reason.`,
      { ...extra, hint: wrongAddress, next: 'ferry config list' },
    );
  if (said.form === 'simulation')
    return new ServiceError('submit.simulation', 'The call failed in the service’s simulation, so it was not sent.', {
      ...extra,
      next: 'ferry trace --help',
    });
  const unknown = status === 404 && asked.path.startsWith('/intents/status') && said.form === 'refusal';
  return new ServiceError(
    unknown ? 'service.unknown-request' : 'service.refused',
    unknown ? `The ${network.name} service does not know this request.` : `The service refused ${asked.purpose}.`,
    {
      ...{ ...extra, ...(passing ? { retryable: true } : {}) },
      ...(status === 404 ? { hint: wrongAddress, next: 'ferry config list' } : advice(said.code)),
    },
    { again: passing, waitMs },
  );
}

/** The error for a 2xx response that is not JSON. */
export function malformed({ body, type }: { body: string; type: string | null }, at: At): ServiceError {
  const kind = type && !type.includes('json') ? ` (${TerminalText.brief(type, 300)})` : '';
  return broken(at, [['expected', 'JSON'], ...(body.trim() === '' ? received('', at) : received(body, at, kind))]);
}

/** The error for JSON that does not match the schema. */
export function undecodable(problems: readonly Decode.Problem[], json: unknown, at: At): ServiceError {
  const [first] = problems;
  const facts: Fact[] = [];
  if (first) facts.push(['expected', TerminalText.brief(Decode.format(first), 300)]);
  if (first && first.kind !== 'missing') facts.push(...received(JSON.stringify(valueAt(json, first.path)) ?? '', at));
  if (problems.length > 1) facts.push(['further problems', String(problems.length - 1)]);
  return broken(at, facts);
}

export function unanswered(error: NetworkError, at: At): ServiceError {
  const { network, baseUrl, asked } = at;
  const { origin } = new URL(baseUrl);
  const facts: Fact[] = [['reason', TerminalText.escape(error.message)]];
  const extra = { funds: asked.funds };
  const sandbox = network.name === 'sandbox';
  const { urlVariable } = network;
  const look = sandbox ? 'ferry sandbox status' : 'ferry config list';
  const next = urlVariable ? settingUrl(`networks.${network.name}.baseUrl`, urlVariable) : look;
  const isOffline = ['name', 'route'].includes(error.reason) && !sandbox;
  if (error.reason === 'redirected') return redirected(at, error.status, error);
  if (error.reason === 'cut-off')
    return broken(at, [...facts, ...received(error.beginning, at)], { retryable: true }, { again: true });
  if (error.reason === 'too-large') return broken(at, facts);
  if (error.reason === 'rate-limit')
    return new ServiceError(
      'service.rate-limited',
      `No request was sent to the ${network.name} service: ${error.message}.`,
      { ...extra, hint: error.hint },
    );
  if (error.reason === 'timeout')
    return new ServiceError('service.timeout', `The ${network.name} service at ${origin} took too long to answer.`, {
      ...extra,
      facts,
      hint: error.hint ?? again,
    });
  return new ServiceError(
    'service.unreachable',
    `The ${network.name} service at ${origin} does not answer.`,
    {
      ...{ ...extra, facts },
      ...(isOffline
        ? { hint: offline, next: 'ferry doctor' }
        : { hint: error.hint ?? (sandbox ? undefined : `${wrongAddress} Is this machine online?`), next }),
    },
    { again: error.reason === 'refused' || error.reason === 'broken', arrived: error.arrived },
  );
}

const offline = 'Is this machine online? If so, check the URL, and HTTPS_PROXY if it needs a proxy.';
const again = 'Wait a moment, then run the same command again.';
const wrongAddress = "Check the network's base URL.";

const advices: Readonly<Record<string, Pick<Extra, 'hint' | 'next'>>> = {
  AMOUNT_TOO_LOW: { hint: 'Try a larger amount.' },
  INSUFFICIENT_LIQUIDITY: { hint: 'Try a smaller amount.' },
  SWAP_IMPACT_TOO_HIGH: { hint: 'Try a smaller amount.' },
  NO_SWAP_ROUTES_FOUND: { hint: 'Try another amount or token, or try again in a moment.', next: 'ferry tokens' },
  INVALID_INPUT_CURRENCY: { hint: 'The service does not accept this input token.', next: 'ferry tokens' },
  INVALID_OUTPUT_CURRENCY: { hint: 'The service does not support this output token.', next: 'ferry tokens' },
  UNSUPPORTED_CURRENCY: { hint: 'The token may have no price right now.', next: 'ferry tokens' },
  UNSUPPORTED_CHAIN: { hint: 'The service does not support this chain.', next: 'ferry chains' },
  CHAIN_DISABLED: { hint: 'The chain is currently disabled.', next: 'ferry chains' },
  INVALID_SLIPPAGE_TOLERANCE: { hint: 'Try another --slippage.' },
};

function advice(code: string | undefined): Pick<Extra, 'hint' | 'next'> {
  const known = advices[code ?? ''];
  if (known) return known;
  return (ErrorBody.retryableCodes as readonly string[]).includes(code ?? '') ? { hint: again } : {};
}

function unauthorised({ name, apiKey }: Network, extra: Extra): ServiceError {
  if (apiKey === undefined)
    return new ServiceError('auth.refused', `The ${name} service requires an API key, and none is configured.`, {
      ...extra,
      hint: 'The team behind the service issues keys.',
      next: ShellCommand.line`ferry config set networks.${name}.apiKey`,
    });
  return new ServiceError('auth.refused', `The ${name} service rejected the API key or the referrer.`, {
    ...extra,
    hint: 'An API key is valid on one network, and a referrer with one key.',
    next: 'ferry config list',
  });
}

/** A refusal that is not in the service's form: it never saw the request. */
function blocked(extra: Extra, { network }: At): ServiceError {
  return new ServiceError(
    'service.refused',
    `Something in front of the ${network.name} service refuses this machine.`,
    {
      ...extra,
      hint: 'The answer is a web page, and not the service’s: no API key changes it. A proxy, or the host of the service, may refuse addresses of data centers, VPNs and some countries. Try from another network.',
      next: 'ferry config list',
    },
  );
}

function rateLimited(waitMs: number | undefined, extra: Extra, { network }: At): ServiceError {
  const seconds = waitMs === undefined ? undefined : Math.ceil(waitMs / 1000);
  const wait = seconds === undefined ? 'a minute' : TerminalText.span(seconds);
  const key = network.apiKey === undefined ? ' An API key comes with its own limit.' : '';
  return new ServiceError(
    'service.rate-limited',
    `The ${network.name} service received too many requests.`,
    {
      ...extra,
      hint: `Wait ${wait}, then run the same command again.${key}`,
      facts: [...(seconds === undefined ? [] : ([['retry after', `${seconds} s`]] as const)), ...(extra.facts ?? [])],
    },
    { again: true, waitMs },
  );
}

function redirected({ network, asked }: At, status: number | undefined, error?: NetworkError): ServiceError {
  return new ServiceError(
    'service.redirected',
    `The ${network.name} service responded with a redirect. ferry never follows redirects.`,
    {
      hint: error?.hint ?? wrongAddress,
      next: settingUrl(`networks.${network.name}.baseUrl`, network.urlVariable),
      ...{
        facts: error ? [['reason', TerminalText.escape(error.message)]] : [],
        httpStatus: status,
        funds: asked.funds,
      },
    },
  );
}

function broken(at: At, facts: readonly Fact[], extra: Extra = {}, retry: Partial<Repetition> = {}): ServiceError {
  const { network, asked } = at;
  return new ServiceError(
    'service.malformed',
    `The ${network.name} service sent an unexpected response to ${asked.method} ${asked.path}.`,
    {
      ...{ ...extra, facts, funds: asked.funds },
      hint: 'Nothing was signed. If this happens again, the service or a proxy in between is at fault.',
      next: 'ferry config list',
    },
    retry,
  );
}

function fact(label: string, value: string | undefined, at: At): Fact[] {
  return value === undefined || value === '' ? [] : [[label, TerminalText.brief(redact(value, at), 300)]];
}

function received(body: string, at: At, kind = ''): Fact[] {
  return [['received', body === '' ? 'nothing' : `${TerminalText.brief(redact(body, at), 100)}${kind}`]];
}

/** Removes what was sent along with the request: a service may repeat a key it rejects. */
function redact(text: string, { network, baseUrl }: At): string {
  return Redaction.of(apiKeysOf(network))(Url.conceal(text, baseUrl));
}

function valueAt(json: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | null)?.[key], json);
}

type Repetition = Pick<ServiceError, 'again' | 'waitMs' | 'arrived'>;

/** A failure of the service: whether the request may be retried, and whether the service received it. */
export class ServiceError extends BaseError {
  override name = 'ServiceError';
  readonly again: boolean;
  readonly waitMs: number | undefined;
  readonly arrived: NetworkError['arrived'];

  constructor(
    code: Code,
    message: string,
    extra: Extra,
    { again = false, waitMs, arrived = 'maybe' }: Partial<Repetition> = {},
  ) {
    super(code, message, extra);
    this.again = again;
    this.waitMs = waitMs;
    this.arrived = arrived;
  }
}
