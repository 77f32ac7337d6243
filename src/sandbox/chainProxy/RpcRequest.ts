/** A JSON-RPC request: a single call or a batch. */

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

/** Parses a request body; undefined if it is not JSON-RPC. */
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

/** JSON pointer to the response of the call with index `at`. */
export function pointerTo({ calls, isBatch }: RpcRequest, whole: unknown, at: number): string {
  if (!isBatch || !Array.isArray(whole)) return '';
  const id = calls[at]?.id;
  return `/${whole.findIndex((answer: Partial<Answer>) => answer.id === id)}`;
}

export function accountIn({ method, params }: Call): string | undefined {
  const [first] = params;
  if (/^eth_(getTransactionCount|getBalance|getCode)$/.test(method))
    return typeof first === 'string' ? first : undefined;
  if (typeof first !== 'object' || first === null) return undefined;
  const from: unknown = Reflect.get(first, 'from');
  return typeof from === 'string' ? from : undefined;
}

/** The hash of a transaction or receipt query. */
export function hashIn({ method, params }: Call): string | undefined {
  const [hash] = params;
  return /^eth_getTransaction(Receipt|ByHash)$/.test(method) && typeof hash === 'string' ? hash : undefined;
}

/** The numbered block that a nonce is read at, which may be ahead of the chain. */
export function blockAhead({ method, params }: Call): bigint | undefined {
  const [, block] = params;
  if (method !== 'eth_getTransactionCount' || typeof block !== 'string') return undefined;
  return /^0x[0-9a-f]{1,16}$/i.test(block) ? BigInt(block) : undefined;
}

/** Whether a call leaves the chain as it is. What is not known may change it. */
export function isRead({ method }: Pick<Call, 'method'>): boolean {
  return /^((eth|net|web3|debug|trace|txpool|ots|erigon|rpc)_(?!send|setCode|resend)|(anvil|hardhat)_(dumpState|nodeInfo|metadata|get)|(evm|anvil)_snapshot$)/.test(
    method,
  );
}

function isCall(value: unknown): value is { method: string } {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'method') === 'string';
}

function callOf(value: { method: string; id?: unknown; params?: unknown }): Call {
  return { ...value, params: Array.isArray(value.params) ? value.params : [] };
}
