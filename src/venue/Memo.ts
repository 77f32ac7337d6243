/** The memo of a transfer: 32 bytes that bind it to an order. Only the wallet's signature covers it. */
import { BaseError } from '../core/base/Errors.js';

export type Memo = `0x${string}`;

/**
 * Reads a memo: up to 64 hexadecimal digits after `0x`, zero-padded on the right, or exactly 64 digits without `0x`.
 * Undefined for anything else, such as a bare text of 32 characters, which other clients read as ASCII.
 */
export function read(text: string): Memo | undefined {
  const prefixed = /^0x([0-9a-fA-F]{0,64})$/.exec(text)?.[1];
  const digits = prefixed ?? /^[0-9a-fA-F]{64}$/.exec(text)?.[0];
  return digits === undefined ? undefined : `0x${digits.toLowerCase().padEnd(64, '0')}`;
}

/** Reads a memo or throws. @throws quote.unsupported-step if the text is not a memo */
export function from(text: string): Memo {
  const memo = read(text);
  if (memo === undefined)
    throw new BaseError('quote.unsupported-step', 'The memo of the transfer is not 32 bytes of hexadecimal.');
  return memo;
}
