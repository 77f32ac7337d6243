/** A frame with names and decoded arguments, return values and revert. */

import type { Hex } from '../base/Hex.js';
import * as AbiParameter from './AbiParameter.js';
import { isPrecompile, type Names } from './ContractLabels.js';
import type { Frame } from './Frame.js';
import * as Revert from './Revert.js';
import type { Signature, Signatures } from './SelectorLookup.js';

export type Key = { signatures: Signatures; names: Names };

export type Decoded = Frame & {
  args: readonly Revert.Argument[] | undefined;
  /** The returned values, if it succeeded. */
  returned: readonly Revert.Argument[] | undefined;
  /** All matching signatures, if more than one known function decodes the bytes; then `function` is undefined. */
  signatures: readonly string[] | undefined;
  failed: boolean;
  revert: Revert.Revert | undefined;
  /** Whether it is on the failing path; set once all frames are decoded. */
  onPath: boolean;
};

/** Decodes a frame. Values that cannot be decoded are kept as received. */
export function from(frame: Frame, { signatures, names }: Key): Decoded {
  const { to, input, output, error } = frame;
  const failed = error !== undefined;
  const call = hasFunction(frame) ? read(frame, signatures) : undefined;
  const result = failed ? undefined : call?.signature?.outputs;
  const returned = result?.length && output ? AbiParameter.read(result, output.slice(2)) : undefined;
  // Field by field: for a hundred thousand frames, spreading would dominate the time.
  return {
    depth: frame.depth,
    type: frame.type,
    from: frame.from,
    to,
    contract: (to === undefined ? undefined : names.get(to)) ?? frame.contract,
    function: call?.signature?.name ?? (call?.signatures ? undefined : frame.function),
    selector: call?.selector,
    value: frame.value,
    gas: frame.gas,
    gasUsed: frame.gasUsed,
    input,
    output,
    error,
    revertReason: frame.revertReason,
    args: call?.signature && call.values && Revert.toArguments(call.signature.inputs, call.values),
    returned: result && returned && Revert.toArguments(result, returned),
    signatures: call?.signatures,
    failed,
    revert: failed ? revertOf(frame, signatures) : undefined,
    onPath: false,
  };
}

function hasFunction({ type, to, input, selector }: Frame): boolean {
  if (type.startsWith('CREATE') || (to !== undefined && isPrecompile(to))) return false;
  return selector !== undefined || (input !== undefined && input.length >= 10);
}

type Call = {
  selector: string;
  signature?: Signature | undefined;
  /** Undefined if the bytes do not match the signature. */
  values?: readonly AbiParameter.Value[] | undefined;
  signatures?: readonly string[] | undefined;
};

function read({ selector = '', input }: Frame, { functions }: Signatures): Call {
  const four = input === undefined ? selector : input.slice(0, 10);
  const known = functions.get(four);
  if (!known) return { selector: four };
  const digits = input?.slice(10);
  const readings: Omit<Call, 'selector'>[] = [];
  for (const signature of known) {
    const values = digits === undefined ? undefined : AbiParameter.read(signature.inputs, digits);
    if (values || digits === undefined) readings.push({ signature, values });
  }
  // Bytes that match no signature are still attributed to the only known one.
  const fitting = readings.length > 0 ? readings : known.map((signature) => ({ signature, values: undefined }));
  if (fitting.length > 1)
    return { selector: four, signatures: fitting.flatMap(({ signature }) => signature?.text ?? []) };
  return { selector: four, signature: fitting[0]?.signature, values: fitting[0]?.values };
}

function revertOf({ error = '', output = '0x', revertReason }: Frame, signatures: Signatures): Revert.Revert {
  if (output === '0x' && !/revert/i.test(error)) return { type: 'halt', reason: error };
  const revert = Revert.from(output as Hex, signatures);
  if (revert.type !== 'empty' || revertReason === undefined) return revert;
  return { type: 'errorString', reason: revertReason };
}
