/** HTTP client built on undici: bounded in time and size, never follows redirects, and explains its failures. */
import * as zlib from 'node:zlib';
import type { Dispatcher } from 'undici';
import { once } from '../../core/base/Once.js';
import * as Url from '../../core/base/Url.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { orAborted } from '../files/interruptible.js';
import type { Exchange } from './debugLog.js';
import { createEarlyConnections } from './earlyConnections.js';
import { NetworkError, unreachable } from './networkError.js';

/** The common interface of all requests: undici here, or the handler of a server in the same process. */
export type Fetch = (url: string, init?: Init) => Promise<Answer>;

export type Init = {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Overrides of the client's limits, for a response that is known to be large. */
  maxBytes?: number;
  timeoutMs?: number;
  /** Time left for all attempts; a wait before the request is sent counts too. */
  withinMs?: number;
};

/** The subset of `Response` in use. The whole body has been read when `fetch` resolves. */
export type Answer = {
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
};

export type Http = {
  /** @throws NetworkError, or the signal's reason if it is aborted */
  fetch: Fetch;
  /** Opens a connection to the origin of a URL before something is asked there. It never fails; the request may. */
  open(url: string): void;
  close(): Promise<void>;
};

export type HttpOptions = {
  signal: AbortSignal;
  /** The environment HTTP_PROXY, HTTPS_PROXY and NO_PROXY are read from, in upper or lower case. */
  env: Readonly<Record<string, string | undefined>>;
  userAgent: string;
  /** Time limit for a request including its whole response. */
  timeoutMs?: number | undefined;
  /** Size limit for a response body. */
  maxBytes?: number | undefined;
  /** Is told of every request once it has ended. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
};

const connectTimeoutMs = 10_000;

/** Creates an HTTP client with one connection pool per origin. Loads undici at the first request. */
export function createHttp(options: HttpOptions): Http {
  const { onExchange } = options;
  const http = createClient(options);
  return onExchange ? { ...http, fetch: watched(http.fetch, onExchange) } : http;
}

/** Tells of every request, and changes nothing about it. */
function watched(fetch: Fetch, tell: (exchange: Exchange) => void): Fetch {
  return async (url, init = {}) => {
    const { method = 'GET', headers = {}, body } = init;
    const started = performance.now();
    const done = (rest: Pick<Exchange, 'answer' | 'failure'>): void =>
      tell({ method, url, headers, body, ...rest, tookMs: performance.now() - started });
    try {
      const answer = await fetch(url, init);
      done({ answer: { status: answer.status, text: await answer.text() }, failure: undefined });
      return answer;
    } catch (error) {
      done({ answer: undefined, failure: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  };
}

function createClient(options: HttpOptions): Http {
  const { signal, env, userAgent } = options;
  const usual = { timeoutMs: options.timeoutMs ?? 30_000, maxBytes: options.maxBytes ?? 10 * 1024 * 1024 };
  const proxies = proxiesFrom(env);
  const load = once(() => loadUndici(proxies));
  const proxyOf = (url: URL): string | undefined => {
    const proxy = Url.isLoopback(url) ? undefined : proxies[url.protocol === 'https:' ? 'https' : 'http'];
    if (proxy) assertProxy(proxy);
    return proxy?.url;
  };

  const isProxied = (url: URL): boolean => !Url.isLoopback(url) && (proxies.http ?? proxies.https) !== undefined;

  return {
    async fetch(text, { method = 'GET', headers = {}, body, withinMs = Number.POSITIVE_INFINITY, ...own } = {}) {
      signal.throwIfAborted();
      const { maxBytes } = { ...usual, ...own };
      const timeoutMs = Math.min(own.timeoutMs ?? usual.timeoutMs, withinMs);
      const { url, authorization } = parse(text);
      const proxy = proxyOf(url);
      const client = await load();
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), timeoutMs);
      const either = AbortSignal.any([signal, late.signal]);
      const received: Uint8Array[] = [];
      let began = false;
      let isReadable = true;
      try {
        const asked = client.request(url, {
          dispatcher: proxy ? client.proxied : client.direct,
          method: method as Dispatcher.HttpMethod,
          headers: { accept: 'application/json', 'user-agent': userAgent, ...authorization, ...headers },
          body: body ?? null,
          signal: either,
          // undici measures these in whole seconds; the timer above is exact and covers both.
          headersTimeout: 0,
          bodyTimeout: 0,
        });
        // undici checks the signal only once connected; a request aborted before that is never sent.
        const answer = await orAborted(either, asked);
        began = true;
        isReadable = answer.headers['content-encoding'] === undefined;
        if (answer.statusCode >= 300 && answer.statusCode < 400) {
          answer.body.on('error', () => {}).destroy();
          throw redirected(url, answer.statusCode, first(answer.headers.location));
        }
        let size = 0;
        for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
          size += chunk.length;
          if (size > maxBytes) throw tooLarge(url, maxBytes);
          received.push(chunk);
        }
        const encoding = headerOf(answer.headers['content-encoding']);
        const whole = textOf(decode(Buffer.concat(received), encoding, { url, maxBytes }));
        return {
          status: answer.statusCode,
          headers: { get: (name) => first(answer.headers[name.toLowerCase()]) ?? null },
          text: async () => whole,
        };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (error instanceof NetworkError) throw error;
        const beginning = isReadable ? textOf(Buffer.concat(received)).slice(0, 10_000) : '';
        if (late.signal.aborted) throw timedOut(url, timeoutMs, beginning);
        const through = client.exempt.has(url.origin) ? undefined : proxy;
        throw unreachable(error, { url, proxy: through, began, beginning });
      } finally {
        clearTimeout(timer);
      }
    },

    open(text) {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      // A proxy opens its connections itself.
      if (signal.aborted || !url || !/^https?:$/.test(url.protocol) || isProxied(url)) return;
      load().then(
        ({ early }) => early.open(url),
        () => {},
      );
    },

    async close() {
      const client = await load.made()?.catch(() => undefined);
      client?.early.close();
      await Promise.all([client?.direct.destroy(), client?.proxied.destroy()]);
    },
  };
}

async function loadUndici(proxies: Proxies) {
  // A CommonJS package: bundled, it has the default export alone.
  const { Agent, buildConnector, request } = (await import('undici')).default;
  // Its types leave out that a connector returns the socket.
  const connector = buildConnector({ timeout: connectTimeoutMs }) as Parameters<typeof createEarlyConnections>[0];
  const early = createEarlyConnections(connector);
  const { connect } = early;
  const direct: Dispatcher = new Agent({ connect });
  /** Origins that are reached directly because they are in NO_PROXY. */
  const exempt = new Set<string>();
  // Without these options, undici would read the variables of the process. An empty string means unset.
  const [httpProxy = '', httpsProxy = ''] = [proxies.http, proxies.https].map((each) =>
    each === undefined || objectionTo(each) !== undefined ? '' : each.url,
  );
  if (!httpProxy && !httpsProxy) return { request, direct, proxied: direct, early, exempt };
  const { EnvHttpProxyAgent, Pool } = (await import('undici')).default;
  const { none: noProxy = '' } = proxies;
  const proxied: Dispatcher = new EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy,
    // Only called for hosts in NO_PROXY: tunnels have their own connector.
    connect: (target, done) => {
      exempt.add(`${target.protocol}//${target.host}`);
      connect(target, done);
    },
    // Otherwise a proxy that never responds to a CONNECT would keep the process alive for minutes.
    clientFactory: (proxy, given) => new Pool(proxy, { ...given, headersTimeout: connectTimeoutMs }),
  });
  return { request, direct, proxied, early, exempt };
}

