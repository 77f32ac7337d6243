/** What was asked of servers, what they answered and how long it took, as text for stderr. */
import * as Redaction from '../../core/base/Redaction.js';
import * as Url from '../../core/base/Url.js';
import * as JsonText from '../../core/text/JsonText.js';
import * as UnsafeCharacters from '../../core/text/UnsafeCharacters.js';

export type Exchange = {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** Undefined if there was none. */
  answer: { status: number; text: string } | undefined;
  /** Why there was none. */
  failure: string | undefined;
  /** Milliseconds. */
  tookMs: number;
};

/** What is printed: requests to the service and the venue, requests to nodes, and times. */
export type Topics = ReadonlySet<'http' | 'rpc' | 'timing'>;

const all = ['http', 'rpc', 'timing'] as const;

/** The topics of `--verbose` and of `FERRY_DEBUG`, and the words there that are none. */
export function topicsOf(isVerbose: boolean, text = ''): { topics: Topics; unknown: readonly string[] } {
  const words = text.split(',').flatMap((word) => word.trim().toLowerCase() || []);
  const isAll = isVerbose || words.some((word) => ['all', '1', 'true', '*'].includes(word));
  return {
    topics: new Set(all.filter((topic) => isAll || words.includes(topic))),
    unknown: words.filter((word) => ![...all, 'all', '1', 'true', '*'].includes(word)),
  };
}

const secretHeaders = /^(authorization|cookie|x-api-key)$/i;

/** The lines of an exchange; undefined if its topic was not asked for. What it names as secret is masked, and no more. */
export function format(exchange: Exchange, topics: Topics): string | undefined {
  const { method, url, headers, body, answer, failure, tookMs } = exchange;
  const calls = methodsOf(body);
  const topic = calls ? 'rpc' : 'http';
  if (!topics.has(topic) && !topics.has('timing')) return undefined;
  const took = topics.has('timing') ? `  ${Math.round(tookMs)} ms` : '';
  const names = calls ? `  ${calls.join(', ')}` : '';
  const head = `${topic.padEnd(4)}  ${method} ${calls ? Url.redact(url) : placeOf(url)}  ${answer?.status ?? `failed: ${failure}`}${took}${names}`;
  if (!topics.has(topic)) return UnsafeCharacters.escape(head);
  const shown = Object.entries(headers).map(([name, value]) => `${name}: ${secretHeaders.test(name) ? '***' : value}`);
  const parts = [...shown.map((line) => `  > ${line}`), ...(body ? [`  > ${body}`] : [])];
  // A server may repeat what was secret in the request.
  const sent = Redaction.of(
    Object.entries(headers).flatMap(([name, value]) => (secretHeaders.test(name) ? value : [])),
  );
  const said = sent(calls ? Url.conceal(answer?.text ?? '', url) : (answer?.text ?? '')).trimEnd();
  const lines = [head, ...parts, ...(said ? [`  < ${said}`] : [])];
  return lines.map((line) => UnsafeCharacters.escape(line)).join('\n');
}

/** A URL without a user and password. The path of a node is its key for many; that of the service says what is asked. */
function placeOf(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname}${search}`;
}

function methodsOf(body: string | undefined): string[] | undefined {
  if (body === undefined || !body.includes('"jsonrpc"')) return undefined;
  const calls = [JsonText.read(body)].flat() as readonly { jsonrpc?: unknown; method?: unknown }[];
  return calls.every((call) => typeof call?.jsonrpc === 'string')
    ? calls.map(({ method }) => String(method))
    : undefined;
}
