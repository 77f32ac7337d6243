/** EVM addresses. */
import { getAddress, isAddress } from 'viem/utils';
import * as AddressText from './AddressText.js';
import { BaseError } from './Errors.js';

/** `0x` and 40 hexadecimal digits; EIP-55 checksummed if ferry made it. */
export type Address = `0x${string}`;

/** The address that denotes the native asset on every EVM chain of the service. */
export const native: Address = '0x0000000000000000000000000000000000000000';

/**
 * Parses an address and returns its EIP-55 checksummed form. Accepts all lowercase, or mixed case with a valid
 * checksum.
 *
 * @param what names the address in the error message: `recipient`
 *
 * @throws request.invalid-address
 */
export function from(text: string, what = 'address'): Address {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) {
    if (text === text.toLowerCase()) return getAddress(text);
    if (isAddress(text, { strict: true })) return text;
    throw new BaseError('request.invalid-address', `The ${what} ${text} has an invalid checksum.`, {
      hint: 'Check it for typos or copy it again. If you are sure that it is correct, write it in lowercase.',
    });
  }
  // Some explorers write it in capitals throughout, and some leave out the 0x: neither can mean anything else.
  const digits = /^(?:0X)?([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (digits !== undefined)
    return from(`0x${text.startsWith('0X') && digits === digits.toUpperCase() ? digits.toLowerCase() : digits}`, what);
  throw isEnsName(text) ? notResolved(text, what) : new InvalidAddressError(text, what);
}

/** Whether a text has the form of a name of the Ethereum Name Service, or of any other domain. */
export function isEnsName(text: string): boolean {
  return /^[^\s/:]+\.[\p{L}-]{2,}$/u.test(text);
}

/** Why such a name is no address here. */
export const whyNoEns =
  'ENS names are not resolved: a single node would decide who is paid, and the answer can change until then. Name the address itself, or keep it under a name of your own with ferry address add.';

/** Whether two addresses are equal, ignoring the case of hexadecimal digits. */
export function isEqual(a: string, b: string): boolean {
  return AddressText.isEqual(a, b);
}

/** Shortens an address for display: `0x1234…abcd`. */
export function shorten(text: string): string {
  return text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;
}

function whyNoAddress(text: string): string {
  const hidden = AddressText.invisible(text);
  if (hidden !== undefined) return `It has an invisible character, ${hidden}: copy it anew.`;
  const digits = /^0x([0-9a-fA-F]{10,})$/.exec(text)?.[1];
  if (digits !== undefined) {
    const exposed = digits.length === 64 ? ' If it is a private key, it is not secret any more.' : '';
    return `It has ${digits.length} hexadecimal digits, and an address has 40: copy it anew.${exposed}`;
  }
  return 'An address is 0x followed by 40 hexadecimal digits; on a command line also a name of your address book.';
}

export class InvalidAddressError extends BaseError {
  override name = 'InvalidAddressError';
  /** What was taken for an address. */
  readonly text: string;
  constructor(text: string, what: string) {
    super('request.invalid-address', `The ${what} "${text}" is not an address.`, {
      hint: whyNoAddress(text),
      next: 'ferry address list',
    });
    this.text = text;
  }
}

/** Thrown for a name that somebody else would have to resolve. */
export function notResolved(text: string, what: string): BaseError {
  return new BaseError('request.invalid-address', `The ${what} "${text}" is a name, not an address.`, {
    hint: whyNoEns,
    next: 'ferry address add <name> <address>',
  });
}
