/** Explains why a request got no response, without revealing secrets. */
import * as Url from '../../core/base/Url.js';

export type Reason =
  | 'address'
  | 'proxy'
  | 'name'
  | 'refused'
  | 'route'
  | 'tls'
  | 'timeout'
  | 'broken'
  | 'cut-off'
  | 'not-http'
  | 'redirected'
  | 'too-large'
  | 'rate-limit';

export type Explained = Pick<NetworkError, 'arrived'> &
  Partial<Pick<NetworkError, 'hint' | 'status' | 'beginning'>> & {
    /** A clause without a capital letter or a period. */
    explanation: string;
  };

/** The error `Fetch` throws. The caller knows the purpose of the request and turns it into the error a user reads. */
export class NetworkError extends Error {
  override name = 'NetworkError';
  readonly reason: Reason;
  readonly hint: string | undefined;
  /** Whether the server received the request. */
  readonly arrived: 'no' | 'maybe' | 'yes';
  readonly status: number | undefined;
  /** The beginning of a truncated response, as received: longer than what is shown of it, in which no half of a key may be. */
  readonly beginning: string;

  constructor(reason: Reason, { explanation, hint, arrived, status, beginning = '' }: Explained) {
    super(explanation);
    this.reason = reason;
    this.hint = hint;
    this.arrived = arrived;
    this.status = status;
    this.beginning = beginning;
  }
}

export type Circumstances = {
  url: URL;
  proxy: string | undefined;
  began: boolean;
  beginning: string;
};

/** Explains a connection failure. The error itself is dropped, because its message may contain the whole URL. */
export function unreachable(thrown: unknown, { url, proxy, began, beginning }: Circumstances): NetworkError {
  const { code, message, connecting } = root(thrown);
  if (began)
    return new NetworkError('cut-off', {
      explanation: `${url.origin} closed the connection in the middle of its response`,
      arrived: 'yes',
      beginning,
    });

  const refusal = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (refusal)
    return new NetworkError('proxy', {
      explanation: `the proxy ${Url.redact(proxy ?? '')} rejected the request (${refusal})`,
      hint: refusal === '407' ? 'The proxy requires a user name and password in HTTPS_PROXY or HTTP_PROXY.' : proxyHint,
      arrived: 'no',
    });

  const peer = proxy === undefined ? url.origin : `the proxy ${Url.redact(proxy)}`;
  const [reason, explanation, hint] = words(code, peer, url, proxy !== undefined);
  return new NetworkError(reason, {
    explanation: code ? `${explanation} (${code})` : explanation,
    hint: hint ?? (proxy === undefined ? undefined : proxyHint),
    arrived: connecting || reason === 'address' || certificate.test(code) ? 'no' : 'maybe',
  });
}

/** Errors raised locally before a request's first byte is written. A TLS alert is the peer's and may come later. */
const certificate = /^(?!.*ALERT).*(CERT|ISSUER|UNABLE_TO_VERIFY|UND_ERR_PRX_TLS|ERR_SSL_WRONG_VERSION_NUMBER)/;

const proxyHint = 'Check HTTP_PROXY and HTTPS_PROXY, or add the host to NO_PROXY.';
const certificateHint =
  'If a proxy or company CA intercepts TLS, set NODE_EXTRA_CA_CERTS to a PEM file with its certificate.';

function words(code: string, peer: string, url: URL, proxied: boolean): [Reason, string, string?] {
  if (code === 'ECONNREFUSED') return ['refused', `nothing listens at ${peer}`];
  if (code === 'ENOTFOUND' && !proxied)
    return ['name', `there is no host named ${url.hostname}`, 'Check the spelling of the URL.'];
  if (code === 'ENOTFOUND') return ['name', `the host name of ${peer} does not exist`];
  if (code === 'EAI_AGAIN')
    return ['name', `the host name of ${peer} could not be resolved`, 'Is this machine online?'];
  if (['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN'].includes(code))
    return ['route', `there is no route to ${peer}`, 'Is this machine online?'];
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return ['timeout', `${peer} did not respond in time`];
  if (['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'].includes(code))
    return ['timeout', `${peer} did not accept a connection in time`];
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return ['tls', `the certificate of ${url.origin} is not valid today`, "Check this machine's clock."];
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'UND_ERR_PRX_TLS')
    return [
      'tls',
      `the certificate of ${url.origin} is for another host name`,
      'Check the URL, and whether a proxy in between responds instead.',
    ];
  if (/ALERT/.test(code)) return ['tls', `${url.origin} rejected the TLS connection`];
  if (/CERT|ISSUER|UNABLE_TO_VERIFY/.test(code))
    return ['tls', `the certificate of ${url.origin} is not trusted`, certificateHint];
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return [
      'tls',
      `${url.origin} does not speak TLS`,
      'Check whether the URL should start with http:// instead of https://.',
    ];
  if (/^ERR_(SSL|TLS)|^EPROTO/.test(code)) return ['tls', `no TLS connection to ${url.origin} could be established`];
  if (code.startsWith('HPE')) return ['not-http', `the server at ${url.origin} does not speak HTTP`];
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return ['not-http', `the response headers of ${url.origin} are too large`];
  if (['UND_ERR_INVALID_ARG', 'ERR_INVALID_CHAR'].includes(code))
    return ['address', 'a request header contains an invalid character', 'Check the API key for a line break.'];
  return ['broken', `${peer} closed the connection without a response`];
}

/** The innermost error with a code. A failure on both address families is one error that wraps one per family. */
function root(thrown: unknown): { code: string; message: string; connecting: boolean } {
  let found = { code: '', message: '', connecting: false };
  let error = thrown;
  for (let depth = 0; error instanceof Error && depth < 8; depth++) {
    const { syscall, message, name } = error as NodeJS.ErrnoException;
    const code = name === 'HTTPParserError' ? 'HPE' : (error as NodeJS.ErrnoException).code;
    const connecting = syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT';
    if (typeof code === 'string' || !found.message) found = { code: code ?? '', message, connecting };
    error = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error.cause;
  }
  return found;
}
