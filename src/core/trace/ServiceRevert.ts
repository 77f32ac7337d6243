/** Converts the service's description of a revert. */

import type * as SimulationFailure from '../api/schema/SimulationFailure.js';
import type { Hex } from '../base/Hex.js';

import * as Revert from './Revert.js';
import type { Signatures } from './SelectorLookup.js';

/** Reads the service's `revert`. The user's signatures decode errors that the service does not know. */
export function from(
  { type, message, selector, name, args, rawArgsHex }: SimulationFailure.Revert,
  /** The revert reason of the innermost frame. */
  revertReason: string | undefined,
  signatures: Signatures,
): Revert.Revert {
  const four = isHexadecimal(selector) ? { selector: selector.toLowerCase() as Hex } : {};
  switch (type) {
    case 'errorString':
      return { type, reason: revertReason ?? message, ...four };
    case 'panic':
      return panic(args?.code, message, four);
    case 'empty':
      return { type, reason: 'no reason given' };
    case 'customError':
    case 'unknownCustomError': {
      const data = isHexadecimal(selector) && isHexadecimal(rawArgsHex) ? `${selector}${rawArgsHex.slice(2)}` : '0x';
      const decoded = Revert.from(data as Hex, signatures);
      if (decoded.type !== 'empty' && decoded.type !== 'unknownCustomError') return decoded;
      if (name === undefined) return { type: 'unknownCustomError', reason: message, ...four };
      return custom(name, args ?? {}, four, signatures);
    }
  }
}

function custom(
  name: string,
  given: Readonly<Record<string, string>>,
  four: { selector?: Hex },
  signatures: Signatures,
): Revert.Revert {
  const known = signatures.errors.get(four.selector ?? '')?.find((each) => each.name === name);
  const args = Object.entries(given).map(([key, value]): Revert.Argument => {
    const type = known?.inputs.find((input) => input.name === key)?.type;
    return { name: key, value, ...(type === undefined ? {} : { type }) };
  });
  const cause = args
    .map(({ value }) => (isHexadecimal(value) ? Revert.from(value, signatures) : undefined))
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

function panic(code: string | undefined, message: string, four: { selector?: Hex }): Revert.Revert {
  if (code === undefined || !/^(\d{1,20}|0x[0-9a-fA-F]{1,64})$/.test(code))
    return { type: 'panic', reason: message, ...four };
  return { ...Revert.panicked(BigInt(code)), ...four };
}

function isHexadecimal(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value);
}
