/** Why a contract call failed, from the bytes that it returned. */

import { getAddress } from 'viem/utils';
import * as z from 'zod/mini';
import type { Hex } from '../base/Hex.js';

import * as AbiParameter from './AbiParameter.js';
import * as KnownSignatures from './KnownSignatures.js';
import * as PanicCode from './PanicCode.js';
import type { Signature, Signatures } from './SelectorLookup.js';

export type Revert = {
  /** `halt`: it did not revert but was stopped, such as by the end of its gas. */
  type: 'errorString' | 'panic' | 'customError' | 'unknownCustomError' | 'empty' | 'halt';
  /** The reason in one line: the contract's own words, or a custom error with its arguments. Foreign text. */
  reason: string;
  selector?: Hex | undefined;
  /** A custom error's name. */
  name?: string | undefined;
  args?: readonly Argument[] | undefined;
  /** Where more than one known error reads the bytes: all of them. */
  signatures?: readonly string[] | undefined;
  /** What the error passes on: the revert of a call within, among its arguments. */
  cause?: Revert | undefined;
};

/** An argument or a returned value. The type is missing where only the service names it. */
export type Argument = { name: string; type?: string | undefined; value: AbiParameter.Value };

/** Reads the bytes of a revert, also by signatures beyond those that ferry knows. Never throws. */
export function from(data: Hex, signatures: Signatures = KnownSignatures.signatures()): Revert {
  return read(data.toLowerCase(), signatures, 0);
}

/** A call that was stopped, in the words of the node. */
export function halted(words: string): Revert {
  return { type: 'halt', reason: words };
}

/** A panic by its code. */
export function panicked(code: bigint): Revert {
  const reason = `panic ${PanicCode.code(code)}: ${PanicCode.words(code)}`;
  return { type: 'panic', reason, args: [{ name: 'code', type: 'uint256', value: code.toString() }] };
}

/** The arguments of a decoded call, error or return. */
export function toArguments(
  parameters: readonly AbiParameter.Parameter[],
  values: readonly AbiParameter.Value[],
): readonly Argument[] {
  return parameters.map(({ name, type }, index) => ({ name, type, value: values[index] ?? '' }));
}

/** An error within an error within an error: deeper than that nobody wraps. */
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
    reason: `${signature.name}(${toArguments(signature.inputs, values).map(spelt).join(', ')})`,
    selector,
    name: signature.name,
    args: toArguments(signature.inputs, values),
    ...(cause ? { cause } : {}),
  };
}

type Reading = { signature: Signature; values: readonly AbiParameter.Value[] };

/** Every known error that these bytes can be. */
function readingsOf(data: string, { errors }: Signatures): readonly Reading[] {
  return (errors.get(data.slice(0, 10)) ?? []).flatMap((signature): Reading[] => {
    const values = AbiParameter.read(signature.inputs, data.slice(10));
    return values ? [{ signature, values }] : [];
  });
}

/** The first argument that is itself the bytes of an error. */
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

function spelt({ type, value }: Argument): string {
  if (typeof value === 'object') return JSON.stringify(value);
  return type === 'address' ? getAddress(String(value)) : String(value);
}

/** The same in a document. */
export const schema = z.object({
  type: z.enum(['errorString', 'panic', 'customError', 'unknownCustomError', 'empty', 'halt']),
  /** In one line, as it came. */
  reason: z.string(),
  selector: z.optional(z.string()),
  name: z.optional(z.string()),
  args: z.optional(z.array(argument())),
  /** Where more than one known error reads the bytes: all of them. */
  signatures: z.optional(z.array(z.string())),
  /** The revert of a call within, as it was passed on. */
  get cause(): z.ZodMiniOptional<z.ZodMiniType<unknown>> {
    return z.optional(schema);
  },
});

/** An argument in a document: numbers as strings, a structure as an object. */
export function argument() {
  return z.object({ name: z.string(), type: z.optional(z.string()), value: z.unknown() });
}
