/** EVM addresses. */
import { getAddress, isAddress } from 'viem/utils';
import { BaseError } from './Errors.js';

/** `0x` and 40 hexadecimal digits; in checksum form where ferry made it. */
export type Address = `0x${string}`;

/** The native asset's address on every EVM chain of the service. */
export const native: Address = '0x0000000000000000000000000000000000000000';

/**
 * An address in checksum form. All lower case is taken; mixed case must carry the right checksum.
 *
 * @throws request.invalid-address
 */
export function from(text: string, what = 'address'): Address {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) {
    if (text === text.toLowerCase()) return getAddress(text);
    if (isAddress(text, { strict: true })) return text;
    throw new ChecksumError(text, what);
  }
  throw new InvalidAddressError(text, what);
}

/** Whether two texts are the same address, whatever their case. */
export function isEqual(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** `0x1234…abcd`. */
export function shorten(text: string): string {
  return text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;
}

/** A text that is no address at all. */
export class InvalidAddressError extends BaseError {
  override name = 'InvalidAddressError';
  constructor(text: string, what: string) {
    super('request.invalid-address', `The ${what} "${text}" is not an address.`, {
      hint: 'An address is 0x and 40 hexadecimal digits.',
    });
  }
}

/** Mixed case that is not the checksum of the digits. */
export class ChecksumError extends BaseError {
  override name = 'ChecksumError';
  constructor(text: string, what: string) {
    super('request.invalid-address', `The ${what} ${text} has a wrong checksum.`, {
      hint: 'A digit or a letter may be mistyped. Copy it again; if you are sure of it, write it in lower case.',
    });
  }
}
