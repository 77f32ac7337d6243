/** Schemas for the values of typed data. The parsed value is what gets hashed, and can be compared with `===`. */

import * as z from 'zod/mini';
import * as Primitives from '../../api/schema/Primitives.js';
import type { Address } from '../../base/Address.js';
import type { Hex } from '../../base/Hex.js';

/** Decimal digits or an integer, below 2^256. */
export const uint256 = z
  .pipe(
    z.union([z.string().check(z.regex(/^[0-9]{1,78}$/)), Primitives.count]),
    z.transform((value) => BigInt(value)),
  )
  .check(z.refine((value) => value < 2n ** 256n));

/** Normalized to lower case. */
export const address = z.pipe(
  Primitives.address,
  z.transform((text): Address => lower(text)),
);

/** 32 bytes, normalized to lower case. */
export const bytes32 = z.pipe(Primitives.bytes32, z.transform(lower));

/** Any number of bytes, normalized to lower case. */
export const bytes = z.pipe(Primitives.bytes, z.transform(lower));

function lower(text: Hex): Hex {
  return text.toLowerCase() as Hex;
}
