/** JSON-RPC over HTTP to one node. Its errors contain no URL, so a key in the URL cannot be printed by accident. */
import * as Url from '../../core/base/Url.js';
import * as JsonSize from '../../core/text/JsonSize.js';
import { objectIn } from '../files/jsonObject.js';
import type { Fetch, Init } from '../http/httpClient.js';
import { NetworkError } from '../http/networkError.js';
import { type Judge, type Retry, retryAfterMs, withRetries } from '../http/retry.js';

export type RpcOptions = Pick<Retry, 'clock' | 'random'> & { fetch: Fetch; rpcUrl: string; signal: AbortSignal };

/** An EIP-1193 provider, as viem's `custom` transport takes it. */
export type Rpc = { request(call: { method: string; params?: unknown }): Promise<unknown> };

type Call = { jsonrpc: '2.0'; id: number; method: string; params: unknown };

/** Creates the JSON-RPC client of a node. Reads are retried after transient failures; a transaction is sent once. */
export function createRpc({ fetch, rpcUrl, clock, random, signal }: RpcOptions): Rpc {
  const retry: Omit<Retry, 'overallMs'> = { attempts: 3, baseMs: 200, maxWaitMs: 5_000, clock, random, signal };
  const post: Post = async (asked, bounds) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(asked), ...bounds });
    const body = await answer.text();
    const { status } = answer;
    const isGood = status >= 200 && status < 300;
    const content = JsonSize.isOver(body, mostObjects) ? undefined : objectIn<Answered>(body);
    const failure = (): RpcError => {
      const waitMs = retryAfterMs(answer.headers.get('retry-after'), clock.now());
      // Before it is shortened: what is left of a key would not be known for one.
      const shown = Url.conceal(body.slice(0, 10_000), rpcUrl);
      return errorIn(content ?? {}, { body: shown, waitMs, ...(isGood ? {} : { status }) });
    };
    return { isGood, status, content, failure };
  };
  const askWithOthers = createBatches(post);
  let id = 0;
  return {
    request({ method, params = [] }) {
      id += 1;
      const call: Call = { jsonrpc: '2.0', id, method, params };
      const { overallMs, ...bounds } = boundsOf(method);
      if (method === 'eth_sendRawTransaction') return askAlone(call, bounds, post);
      // What failed among others may succeed alone, and so may what is too large.
      let isFirst = !isTrace(method);
      return withRetries({ ...retry, overallMs }, judge, (withinMs) => {
        const isShared = isFirst;
        isFirst = false;
        return isShared ? askWithOthers(call, withinMs) : askAlone(call, { ...bounds, withinMs }, post);
      });
    },
  };
}

/** Asks a node one question, or several at once. */
type Post = (
  asked: Call | readonly Call[],
  bounds: Init,
) => Promise<{ isGood: boolean; status: number; content: Partial<Answered> | undefined; failure(): RpcError }>;

async function askAlone(call: Call, bounds: Init, post: Post): Promise<unknown> {
  const { isGood, content, failure } = await post(call, bounds);
  if (isGood && content && hasResult(content)) return content.result;
  throw failure();
}

/** The most objects and lists of an answer. A trace of as many bytes as are read has fewer. */
const mostObjects = 5_000_000;

type Waiting = { call: Call; withinMs: number; resolve(result: unknown): void; reject(error: unknown): void };

/** Some nodes take no more, and what is more than that is not one moment. */
const mostAtOnce = 50;

/**
 * Creates the queue of a node: questions of the same moment are one HTTP request. A node that does not take them together is
 * asked one by one, now and from then on.
 */
