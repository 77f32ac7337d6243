/** Simulates a call against a chain's latest state. */

import { hexToBigInt, numberToHex } from 'viem';
import type * as Wire from '../../core/api/schema/Authorization.js';
import type { Address } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import type * as CallTrace from '../values/CallTrace.js';
import * as nodeRpc from './nodeRpc.js';
import type { Node } from './readMarket.js';

/** A signed EIP-7702 authorization, with the account that is recovered from its signature. */
export type Authorization = Omit<Wire.Authorization, 'r' | 's'> & { r: Hex; s: Hex; authority: Address };

export type Call = {
  from: Address;
  to: Address;
  data: Hex;
  value: bigint;
  /** Applied before the call. */
  authorizations: readonly Authorization[];
};

/** Gas used by the whole transaction, and the gas limit it needs to succeed. */
export type Simulation = { frame: CallTrace.Frame; gas: { used: bigint; limit: bigint } };

/** Gas limit of any transaction. */
export const maxGas = 16_000_000n;

/** Traces the call and determines its gas. */
export async function simulate(node: Node, call: Call): Promise<Simulation> {
  const frame = (await nodeRpc.call(node.rpcUrl, 'debug_traceCall', toRequest(call), 'latest', {
    tracer: 'callTracer',
    tracerConfig: { withLog: true },
  })) as CallTrace.Frame;
  const used = frame.gasUsed ? hexToBigInt(frame.gasUsed) : maxGas;
  return { frame, gas: { used, limit: await limitOf(node, call, used, frame) } };
}

/** Delegates of the accounts on a failing path, keyed by lower-case address. */
export async function readDelegations(
  node: Node,
  call: Call,
  path: readonly CallTrace.Frame[],
): Promise<ReadonlyMap<string, Address>> {
  const accounts = [...new Set(path.flatMap(({ to }) => (to ? [to.toLowerCase()] : [])))];
  const codes = await nodeRpc.callAll(
    node.rpcUrl,
    accounts.map((account) => ['eth_getCode', account, 'latest']),
  );
  const current = accounts.flatMap((account, index) => {
    const code = String(codes[index]);
    return code.startsWith(delegationPrefix) ? [[account, `0x${code.slice(delegationPrefix.length)}`] as const] : [];
  });
  const authorized = call.authorizations.map(({ authority, address }) => [authority.toLowerCase(), address] as const);
  return new Map([...current, ...authorized]);
}

/** Prefix of the code of a delegated account (EIP-7702). */
const delegationPrefix = '0xef0100';

function toRequest({ from, to, data, value, authorizations }: Call) {
  const authorizationList = authorizations.map(({ chainId, address, nonce, yParity, r, s }) => ({
    chainId: numberToHex(chainId),
    address,
    nonce: numberToHex(nonce),
    yParity: numberToHex(yParity),
    r,
    s,
  }));
  const request = { from, to, data, value: numberToHex(value), gas: numberToHex(maxGas) };
  return authorizationList.length > 0 ? { ...request, authorizationList } : request;
}

/** The node's gas estimate plus headroom. */
async function limitOf(node: Node, call: Call, used: bigint, frame: CallTrace.Frame): Promise<bigint> {
  // A failing call is never sent.
  if (frame.error !== undefined) return withHeadroom(used);
  try {
    return withHeadroom(hexToBigInt((await nodeRpc.call(node.rpcUrl, 'eth_estimateGas', toRequest(call))) as Hex));
  } catch (error) {
    if (error instanceof nodeRpc.NodeRpcError) return withHeadroom(used);
    throw error;
  }
}

/** Gas used is too low as a limit: refunds apply afterwards, and a nested call gets at most 63/64 of the gas. */
function withHeadroom(gas: bigint): bigint {
  const limit = (gas * 3n) / 2n + 30_000n;
  return limit < maxGas ? limit : maxGas;
}
