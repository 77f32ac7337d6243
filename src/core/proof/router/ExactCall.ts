/** Calldata that is the encoding of a call and nothing else. */

import type { Abi, DecodeFunctionDataReturnType } from 'viem';
import { decodeFunctionData, encodeFunctionData } from 'viem/utils';
import type { Hex } from '../../base/Hex.js';

/** Decodes a call. Undefined for a function outside `abi`, and for bytes that differ from the arguments' encoding. */
export function decode<const A extends Abi>(abi: A, data: Hex): DecodeFunctionDataReturnType<A> | undefined {
  try {
    const decoded = decodeFunctionData({ abi, data });
    return encodeFunctionData({ abi, ...decoded } as never) === data.toLowerCase() ? decoded : undefined;
  } catch {
    return undefined;
  }
}
