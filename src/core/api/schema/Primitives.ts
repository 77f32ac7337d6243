/** How single values are spelt on the wire. */
import * as z from 'zod/mini';

type Hex = `0x${string}`;

/** A whole number of base units, wei or gas as a string of digits. */
export const digits = z.string().check(z.regex(/^[0-9]+$/));

/** An EVM address. */
export const address = hexOf(/^0x[a-fA-F0-9]{40}$/);

/** 32 bytes: an order id, a salt, a transaction hash. */
export const bytes32 = hexOf(/^0x[a-fA-F0-9]{64}$/);

/** Whole bytes. */
export const bytes = hexOf(/^0x([a-fA-F0-9]{2})*$/);

/** Hexadecimal digits, also an odd number of them. */
export const hex = hexOf(/^0x[a-fA-F0-9]*$/);

/** A whole number that is not negative. */
export const count = z.int().check(z.nonnegative());

/**
 * An object of an answer: keys that are not named are taken and kept, but are not part of its type, so that a
 * mistyped key is a compile error.
 */
export function object<T extends z.core.$ZodLooseShape>(
  shape: T,
): z.ZodMiniObject<z.core.util.Writeable<T>, z.core.$strip> {
  return z.looseObject(shape) as never;
}

/** An object of a request, or of what is signed: a key that is not named is refused. */
export function strictObject<T extends z.core.$ZodLooseShape>(
  shape: T,
): z.ZodMiniObject<z.core.util.Writeable<T>, z.core.$strip> {
  return z.strictObject(shape) as never;
}

/** The pattern guarantees the prefix that the type names. */
function hexOf(pattern: RegExp): z.ZodMiniType<Hex, Hex> {
  return z.string().check(z.regex(pattern)) as never;
}
