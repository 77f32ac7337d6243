/** The fields of every venue response: a code and, on failure, a message, which may end in a space. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';

/** 200 or absent on success. */
export const code = z.optional(z.int());

/** The body of an error, with an HTTP status of 400, 401, 429 or 500. The set of codes is open. */
export const failure = Primitives.object({ code: z.int(), message: z.optional(z.string()) });

/** An account index, a nonce, or a fee in base units: a number, or in some versions a string of digits. */
export const integer = z.union([z.int(), z.string().check(z.regex(/^-?[0-9]+$/))]);

/** A decimal amount in whole units of an asset: `100.000000`. */
export const decimal = z.string().check(z.regex(/^-?[0-9]+(\.[0-9]+)?$/));
