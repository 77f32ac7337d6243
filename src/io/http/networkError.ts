/** Why a request got no answer, in words that hold nothing secret. */
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

export type Explained = {
  /** A clause without a capital letter or a full stop. */
  explanation: string;
  hint?: string | undefined;
  /** Whether the other side has seen the request. */
  arrived: 'no' | 'maybe' | 'yes';
  /** The HTTP status, where one came. */
  status?: number | undefined;
  /** The beginning of an answer that broke off, as it came. */
  beginning?: string | undefined;
};

/** What `Fetch` throws. Whoever called it knows what it was for, and makes the error that a person reads. */
export class NetworkError extends Error {
  override name = 'NetworkError';
  readonly reason: Reason;
  readonly hint: string | undefined;
  readonly arrived: 'no' | 'maybe' | 'yes';
  readonly status: number | undefined;
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
  /** The proxy's URL, where one was used. */
  proxy: string | undefined;
  /** Whether an answer had begun. */
  began: boolean;
  beginning: string;
};

/** Explains whatever a connection failed with. The error itself is dropped: its text may hold the whole URL. */
export function unreachable(thrown: unknown, { url, proxy, began, beginning }: Circumstances): NetworkError {
  const { code, message, connecting } = root(thrown);
  if (began)
    return new NetworkError('cut-off', {
      explanation: `${url.origin} broke off in the middle of its answer`,
      arrived: 'yes',
      beginning,
    });

  const refusal = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (refusal)
    return new NetworkError('proxy', {
      explanation: `the proxy ${Url.redact(proxy ?? '')} does not let it through (${refusal})`,
      hint: refusal === '407' ? 'The proxy wants a user name and password in HTTPS_PROXY or HTTP_PROXY.' : proxyHint,
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

/** What this side finds before it writes the first byte of a request. An alert is the other side's, and may come later. */
const certificate = /^(?!.*ALERT).*(CERT|ISSUER|UNABLE_TO_VERIFY|UND_ERR_PRX_TLS|ERR_SSL_WRONG_VERSION_NUMBER)/;

const proxyHint = 'Check HTTP_PROXY and HTTPS_PROXY, or name the host in NO_PROXY.';
const certificateHint =
  'If a proxy or company certificate authority is in between, put its certificate in a PEM file and set NODE_EXTRA_CA_CERTS to it.';

function words(code: string, peer: string, url: URL, proxied: boolean): [Reason, string, string?] {
  if (code === 'ECONNREFUSED') return ['refused', `nothing listens at ${peer}`];
  if (code === 'ENOTFOUND' && !proxied)
    return ['name', `there is no host named ${url.hostname}`, 'Check the spelling of the address.'];
  if (code === 'ENOTFOUND') return ['name', `${peer} has no such host name`];
  if (code === 'EAI_AGAIN')
    return ['name', `the host name of ${peer} could not be looked up`, 'Is this machine online?'];
  if (['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN'].includes(code))
    return ['route', `there is no route to ${peer}`, 'Is this machine online?'];
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return ['timeout', `${peer} did not say in time whether it lets it through`];
  if (['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'].includes(code))
    return ['timeout', `${peer} did not accept a connection in time`];
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return ['tls', `the certificate of ${url.origin} is not valid today`, "Check this machine's clock."];
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'UND_ERR_PRX_TLS')
    return [
      'tls',
      `the certificate of ${url.origin} is made out to another name`,
      'Is it the right address, or does something in between answer in its place?',
    ];
  if (/ALERT/.test(code)) return ['tls', `${url.origin} refused the secure connection`];
  if (/CERT|ISSUER|UNABLE_TO_VERIFY/.test(code))
    return ['tls', `the certificate of ${url.origin} is not trusted`, certificateHint];
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return ['tls', `${url.origin} does not speak TLS`, 'Is the address meant to begin with http:// and not https://?'];
  if (/^ERR_(SSL|TLS)|^EPROTO/.test(code)) return ['tls', `no secure connection to ${url.origin} could be made`];
  if (code.startsWith('HPE')) return ['not-http', `what answers at ${url.origin} does not speak HTTP`];
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return ['not-http', `the headers of ${url.origin} are too long`];
  if (['UND_ERR_INVALID_ARG', 'ERR_INVALID_CHAR'].includes(code))
    return ['address', 'a header has a character it cannot have', 'Is there a line break in the API key?'];
  return ['broken', `${peer} closed the connection without an answer`];
}

/** The innermost error that has a code; both address families refused come as one error with many inside. */
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
