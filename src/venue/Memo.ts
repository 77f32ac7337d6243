/** The memo of a transfer: 32 bytes that tie it to an order. Only the wallet's signature covers it, not the API key's. */
import { BaseError } from '../core/base/Errors.js';

export type Memo = `0x${string}`;

/**
 * Reads a memo: up to 64 digits after `0x`, padded with zeros on the right, or exactly 64 digits without it. Undefined for
 * anything else: a bare text of 32 letters, say, others take for ASCII.
 */
export function read(text: string): Memo | undefined {
  const prefixed = /^0x([0-9a-fA-F]{0,64})$/.exec(text)?.[1];
  const digits = prefixed ?? /^[0-9a-fA-F]{64}$/.exec(text)?.[0];
  return digits === undefined ? undefined : `0x${digits.toLowerCase().padEnd(64, '0')}`;
}

/** The like. @throws quote.unsupported-step for a text that is no memo */
export function from(text: string): Memo {
  const memo = read(text);
  if (memo === undefined) throw new MemoError();
  return memo;
}

export class MemoError extends BaseError {
  override name = 'MemoError';
  constructor() {
    super('quote.unsupported-step', 'The memo of the transfer is not 32 bytes in hexadecimal digits.');
  }
}
