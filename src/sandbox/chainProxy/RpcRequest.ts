/** A JSON-RPC request as it arrived: one call, or several in a batch. */

export type RpcRequest = { calls: readonly Call[]; isBatch: boolean };

export type Call = {
  id?: unknown;
  method: string;
  params: readonly unknown[];
};

export type Answer = {
  jsonrpc: '2.0';
  id?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
};

/** The calls in a body; undefined where it is anything else. */
export function from(body: string): RpcRequest | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const isBatch = Array.isArray(parsed);
  const list: readonly unknown[] = isBatch ? (parsed as unknown[]) : [parsed];
  return list.length > 0 && list.every(isCall) ? { calls: list.map(callOf), isBatch } : undefined;
}

/** Where the answer to a call stands in the whole: the beginning of a JSON pointer. */
export function placeOf({ calls, isBatch }: RpcRequest, whole: unknown, at: number): string {
  if (!isBatch || !Array.isArray(whole)) return '';
  const id = calls[at]?.id;
  return `/${whole.findIndex((answer: Partial<Answer>) => answer.id === id)}`;
}

/** The account that a call is about, where it says so itself. */
export function accountIn({ method, params }: Call): string | undefined {
  const [first] = params;
  if (/^eth_(getTransactionCount|getBalance|getCode)$/.test(method))
    return typeof first === 'string' ? first : undefined;
  if (typeof first !== 'object' || first === null) return undefined;
  const from: unknown = Reflect.get(first, 'from');
  return typeof from === 'string' ? from : undefined;
}

/** The transaction that a call asks for by its hash. */
export function hashIn({ method, params }: Call): string | undefined {
  const [hash] = params;
  return /^eth_getTransaction(Receipt|ByHash)$/.test(method) && typeof hash === 'string' ? hash : undefined;
}

function isCall(value: unknown): value is { method: string } {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'method') === 'string';
}

function callOf(value: { method: string; id?: unknown; params?: unknown }): Call {
  return { ...value, params: Array.isArray(value.params) ? value.params : [] };
}
