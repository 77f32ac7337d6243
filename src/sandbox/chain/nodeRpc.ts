/** Bare JSON-RPC to one node: for what must be quick or what only anvil knows. */

export type Call = readonly [method: string, ...params: unknown[]];

/** One call's result. Throws NodeRpcError where the node refuses. */
export async function call(url: string, ...request: Call): Promise<unknown> {
  const [result] = await callAll(url, [request]);
  return result;
}

/** The results of several calls in one request, in their order. The node runs them side by side. */
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
