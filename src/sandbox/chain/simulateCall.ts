/** Tries a call on a chain as it is now, without sending it. */

import { hexToBigInt, numberToHex } from 'viem';
import type { Address } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';

import type * as CallTrace from '../values/CallTrace.js';
import type { Authorization } from './authorizations.js';
import * as nodeRpc from './nodeRpc.js';
import type { Node } from './readMarket.js';

export type Call = {
  from: Address;
  to: Address;
  data: Hex;
  value: bigint;
  /** Take effect before the call. */
  authorizations: readonly Authorization[];
  /** Accounts that the node shall take to be delegated already, with the code they are delegated to. */
  delegations?: ReadonlyMap<Address, Address> | undefined;
};

/** `gas` in units: what the whole transaction uses, and what it must be given to get through. */
export type Simulation = { frame: CallTrace.Frame; gas: { used: bigint; limit: bigint } };

/** What a transaction may use at most. */
export const mostGas = 16_000_000n;

/** The call's trace and its gas. */
export async function simulate(node: Node, call: Call): Promise<Simulation> {
  const overrides = [...(call.delegations ?? [])].map(([account, code]) => [account, { code: delegationOf(code) }]);
  const frame = (await nodeRpc.call(node.rpcUrl, 'debug_traceCall', toRequest(call), 'latest', {
    tracer: 'callTracer',
    tracerConfig: { withLog: true },
    ...(overrides.length > 0 && { stateOverrides: Object.fromEntries(overrides) }),
  })) as CallTrace.Frame;
  const used = frame.gasUsed ? hexToBigInt(frame.gasUsed) : mostGas;
  return { frame, gas: { used, limit: await limitOf(node, call, used, frame) } };
}

/** What the accounts on a path are delegated to, by their addresses in lower case. */
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
  const standing = accounts.flatMap((account, index) => {
    const code = String(codes[index]);
    return code.startsWith(prefix) ? [[account, `0x${code.slice(prefix.length)}`] as const] : [];
  });
  const coming = call.authorizations.map(({ authority, address }) => [authority.toLowerCase(), address] as const);
  const assumed = [...(call.delegations ?? [])].map(([account, code]) => [account.toLowerCase(), code] as const);
  return new Map([...standing, ...coming, ...assumed]);
}

/** The code of an account that is delegated begins with these bytes (EIP-7702). */
const prefix = '0xef0100';

function delegationOf(code: Address): Hex {
  return `${prefix}${code.slice(2).toLowerCase()}` as Hex;
}

function toRequest({ from, to, data, value, authorizations }: Call) {
  const authorizationList = authorizations.map(({ chainId, address, nonce, yParity, r, s }) => ({
    chainId: numberToHex(chainId),
    address,
    nonce: numberToHex(nonce),
    yParity: numberToHex(yParity),
    r,
    s,
  }));
  const request = { from, to, data, value: numberToHex(value), gas: numberToHex(mostGas) };
  return authorizationList.length > 0 ? { ...request, authorizationList } : request;
}

/** The node's own estimate with some room to spare. */
async function limitOf(node: Node, call: Call, used: bigint, frame: CallTrace.Frame): Promise<bigint> {
  // A call that fails is not sent, and with assumptions about the state the node does not estimate.
  if (frame.error !== undefined || call.delegations) return withRoom(used);
  try {
    return withRoom(hexToBigInt((await nodeRpc.call(node.rpcUrl, 'eth_estimateGas', toRequest(call))) as Hex));
  } catch (error) {
    if (error instanceof nodeRpc.NodeRpcError) return withRoom(used);
    throw error;
  }
}

/** Refunds come after the fact and inner calls leave a part of the gas behind, so what was used is not enough. */
function withRoom(gas: bigint): bigint {
  const limit = (gas * 3n) / 2n + 30_000n;
  return limit < mostGas ? limit : mostGas;
}