function createBatches(post: Post): (call: Call, withinMs: number) => Promise<unknown> {
  let waiting: Waiting[] = [];
  let isRefused = false;

  function ask({ call, withinMs, resolve, reject }: Waiting): void {
    askAlone(call, { withinMs }, post).then(resolve, reject);
  }

  /** The answers of the node; none if it refuses, or they were lost. */
  async function answersTo(asked: readonly Waiting[]): Promise<readonly unknown[]> {
    const withinMs = Math.min(...asked.map((each) => each.withinMs));
    const got = await post(
      asked.map(({ call }) => call),
      { withinMs },
    ).catch((error: unknown) => {
      if (error instanceof NetworkError) return undefined;
      throw error;
    });
    if (!got) return [];
    if (got.isGood && Array.isArray(got.content)) return got.content;
    // Too many questions, or a failure, say nothing about batches.
    const failure = got.failure();
    if (failure.isBusy || got.status >= 500) throw failure;
    isRefused = true;
    return [];
  }

  async function askTogether(asked: readonly Waiting[]): Promise<void> {
    const answers = await answersTo(asked);
    for (const each of asked) {
      const answer = answers.find((found) => (found as Answered | null)?.id === each.call.id) as Answered | undefined;
      // What is left out is asked for again. If all is lost, one question may be the reason.
      if (!answer) ask(each);
      else if (hasResult(answer)) each.resolve(answer.result);
      else each.reject(errorIn(answer, {}));
    }
  }

  function leave(): void {
    const asked = waiting;
    waiting = [];
    if (asked.length < 2 || isRefused) for (const each of asked) ask(each);
    else
      askTogether(asked).catch((error: unknown) => {
        for (const { reject } of asked) reject(error);
      });
  }

  return (call, withinMs) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, withinMs, resolve, reject });
      if (waiting.length >= mostAtOnce) leave();
      // After everything that is ready to ask has asked.
      else if (waiting.length === 1) setImmediate(leave);
    });
}

/** Limits of a request. A trace can be a thousand times larger than any other response, and as much slower. */
function boundsOf(method: string): Pick<Init, 'maxBytes' | 'timeoutMs'> & Pick<Retry, 'overallMs'> {
  if (!isTrace(method)) return { overallMs: 60_000 };
  return { maxBytes: 256 * 1024 * 1024, timeoutMs: 120_000, overallMs: 180_000 };
}

function isTrace(method: string): boolean {
  return method.startsWith('debug_');
}

const judge: Judge = (error) => {
  if (error instanceof NetworkError) return { again: ['refused', 'broken', 'cut-off'].includes(error.reason) };
  if (!(error instanceof RpcError)) return { again: false };
  const { status, isAnswer } = error;
  // A good status without a JSON-RPC response is a gateway's: empty, cut off, a text.
  const isGateways = status === undefined ? !isAnswer : status >= 500 || passingStatuses.has(status);
  return { again: error.isBusy || error.isPassing || isGateways, waitMs: error.waitMs };
};

type Answered = Readonly<Record<string, unknown>>;

/** Some nodes state both result and error, and null for the one that there is not. */
function hasResult(response: Answered): boolean {
  return 'result' in response && !response.error;
}

/** The error in an answer that has no result. `body` is its text without the node's key, for what is no JSON-RPC. */
function errorIn(
  response: Answered,
  { status, body = '', waitMs }: Partial<Pick<RpcError, 'status' | 'waitMs'> & { body: string }>,
): RpcError {
  // Gateways in front of nodes have forms of their own: a list for one question, fields outside of the error.
  if (Array.isArray(response)) return errorIn(response[0] ?? {}, { status, body, waitMs });
  const { error } = response;
  const { code, message, data } = (typeof error === 'object' && error !== null ? error : response) as typeof response;
  const words = [message, error, response.message, response.msg, response.detail].find(
    (each) => typeof each === 'string' && each !== '',
  );
  return new RpcError({
    code: codeOf(code),
    words: typeof words === 'string' ? words : (title(body) ?? body.slice(0, 100)),
    data,
    status,
    waitMs,
  });
}

/** Some write the number as text. */
function codeOf(code: unknown): number | undefined {
  if (typeof code === 'string' && /^-?\d{1,6}$/.test(code)) return Number(code);
  return typeof code === 'number' ? code : undefined;
}

/** The title of an HTML page, which says more than its beginning. */
function title(body: string): string | undefined {
  return /<title>([^<]{1,100})/i.exec(body)?.[1];
}

