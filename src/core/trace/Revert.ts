/** Decodes the revert data of a failed call, or reads what the service says of it. */

import { getAddress } from 'viem/utils';
import * as z from 'zod/mini';
import type * as SimulationFailure from '../api/schema/SimulationFailure.js';
import type { Hex } from '../base/Hex.js';

import * as AbiParameter from './AbiParameter.js';
import * as KnownSignatures from './KnownSignatures.js';
import type { Signature, Signatures } from './SelectorLookup.js';

export type Revert = {
  /** `halt`: the EVM stopped it without a revert, for example because it ran out of gas. */
  type: 'errorString' | 'panic' | 'customError' | 'unknownCustomError' | 'empty' | 'halt';
  /** The reason in one line: the contract's message, or a custom error with its arguments. Untrusted text. */
  reason: string;
  selector?: Hex | undefined;
  /** The name of a custom error. */
  name?: string | undefined;
  args?: readonly Argument[] | undefined;
  /** All matching signatures, if more than one known error decodes the bytes. */
  signatures?: readonly string[] | undefined;
  /** The revert of an inner call that the error wraps in one of its arguments. */
  cause?: Revert | undefined;
};

/** An argument or a return value. The type is undefined if only the service reports it. */
export type Argument = { name: string; type?: string | undefined; value: AbiParameter.Value };

/** Decodes revert data with the given signatures, by default those that ship with ferry. Never throws. */
export function from(data: Hex, signatures: Signatures = KnownSignatures.signatures()): Revert {
  return read(data.toLowerCase(), signatures, 0);
}

function panicked(code: bigint): Revert {
  const reason = `panic ${panicCode(code)}: ${panicWords(code)}`;
  return { type: 'panic', reason, args: [{ name: 'code', type: 'uint256', value: code.toString() }] };
}

export function toArguments(
  parameters: readonly AbiParameter.Parameter[],
  values: readonly AbiParameter.Value[],
): readonly Argument[] {
  return parameters.map(({ name, type }, index) => ({ name, type, value: values[index] ?? '' }));
}

/** The maximum depth of wrapped errors, more than any real contract uses. */
const maxCauses = 8;

function read(data: string, signatures: Signatures, depth: number): Revert {
  if (!/^0x[0-9a-f]+$/.test(data)) return { type: 'empty', reason: 'no reason given' };
  const selector = data.slice(0, 10) as Hex;
  const readings = readingsOf(data, signatures);
  const [first] = readings;
  if (!first) return { type: 'unknownCustomError', reason: `custom error ${selector}`, selector };
  const { signature, values } = first;
  if (signature.text === 'Error(string)') return { type: 'errorString', reason: String(values[0]), selector };
  if (signature.text === 'Panic(uint256)') {
    return { ...panicked(BigInt(String(values[0]))), selector };
  }
  if (readings.length > 1) {
    const texts = readings.map((each) => each.signature.text);
    return { type: 'customError', reason: texts.join(' or '), selector, signatures: texts };
  }
  const cause = depth < maxCauses ? causeOf(signature, values, signatures, depth) : undefined;
  return {
    type: 'customError',
    reason: `${signature.name}(${toArguments(signature.inputs, values).map(formatArgument).join(', ')})`,
    selector,
    name: signature.name,
    args: toArguments(signature.inputs, values),
    ...(cause ? { cause } : {}),
  };
}

type Reading = { signature: Signature; values: readonly AbiParameter.Value[] };

/** Every known error that decodes these bytes. */
function readingsOf(data: string, { errors }: Signatures): readonly Reading[] {
  return (errors.get(data.slice(0, 10)) ?? []).flatMap((signature): Reading[] => {
    const values = AbiParameter.read(signature.inputs, data.slice(10));
    return values ? [{ signature, values }] : [];
  });
}

/** The revert encoded in the first argument that contains one. */
function causeOf(
  { inputs }: Signature,
  values: readonly AbiParameter.Value[],
  signatures: Signatures,
  depth: number,
): Revert | undefined {
  for (const [index, { type }] of inputs.entries()) {
    const value = values[index];
    if (type !== 'bytes' || typeof value !== 'string' || readingsOf(value, signatures).length === 0) continue;
    return read(value, signatures, depth + 1);
  }
  return undefined;
}

