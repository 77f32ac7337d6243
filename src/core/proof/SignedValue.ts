/** Single values of typed data, read strictly: what comes out is what is hashed, and compares with `===`. */
import * as z from 'zod/mini';
import type { Address } from '../Address.js';
import * as Wire from '../contract/Wire.js';

/** Digits or a whole number, below 2^256. */
export const uint256 = z
  .pipe(
    z.union([z.string().check(z.regex(/^[0-9]{1,78}$/)), Wire.count]),
    z.transform((value) => BigInt(value)),
  )
  .check(z.refine((value) => value < 2n ** 256n));

/** In lower case, whatever case it came in. */
export const address = z.pipe(
  Wire.address,
  z.transform((text): Address => lower(text)),
);

/** In lower case. */
export const bytes32 = z.pipe(Wire.bytes32, z.transform(lower));

/** Any number of bytes, in lower case. */
export const bytes = z.pipe(Wire.bytes, z.transform(lower));

function lower(text: Wire.Hex): Wire.Hex {
  return text.toLowerCase() as Wire.Hex;
}
