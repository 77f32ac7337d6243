/**
 * The least that reading a trace can be, by viem: the answer parsed, and the input of each call decoded with the function
 * that it calls. What ferry's trace is measured against.
 */
import { decodeFunctionData, parseAbi, toFunctionSelector } from 'viem';

type Call = { input: `0x${string}`; calls?: Call[] };

const functions = parseAbi([
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function forward(address to, bytes data) payable returns (bytes returnData)',
  'function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts)',
]);
/** An ABI for each function: viem looks through all of it for every call. */
const abiOf = new Map(functions.map((each) => [toFunctionSelector(each), [each]]));

/** Parses a trace and decodes its calls; how many there were, and how many were decoded. */
export function decode(text: string): { calls: number; decoded: number } {
  let [calls, decoded] = [0, 0];
  const stack: Call[] = [JSON.parse(text).result];
  for (let call = stack.pop(); call; call = stack.pop()) {
    calls++;
    const abi = abiOf.get(call.input.slice(0, 10) as `0x${string}`);
    if (abi && decodeFunctionData({ abi, data: call.input }).args) decoded++;
    for (const inner of call.calls ?? []) stack.push(inner);
  }
  return { calls, decoded };
}
