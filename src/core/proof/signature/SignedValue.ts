/** Single values of typed data, read strictly: what comes out is what is hashed, and compares with `===`. */

import * as z from 'zod/mini';
import * as Primitives from '../../api/schema/Primitives.js';
import type { Address } from '../../base/Address.js';
import type { Hex } from '../../base/Hex.js';

/** Digits or a whole number, below 2^256. */
export const uint256 = z
  .pipe(
    z.union([z.string().check(z.regex(/^[0-9]{1,78}$/)), Primitives.count]),
    z.transform((value) => BigInt(value)),
  )
  .check(z.refine((value) => value < 2n ** 256n));

/** In lower case, whatever case it came in. */
export const address = z.pipe(
  Primitives.address,
  z.transform((text): Address => lower(text)),
);

/** In lower case. */
export const bytes32 = z.pipe(Primitives.bytes32, z.transform(lower));

/** Any number of bytes, in lower case. */
export const bytes = z.pipe(Primitives.bytes, z.transform(lower));

function lower(text: Hex): Hex {
  return text.toLowerCase() as Hex;
}