/** Codes of nodes and their hosts for too many requests. -32005 is of EIP-1474; the others have no standard. */
const busyCodes: ReadonlySet<number> = new Set([429, -32005, -32007, -32016, -32029, -32090, -32097, -32605, -32607]);
const rationed = '(?:requests?|calls?|rps|rate|quota|credits?|capacity|compute units|throughput|usage|plan|tier|limit)';
/** 1015 is Cloudflare's. */
const busy = new RegExp(
  [
    'rate.?limit|throttl|slow down|over capacity|out of credits|error code: 1015',
    'too many (?:\\w+ )?(?:requests|connections|calls)|(?:max|maximum|concurrent) .{0,20}requests|limited to .{0,20}requests',
    'requests .{0,20}limited to',
    `\\b${rationed}\\b.{0,40}(?:exceed|exhaust|reach|surpass)`,
    `(?:exceed|exhaust|reach|surpass).{0,40}\\b${rationed}\\b`,
  ].join('|'),
  'i',
);
/** What limits a transaction, rather than who asks. */
const ofTransaction = /\b(gas|fee|pool|txpool|size|depth)\b/i;

/** Codes of a question that no other moment makes right. */
const wrongCodes: ReadonlySet<number> = new Set([-32600, -32601, -32602, -32700]);
/** Codes of a failure of the moment: internal, a resource or a block that is not there yet, no node behind a gateway. */
const passingCodes: ReadonlySet<number> = new Set([-32603, -32001, -32002, -32011, -32014, -32019, -32046, -32055]);
/** HTTP statuses of a failure of the moment, besides those from 500. */
const passingStatuses: ReadonlySet<number> = new Set([408, 425]);
const passing = new RegExp(
  [
    'time(?:d |-)?out|deadline exceeded|try again|retry (?:in|later|after)|retries|temporar|at this time|overload|busy',
    'header not found|(?:unknown|missing|unfinalized) (?:block|data|trie node)|block not found|find block|cannot be found',
    'out of range|sync(?:ing|ed)|bootstrapping|lagging|behind|unavailable|internal (?:server )?error|server error',
    'no (?:healthy|available|backends?|nodes?|upstreams?|servers?)\\b|suitable (?:upstream|provider)|upstream (?:connect )?error',
    'bad gateway|\\bEOF\\b|context canceled|connection (?:refused|reset|closed)|disconnect|request failed|cannot fulfill',
  ].join('|'),
  'i',
);

export class RpcError extends Error {
  override name = 'RpcError';
  /** The JSON-RPC error code; undefined if the response was not JSON-RPC. */
  readonly code: number | undefined;
  /** The node's own message: untrusted text. */
  readonly words: string;
  readonly data: unknown;
  /** The HTTP status, if it was not 2xx. */
  readonly status: number | undefined;
  readonly waitMs: number | undefined;

  constructor({ code, words, data, status, waitMs }: Pick<RpcError, 'code' | 'words'> & Partial<RpcError>) {
    super('The node responded with an error.');
    this.code = code;
    this.words = words;
    this.data = data;
    this.status = status;
    this.waitMs = waitMs;
  }

  /** Whether it means too many requests, in any of the forms nodes use. */
  get isBusy(): boolean {
    if (this.status === 429 || busyCodes.has(this.code ?? 0)) return true;
    const words = this.words.slice(0, 300);
    return !this.isReverted && busy.test(words) && !ofTransaction.test(words);
  }

  /** Whether a node says that it fails at the moment, and not that the question is wrong. */
  get isPassing(): boolean {
    if (this.isReverted || wrongCodes.has(this.code ?? 0)) return false;
    return passingCodes.has(this.code ?? 0) || passing.test(this.words.slice(0, 300));
  }

  /** Whether it may carry the words of a contract rather than those of a node. */
  private get isReverted(): boolean {
    return this.code === 3 || typeof this.data === 'string' || /revert/i.test(this.words);
  }

  /** Whether it is a valid JSON-RPC error response. */
  get isAnswer(): boolean {
    return this.code !== undefined;
  }
}
