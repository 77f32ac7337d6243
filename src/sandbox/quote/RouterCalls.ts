/** Takes a call of the router, or of the approval proxy, apart and puts it together again. */
import type { Hex } from 'viem';
import { decodeFunctionData, encodeFunctionData } from 'viem/utils';
import type { Address } from '../../core/base/Address.js';
import type { RouterCall } from '../pricing/Calldata.js';
import * as abi from '../values/abi.js';
import { deployments } from '../values/deployment.js';

/** The parts of a call that a liar may change. */
export type Multicall = {
  calls: readonly RouterCall[];
  refundTo: Address;
  metadata: Hex;
  /** The bytes after the arguments. */
  suffix: Hex;
};

/** The terms of a swap by the aggregator that a liar may change. */
export type SwapTerms = {
  srcReceivers: readonly Address[];
  srcAmounts: readonly bigint[];
  dstReceiver: Address;
  minReturnAmount: bigint;
};

/** The calldata with a change; undefined if it is no such call. */
export function changed(data: Hex, change: (parts: Multicall) => Multicall): Hex | undefined {
  const parsed = parse(data);
  if (!parsed) return undefined;
  const bare = parsed.encode(parsed);
  const suffix: Hex = `0x${data.slice(bare.length)}`;
  const after = change({ ...parsed, suffix });
  return `${parsed.encode(after)}${after.suffix.slice(2)}`;
}

/** The calls with a change of each swap by the aggregator. */
export function withSwap(calls: readonly RouterCall[], change: (terms: SwapTerms) => SwapTerms): RouterCall[] {
  return calls.map((call) => {
    const execution = swapIn(call.callData);
    if (!execution) return call;
    const desc = { ...execution.desc, ...change(execution.desc) };
    const args = [{ ...execution, desc }] as const;
    return { ...call, callData: encodeFunctionData({ abi: abi.aggregationRouter, functionName: 'swap', args }) };
  });
}

/** The calls with each swap of tokens by the aggregator made by the cheat, which the aggregator's allowance goes to. */
export function byCheat(calls: readonly RouterCall[]): RouterCall[] {
  const { aggregator, cheat } = deployments.alpha;
  const approved = aggregator.slice(2).toLowerCase();
  if (!calls.some(({ callData }) => callData.includes(approved))) return [...calls];
  return calls.map((call) => {
    const execution = swapIn(call.callData);
    if (!execution) return { ...call, callData: call.callData.replaceAll(approved, cheat.slice(2)) as Hex };
    const { srcToken, amount } = execution.desc;
    const args = [srcToken, amount, aggregator, call.callData] as const;
    const callData = encodeFunctionData({ abi: abi.cheat, functionName: 'trade', args });
    return { ...call, target: cheat, callData };
  });
}

function swapIn(data: Hex) {
  try {
    return decodeFunctionData({ abi: abi.aggregationRouter, data }).args[0];
  } catch {
    return undefined;
  }
}

type Parsed = Omit<Multicall, 'suffix'> & { encode(parts: Omit<Multicall, 'suffix'>): Hex };

function parse(data: Hex): Parsed | undefined {
  try {
    return ofRouter(data);
  } catch {
    try {
      return ofProxy(data);
    } catch {
      return undefined;
    }
  }
}

function ofRouter(data: Hex): Parsed | undefined {
  const { functionName, args } = decodeFunctionData({ abi: abi.router, data });
  if (functionName !== 'multicall') return undefined;
  const [calls, refundTo, nftRecipient, metadata] = args;
  return {
    calls,
    refundTo,
    metadata,
    encode: (parts) =>
      encodeFunctionData({
        abi: abi.router,
        functionName,
        args: [parts.calls, parts.refundTo, nftRecipient, parts.metadata],
      }),
  };
}

function ofProxy(data: Hex): Parsed | undefined {
  const { functionName, args } = decodeFunctionData({ abi: abi.approvalProxy, data });
  if (functionName !== 'transferAndMulticall') return undefined;
  const [tokens, amounts, calls, refundTo, nftRecipient, metadata] = args;
  return {
    calls,
    refundTo,
    metadata,
    encode: (parts) =>
      encodeFunctionData({
        abi: abi.approvalProxy,
        functionName,
        args: [tokens, amounts, parts.calls, parts.refundTo, nftRecipient, parts.metadata],
      }),
  };
}