function formatArgument({ type, value }: Argument): string {
  if (typeof value === 'object') return JSON.stringify(value);
  return type === 'address' ? getAddress(String(value)) : String(value);
}

/** Reads the service's `revert`. The user's signatures decode errors that the service does not know. */
export function fromService(
  { type, message, selector, name, args, rawArgsHex }: SimulationFailure.Revert,
  /** The revert reason of the innermost frame. */
  revertReason: string | undefined,
  signatures: Signatures,
): Revert {
  const four = isHexadecimal(selector) ? { selector: selector.toLowerCase() as Hex } : {};
  switch (type) {
    case 'errorString':
      return { type, reason: revertReason ?? message, ...four };
    case 'panic':
      return claimedPanic(args?.code, message, four);
    case 'empty':
      return { type, reason: 'no reason given' };
    case 'customError':
    case 'unknownCustomError': {
      const data = isHexadecimal(selector) && isHexadecimal(rawArgsHex) ? `${selector}${rawArgsHex.slice(2)}` : '0x';
      const decoded = from(data as Hex, signatures);
      if (decoded.type !== 'empty' && decoded.type !== 'unknownCustomError') return decoded;
      if (name === undefined) return { type: 'unknownCustomError', reason: message, ...four };
      return customError(name, args ?? {}, four, signatures);
    }
  }
}

function customError(
  name: string,
  given: Readonly<Record<string, string>>,
  four: { selector?: Hex },
  signatures: Signatures,
): Revert {
  const known = signatures.errors.get(four.selector ?? '')?.find((each) => each.name === name);
  const args = Object.entries(given).map(([key, value]): Argument => {
    const type = known?.inputs.find((input) => input.name === key)?.type;
    return { name: key, value, ...(type === undefined ? {} : { type }) };
  });
  const cause = args
    .map(({ value }) => (isHexadecimal(value) ? from(value, signatures) : undefined))
    .find((each) => each && !['empty', 'unknownCustomError'].includes(each.type));
  return {
    type: 'customError',
    reason: `${name}(${args.map(({ value }) => String(value)).join(', ')})`,
    ...four,
    name,
    args,
    ...(cause ? { cause } : {}),
  };
}

function claimedPanic(code: string | undefined, message: string, four: { selector?: Hex }): Revert {
  if (code === undefined || !/^(\d{1,20}|0x[0-9a-fA-F]{1,64})$/.test(code))
    return { type: 'panic', reason: message, ...four };
  return { ...panicked(BigInt(code)), ...four };
}

function isHexadecimal(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value);
}

/** Describes a panic code. @example panicWords(17n) // 'an arithmetic overflow or underflow' */
export function panicWords(number: bigint): string {
  return panics[number.toString()] ?? 'unknown';
}

/** Formats a panic code as hexadecimal. @example panicCode(1n) // '0x01' */
export function panicCode(number: bigint): string {
  return `0x${number.toString(16).padStart(2, '0')}`;
}

/** The failures of checks that the compiler of Solidity inserts. */
const panics: Readonly<Record<string, string>> = {
  '0': 'a generic compiler panic',
  '1': 'an assertion failed',
  '17': 'an arithmetic overflow or underflow',
  '18': 'a division by zero',
  '33': 'an invalid enum value',
  '34': 'a corrupt storage byte array',
  '49': 'a pop from an empty array',
  '50': 'an array index out of bounds',
  '65': 'an excessive memory allocation',
  '81': 'a call to an uninitialized function',
};

export const schema = z.object({
  type: z.enum(['errorString', 'panic', 'customError', 'unknownCustomError', 'empty', 'halt']),
  /** In one line, verbatim. */
  reason: z.string(),
  selector: z.optional(z.string()),
  name: z.optional(z.string()),
  args: z.optional(z.array(argument())),
  signatures: z.optional(z.array(z.string())),
  /** The revert of an inner call that the error wraps. */
  get cause(): z.ZodMiniOptional<z.ZodMiniType<unknown>> {
    return z.optional(schema);
  },
});

/** An argument in a document: numbers as strings, structs as objects. */
export function argument() {
  return z.object({ name: z.string(), type: z.optional(z.string()), value: z.unknown() });
}
