/** The contract functions that a plan may call, decoded from calldata. */

import { decodeAbiParameters, encodeAbiParameters, parseAbi, toFunctionSelector } from 'viem/utils';
import type { Address } from '../base/Address.js';
import type { Hex } from '../base/Hex.js';

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function depositNative(address depositor, bytes32 id) payable',
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
  'function deposit() payable',
  'function withdraw(uint256 amount)',
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function multicall(Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable',
  'function transferAndMulticall(address[] tokens, uint256[] amounts, Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable',
]);

/** A decoded call to a known function, with its arguments by their names in `abi`; amounts are in base units. */
export type Call =
  | { function: 'approve'; spender: Address; amount: bigint }
  | { function: 'transfer'; to: Address; amount: bigint }
  | { function: 'depositNative'; depositor: Address; id: Hex }
  | { function: 'depositErc20'; depositor: Address; token: Address; amount: bigint; id: Hex }
  | { function: 'wrap' }
  | { function: 'unwrap'; amount: bigint }
  | ({ function: 'multicall' } & Multicall)
  | ({ function: 'transferAndMulticall'; tokens: readonly Address[]; amounts: readonly bigint[] } & Multicall);

/** A call that the router makes; `value` is in wei. */
export type RouterCall = { target: Address; allowFailure: boolean; value: bigint; callData: Hex };

/** What a call of the router and one of the approval proxy share. */
export type Multicall = {
  calls: readonly RouterCall[];
  /** Receives what is left of the native asset. */
  refundTo: Address;
  nftRecipient: Address;
  /** Bytes for the contracts' events. */
  metadata: Hex;
  /** The 32 bytes after the arguments, which the contracts ignore; undefined if there are none. */
  suffix: Hex | undefined;
};

/**
 * Decodes calldata. Undefined for an unknown function, and for non-canonical calldata: bytes that differ from the
 * re-encoding of the decoded arguments. Only after the arguments of the router's functions may 32 bytes follow.
 */
export function decode(data: Hex): Call | undefined {
  try {
    const bytes = data.toLowerCase() as Hex;
    const selector = bytes.slice(0, 10);
    const known = functionOf(selector);
    if (!known) return undefined;
    const args = decodeAbiParameters(known.inputs, `0x${bytes.slice(10)}`);
    const canonical = `${selector}${encodeAbiParameters(known.inputs, args).slice(2)}`;
    const rest = bytes.startsWith(canonical) ? bytes.slice(canonical.length) : undefined;
    const isRouters = known.name === 'multicall' || known.name === 'transferAndMulticall';
    if (rest !== '' && !(isRouters && rest?.length === 64)) return undefined;
    const suffix = rest === '' ? undefined : `0x${rest}`;
    const named = Object.fromEntries(known.inputs.map(({ name }, index) => [name, args[index]]));
    return { function: renamed[known.name] ?? known.name, ...named, ...(isRouters && { suffix }) } as Call;
  } catch {
    return undefined;
  }
}

/** The functions of a wrapped native token, by what they do. */
const renamed: Readonly<Record<string, string>> = { deposit: 'wrap', withdraw: 'unwrap' };

type KnownFunction = Extract<(typeof abi)[number], { type: 'function' }>;

let bySelector: ReadonlyMap<string, KnownFunction> | undefined;

/** The selectors are cached: hashing every signature would dominate the cost of decoding one call. */
function functionOf(selector: string): KnownFunction | undefined {
  bySelector ??= new Map(abi.map((each) => [toFunctionSelector(each), each]));
  return bySelector.get(selector);
}
