/** Schemas of primitive values on the wire. */
import * as z from 'zod/mini';

type Hex = `0x${string}`;

/** A non-negative integer as a decimal string: base units, wei or gas. 256 bits have 78 digits. */
export const digits = z.string().check(z.regex(/^[0-9]+$/), z.maxLength(100));

/** The same, or in some responses a JSON number; decoded to a string of digits. */
export const digitsOrNumber = z.union([digits, z.pipe(z.int().check(z.nonnegative()), z.transform(String))]);

/**
 * A decimal in a response: a string of at most 10,000 characters, or now and then a JSON number; decoded to a string.
 * Millions of digits would take seconds to read, and fill the screen.
 */
export const decimalText = z.union([z.string().check(z.maxLength(10_000)), z.pipe(z.number(), z.transform(String))]);

/** An optional text as a client takes it: absent and null alike, a number as its digits. */
export const receivedText = z.nullish(decimalText);

/** An optional number as a client takes it: absent and null alike, a string of digits as its number. */
export const receivedNumber = z.nullish(z.union([z.number(), z.pipe(digits, z.transform(Number))]));

/** The same for an integer. */
export const receivedInteger = z.nullish(z.union([z.int(), z.pipe(digits, z.transform(Number))]));

/** The decimals of a currency: more than a token can have would be a text without end. */
export const decimals = z.int().check(z.minimum(0), z.maximum(255));

/** The same as a client takes it. */
export const receivedDecimals = z.nullish(z.pipe(z.union([z.int(), z.pipe(digits, z.transform(Number))]), decimals));

export const address = hexOf(/^0x[a-fA-F0-9]{40}$/);

/** 32 bytes: an order id, a salt, a transaction hash. */
export const bytes32 = hexOf(/^0x[a-fA-F0-9]{64}$/);

/** A request id, which is typed in commands and asked for by its name: never another text. */
export const requestId = z.string().check(z.regex(/^0x[a-fA-F0-9]{64}$/));

/** Bytes: an even number of hexadecimal digits. */
export const bytes = hexOf(/^0x([a-fA-F0-9]{2})*$/);

/** Any number of hexadecimal digits, even or odd. */
export const hex = hexOf(/^0x[a-fA-F0-9]*$/);

/** Unix time in seconds, up to the latest that a date can show. */
export const seconds = z.int().check(z.nonnegative(), z.maximum(8_640_000_000_000));

export const count = z.int().check(z.nonnegative());

/**
 * An object in a response. Unknown keys are kept but are not part of the type, so a mistyped key is a compile error.
 */
export function object<T extends z.core.$ZodLooseShape>(
  shape: T,
): z.ZodMiniObject<z.core.util.Writeable<T>, z.core.$strip> {
  return z.looseObject(shape) as never;
}

/** An object in a request, or one that is signed: unknown keys are rejected. */
export function strictObject<T extends z.core.$ZodLooseShape>(
  shape: T,
): z.ZodMiniObject<z.core.util.Writeable<T>, z.core.$strip> {
  return z.strictObject(shape) as never;
}

/** The pattern guarantees the prefix that the type requires. */
function hexOf(pattern: RegExp): z.ZodMiniType<Hex, Hex> {
  return z.string().check(z.regex(pattern)) as never;
}
