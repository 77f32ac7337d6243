/** Minimal JSON-RPC client for one node, by Node's own HTTP: `fetch` takes five times as long, and longer to load. */
import { request as httpRequest } from 'node:http';

export type Call = readonly [method: string, ...params: unknown[]];

/** What a node answered to a request, as it came. */
export type RawAnswer = { status: number; type: string; text: string };

/** Result of a single call. Throws NodeRpcError if the node returns an error. */
export async function call(url: string, ...request: Call): Promise<unknown> {
  const [result] = await callAll(url, [request]);
  return result;
}

/** Results of a JSON-RPC batch, in request order. The node may run the calls concurrently. */
export async function callAll(url: string, requests: readonly Call[]): Promise<readonly unknown[]> {
  const body = requests.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const { text } = await post(url, JSON.stringify(body));
  const answers = JSON.parse(text) as readonly Answer[];
  return requests.map(([method], id) => {
    const answer = answers.find((a) => a.id === id);
    if (!answer || answer.error) throw new NodeRpcError(method, answer?.error);
    return answer.result;
  });
}

/** Sends a JSON text. Throws the socket's error if no whole answer comes. */
export function post(url: string, body: string): Promise<RawAnswer> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'POST', headers }, (answer) => {
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part;
        })
        .once('error', reject)
        .once('end', () => {
          const { statusCode: status = 0, headers: its } = answer;
          resolve({ status, type: its['content-type'] ?? 'application/json', text });
        });
    });
    sent.once('error', reject).end(body);
  });
}

type RpcError = { code: number; message: string; data?: unknown };
type Answer = { id: number; result?: unknown; error?: RpcError };

export class NodeRpcError extends Error {
  override name = 'NodeRpcError';
  /** What the node answered, if it named this call at all. */
  readonly answered: RpcError | undefined;
  constructor(method: string, answered?: RpcError) {
    super(`${method}: ${answered?.message ?? 'no answer'}`);
    this.answered = answered;
  }
}
