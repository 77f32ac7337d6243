/** Call traces of transactions, from a node's `callTracer`. */

import { toHex } from 'viem';
import type { Hex } from '../../core/base/Hex.js';
import type { Chain } from '../../core/ports/Ports.js';
import * as Frame from '../../core/trace/Frame.js';
import { type Rpc, RpcError } from './jsonRpc.js';
import { isUnknownMethod } from './simulation.js';

/**
 * Traces a mined transaction. The node must still have the state of the preceding block.
 *
 * @returns undefined if the node does not support `debug_traceTransaction` with this tracer
 * @throws whatever the request to the node throws
 */
export function trace(hash: Hex, rpc: Rpc): Promise<readonly Frame.Frame[] | undefined> {
  return traced('debug_traceTransaction', [hash, tracer], rpc);
}

/**
 * Traces a call on the latest state without sending it.
 *
 * @returns undefined if the node does not support `debug_traceCall` with this tracer
 * @throws whatever the request to the node throws
 */
export function traceCall(
  { from, to, data, value, authorizationList }: Parameters<Chain['traceCall']>[0],
  rpc: Rpc,
): Promise<readonly Frame.Frame[] | undefined> {
  const authorizations = authorizationList?.map(({ chainId, address, nonce, yParity, r, s }) => ({
    ...{ chainId: toHex(chainId), address, nonce: toHex(nonce), yParity: toHex(yParity) },
    // A quantity has no leading zeros.
    ...{ r: toHex(BigInt(r)), s: toHex(BigInt(s)) },
  }));
  const call = { from, to, data, value: toHex(value), ...(authorizations && { authorizationList: authorizations }) };
  return traced('debug_traceCall', [call, 'latest', tracer], rpc);
}

const tracer = { tracer: 'callTracer' } as const;

async function traced(method: string, params: unknown, rpc: Rpc): Promise<readonly Frame.Frame[] | undefined> {
  try {
    // A node without this tracer may return its own log of opcode steps.
    return Frame.fromCallTracer(await rpc.request({ method, params }));
  } catch (error) {
    if (error instanceof RpcError && (isUnknownMethod(error) || isForbidden(error))) return undefined;
    throw error;
  }
}

/** Whether a provider refuses tracing on the current plan, judged by its message. */
function isForbidden({ words }: RpcError): boolean {
  return /\bnamespace\b|\b(plan|tier|upgrade)\b|\btracer\b.*\bnot\b|\bdebug_\w+ (is|was)\b/i.test(words);
}
