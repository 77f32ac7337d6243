/** Parses the private key of a venue API key. */
import { hexToBytes } from 'viem/utils';
import { BaseError } from '../core/base/Errors.js';

/**
 * Parses the 40 bytes of a key from 80 hexadecimal digits, with or without `0x`.
 *
 * @throws auth.keystore without revealing the text
 */
export function from(text: string): Uint8Array {
  const digits = /^(?:0x)?([0-9a-fA-F]{80})$/.exec(text)?.[1];
  if (digits === undefined)
    throw new BaseError('auth.keystore', 'The venue’s private key is invalid.', {
      hint: 'It must be 80 hexadecimal digits, with or without 0x.',
    });
  return hexToBytes(`0x${digits}`);
}
