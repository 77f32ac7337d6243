/** How the venue answers: every answer carries a code, and a failure a message, which may end in a space. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';

export type Failure = z.output<typeof failure>;

/** 200 or absent where all is well. */
export const code = z.optional(z.int());

/** The body of a refusal, with an HTTP status of 400, 401, 429 or 500. The codes are an open list. */
export const failure = Primitives.object({ code: z.int(), message: z.optional(z.string()) });

/** Base units of an account's index, a nonce, a fee: a number, or digits where another version writes them. */
export const integer = z.union([z.int(), z.string().check(z.regex(/^-?[0-9]+$/))]);

/** A decimal in whole units of an asset: `100.000000`. */
export const decimal = z.string().check(z.regex(/^-?[0-9]+(\.[0-9]+)?$/));

/** A hash, or a public key: 40 bytes as 80 hexadecimal digits without a prefix. */
export const bytes40 = z.string().check(z.regex(/^[0-9a-f]{80}$/));
