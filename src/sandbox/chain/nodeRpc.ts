/** Minimal JSON-RPC client for one node: for hot paths and for anvil's own methods. */

export type Call = readonly [method: string, ...params: unknown[]];

/** Result of a single call. Throws NodeRpcError if the node returns an error. */
export async function call(url: string, ...request: Call): Promise<unknown> {
  const [result] = await callAll(url, [request]);
  return result;
}

/** Results of a JSON-RPC batch, in request order. The node may run the calls concurrently. */
export async function callAll(url: string, requests: readonly Call[]): Promise<readonly unknown[]> {
  const body = requests.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answers = (await response.json()) as readonly Answer[];
  return requests.map(([method], id) => {
    const answer = answers.find((a) => a.id === id);
    if (!answer || answer.error) throw new NodeRpcError(method, answer?.error?.message ?? 'no answer');
    return answer.result;
  });
}

type Answer = { id: number; result?: unknown; error?: { code: number; message: string } };

export class NodeRpcError extends Error {
  override name = 'NodeRpcError';
  constructor(method: string, reason: string) {
    super(`${method}: ${reason}`);
  }
}