type Proxy = { url: string; variable: string };

type Proxies = ReturnType<typeof proxiesFrom>;

/** An empty variable counts as unset, and a proxy without a scheme is an http proxy. ALL_PROXY is for either. */
function proxiesFrom(env: HttpOptions['env']) {
  const nameOf = (name: string): string | undefined => [name, name.toUpperCase()].find((each) => env[each]);
  const proxy = (...names: readonly string[]): Proxy | undefined => {
    const variable = names.map(nameOf).find((each) => each !== undefined);
    const text = variable === undefined ? undefined : env[variable];
    if (variable === undefined || text === undefined) return undefined;
    return { variable, url: text.includes('://') ? text : `http://${text}` };
  };
  const none = nameOf('no_proxy');
  return {
    http: proxy('http_proxy', 'all_proxy'),
    https: proxy('https_proxy', 'all_proxy'),
    none: none === undefined ? undefined : env[none],
  };
}

/** What is wrong with a proxy, to follow the name of its variable, and how to mend it. */
function objectionTo({ url }: Proxy): { is: string; hint: string } | undefined {
  if (/^socks/i.test(url))
    return {
      is: 'names a SOCKS proxy',
      hint: 'SOCKS proxies are not supported. Use an http:// one, or add the host to NO_PROXY.',
    };
  if (/^["'`]/.test(url.replace(/^http:\/\//, '')))
    return { is: 'is in quotes', hint: 'docker --env-file and others keep them: remove them from the file.' };
  try {
    const { protocol, username, password } = new URL(url);
    decodeURIComponent(username + password);
    if (/^https?:$/.test(protocol)) return undefined;
  } catch {
    // Not a URL, or undici would not take its password.
    if (url.includes('@'))
      return {
        is: 'is not a URL',
        hint: 'Percent-encode its user name and password: # is %23, % is %25, / is %2F, @ is %40.',
      };
  }
  return { is: 'is not a URL of a proxy', hint: 'Set it to a URL such as http://proxy.example.org:3128.' };
}

function assertProxy(proxy: Proxy): void {
  const objection = objectionTo(proxy);
  if (!objection) return;
  const { is, hint } = objection;
  throw new NetworkError('proxy', { explanation: `${proxy.variable} ${is}`, hint, arrived: 'no' });
}

/** Parses a URL. A user name and password are moved from the URL to the Authorization header. */
function parse(text: string): { url: URL; authorization: Readonly<Record<string, string>> } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new NetworkError('address', {
      explanation: 'the address is not an http or https URL',
      hint: 'Use a full URL, such as https://rpc.example.org.',
      arrived: 'no',
    });
  if (!url.username) return { url, authorization: {} };
  const pair = `${Url.decoded(url.username)}:${Url.decoded(url.password)}`;
  url.username = '';
  url.password = '';
  return { url, authorization: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

/** The text of a body. UTF-16 has a zero beside each letter, between which nobody would know a key that is repeated. */
function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body).replaceAll('\0', '');
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** A header that may be repeated, as one. */
function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

type Decompress = (body: Uint8Array, bounds: { maxOutputLength: number }) => Uint8Array;

/** By the names that HTTP has for them. Node has `zstd` since version 22.15. */
const decompressions: Readonly<Record<string, Decompress | undefined>> = {
  identity: (body) => body,
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  // Some servers leave out the zlib header, whose first four bits are always 8.
  deflate: (body, bounds) =>
    ((body[0] ?? 0) & 0x0f) === 8 ? zlib.inflateSync(body, bounds) : zlib.inflateRawSync(body, bounds),
  br: zlib.brotliDecompressSync,
  zstd: (zlib as { zstdDecompressSync?: Decompress }).zstdDecompressSync,
};

/** Each takes time that no timeout bounds, and nobody applies more than one or two. */
const mostEncodings = 4;

/**
 * Undoes the compression of a response: servers and gateways compress without being asked. The header lists encodings
 * in the order in which they were applied.
 *
 * @throws NetworkError
 */
function decode(
  body: Uint8Array,
  header: string | undefined,
  { url, maxBytes }: { url: URL; maxBytes: number },
): Uint8Array {
  if (header === undefined || body.length === 0) return body;
  const named = `"${TerminalText.escape(header.slice(0, 40))}"`;
  const names = header.toLowerCase().split(',').reverse();
  if (names.length > mostEncodings)
    throw undecodable(`${url.origin} compressed its response ${names.length} times over`);
  let decoded = body;
  for (const name of names) {
    const decompress = decompressions[name.trim()];
    if (!decompress) throw undecodable(`${url.origin} compressed its response with ${named}, which ferry cannot read`);
    try {
      decoded = decompress(decoded, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(url, maxBytes);
      throw undecodable(`the response of ${url.origin} is not the ${named} that its header says`);
    }
  }
  return decoded;
}

function undecodable(explanation: string): NetworkError {
  return new NetworkError('not-http', {
    explanation,
    hint: 'ferry reads gzip, deflate and br, and zstd with Node.js 22.15 or newer. Does a proxy in between compress it?',
    arrived: 'yes',
  });
}

function redirected(url: URL, status: number, location: string | undefined): NetworkError {
  const to = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url).origin : undefined;
  return new NetworkError('redirected', {
    explanation: `it responded with a redirect (${status})${to ? ` to ${to}` : ''}`,
    hint: 'ferry never follows redirects, because they would leak a key. If you trust the target, configure its URL.',
    arrived: 'yes',
    status,
  });
}

function tooLarge(url: URL, maxBytes: number): NetworkError {
  return new NetworkError('too-large', {
    explanation: `the response of ${url.origin} is larger than ${maxBytes} bytes`,
    arrived: 'yes',
  });
}

function timedOut(url: URL, timeoutMs: number, beginning: string): NetworkError {
  return new NetworkError('timeout', {
    explanation: `${url.origin} did not send a complete response within ${timeoutMs / 1000} seconds`,
    arrived: 'maybe',
    beginning,
  });
}
