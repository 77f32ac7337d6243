/** Decodes revert data into the five forms of `POST /execute`, each with its label. */
import type { Abi, Hex } from 'viem';
import { decodeErrorResult, parseAbi, slice } from 'viem/utils';
import type * as SimulationFailure from '../../core/api/schema/SimulationFailure.js';
import * as abi from '../values/abi.js';

export type Revert = SimulationFailure.Details['revert'];

/** A failed frame: its return data, and the node's error if there is none. */
export type Failure = { output?: Hex | undefined; error?: string | undefined };

/** Decodes the revert of a failed call. `own` takes precedence over the other ABIs of the sandbox. */
export function from({ output = '0x', error }: Failure, own: Abi = []): Revert {
  if (output.length < 10) return emptyRevert(error);
  const selector = slice(output, 0, 4);
  const decoded = decode(output, [...own, ...combined, ...libraries]);
  if (decoded === undefined) return unknown(selector, output);
  const { name, args } = decoded;
  if (name === 'Error') return errorString(selector, String(args.at(0)?.[1] ?? ''));
  if (name === 'Panic') return panic(selector, BigInt(args.at(0)?.[1] ?? 0));
  return {
    type: 'customError',
    label: label(name),
    message: sentence(name),
    selector,
    name,
    ...(args.length > 0 && { args: Object.fromEntries(args) }),
  };
}

/**
 * Turns a name or sentence into a label.
 *
 * @example label('DelegationRedeemFailed') // 'DELEGATION_REDEEM_FAILED'
 */
function label(text: string): string {
  return words(text).join('_').toUpperCase().slice(0, maxLabelLength).replace(/_+$/, '');
}

/** Error strings can be arbitrarily long. */
const maxLabelLength = 80;

/** The ABIs of all sandbox contracts combined, for errors that bubble up from nested calls. */
const combined = Object.values(abi).flat() as Abi;

/** Errors of the libraries that the contracts use. */
const libraries: Abi = parseAbi([
  'error SafeERC20FailedOperation(address token)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InvalidApprover(address approver)',
  'error ERC20InvalidSpender(address spender)',
]);

const panics: Readonly<Record<string, string>> = {
  '1': 'Assertion failed',
  '17': 'Arithmetic overflow or underflow',
  '18': 'Division or modulo by zero',
  '33': 'Conversion to an enum value that does not exist',
  '34': 'Access to storage bytes that are encoded wrongly',
  '49': 'Pop of an empty array',
  '50': 'Array index out of bounds',
  '65': 'Allocation of too much memory',
  '81': 'Call of an uninitialised function',
};

function panic(selector: Hex, code: bigint): Revert {
  return {
    type: 'panic',
    label: `PANIC_0X${code.toString(16).padStart(2, '0').toUpperCase()}`,
    message: panics[code.toString()] ?? `Panic of code ${code}`,
    selector,
    args: { code: code.toString() },
  };
}

function errorString(selector: Hex, reason: string): Revert {
  return { type: 'errorString', label: label(reason) || 'ERROR', message: reason, selector };
}

function unknown(selector: Hex, output: Hex): Revert {
  return {
    type: 'unknownCustomError',
    label: `UNKNOWN_CUSTOM_ERROR_${selector}`,
    message: 'Reverted with an unknown custom error',
    selector,
    rawArgsHex: `0x${output.slice(10)}`,
  };
}

/** No return data: a bare revert, or an abort by the node, such as out of gas. */
function emptyRevert(error: string | undefined): Revert {
  const isBare = error === undefined || /revert/i.test(error);
  if (isBare) return { type: 'empty', label: 'EMPTY_REVERT', message: 'Reverted without a reason' };
  return { type: 'empty', label: label(error), message: `${error.charAt(0).toUpperCase()}${error.slice(1)}` };
}

type Decoded = { name: string; args: readonly (readonly [name: string, value: string])[] };

function decode(output: Hex, interface_: Abi): Decoded | undefined {
  try {
    const { errorName, args = [], abiItem } = decodeErrorResult({ abi: interface_, data: output });
    const inputs = 'inputs' in abiItem ? abiItem.inputs : [];
    const named = (args as readonly unknown[]).map((value, index) => {
      return [inputs[index]?.name || String(index), text(value)] as const;
    });
    return { name: errorName, args: named };
  } catch {
    return undefined;
  }
}

function text(value: unknown): string {
  if (typeof value === 'object')
    return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part));
  return String(value);
}

/** `DelegationRedeemFailed` → `Delegation redeem failed`. */
function sentence(name: string): string {
  const [first = '', ...rest] = words(name);
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest.map(lowerCased)].join(' ');
}

/** Keeps acronyms in upper case. */
function lowerCased(word: string): string {
  return /^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase();
}

function words(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
}
