/** The contract functions that a plan may call, decoded from calldata. */

import type { Abi, AbiFunction, DecodeFunctionDataReturnType } from 'viem';
import { decodeFunctionData, encodeFunctionData, parseAbi, toFunctionSelector } from 'viem/utils';
import type { Address } from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import * as AbiParameter from '../trace/AbiParameter.js';

const routerAbi = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function multicall(Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable',
  'function transferAndMulticall(address[] tokens, uint256[] amounts, Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable',
]);

const abi = [
  ...parseAbi([
    'function approve(address spender, uint256 amount)',
    'function transfer(address to, uint256 amount)',
    'function depositNative(address depositor, bytes32 id) payable',
    'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
    'function deposit() payable',
    'function withdraw(uint256 amount)',
  ]),
  ...routerAbi,
] as const;

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
  const bytes = data.toLowerCase() as Hex;
  const decoded = exact(abi, bytes);
  if (decoded) return called(decoded, undefined);
  const followed = exact(routerAbi, bytes.slice(0, -64) as Hex);
  return followed && called(followed, `0x${bytes.slice(-64)}`);
}

/** Decodes a call. Undefined for a function outside `abi`, and for bytes that differ from the arguments' encoding. */
export function exact<const A extends Abi>(abi: A, data: Hex): DecodeFunctionDataReturnType<A> | undefined {
  const bytes = data.toLowerCase() as Hex;
  const known = functionsOf(abi).get(bytes.slice(0, 10));
  if (!known || !isBounded(known, bytes)) return undefined;
  try {
    const own = { abi: [known.item] };
    const decoded = decodeFunctionData({ ...own, data: bytes });
    const isExact = encodeFunctionData({ ...own, ...decoded } as never) === bytes;
    return isExact ? (decoded as DecodeFunctionDataReturnType<A>) : undefined;
  } catch {
    return undefined;
  }
}

type Known = { item: AbiFunction; parameters: readonly AbiParameter.Parameter[] };

/**
 * Whether the arguments are no longer than the bytes. Offsets that all lead to the same place make a short calldata one
 * that viem decodes for hours, while nothing else happens: no time limit ends it, and no Ctrl-C.
 */
function isBounded({ parameters }: Known, data: Hex): boolean {
  return AbiParameter.read(parameters, data.slice(10)) !== undefined;
}

const found = new WeakMap<Abi, ReadonlyMap<string, Known>>();

/** The functions by their selectors, which take long to compute. */
function functionsOf(abi: Abi): ReadonlyMap<string, Known> {
  const functions = found.get(abi) ?? new Map(abi.flatMap((item) => (item.type === 'function' ? [entryOf(item)] : [])));
  found.set(abi, functions);
  return functions;
}

function entryOf(item: AbiFunction): readonly [string, Known] {
  return [
    toFunctionSelector(item),
    { item, parameters: item.inputs.flatMap((input) => AbiParameter.from(input) ?? []) },
  ];
}

/** A call with its arguments by name. */
function called({ functionName, args = [] }: DecodeFunctionDataReturnType<typeof abi>, suffix: Hex | undefined): Call {
  const { inputs } = abi.find(({ name }) => name === functionName) ?? { inputs: [] };
  const named = Object.fromEntries(inputs.map(({ name }, index) => [name, args[index]]));
  const isRouters = functionName === 'multicall' || functionName === 'transferAndMulticall';
  return { function: renamed[functionName] ?? functionName, ...named, ...(isRouters && { suffix }) } as Call;
}

/** The functions of a wrapped native token, by what they do. */
const renamed: Readonly<Record<string, string>> = { deposit: 'wrap', withdraw: 'unwrap' };
