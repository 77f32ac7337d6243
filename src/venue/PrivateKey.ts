/** The private key of a venue's API key as text. */
import { hexToBytes } from 'viem/utils';
import { BaseError } from '../core/base/Errors.js';

/**
 * The 40 bytes of a key: 80 hexadecimal digits, with `0x` or without.
 *
 * @throws auth.keystore which says nothing of the text
 */
export function from(text: string): Uint8Array {
  const digits = /^(?:0x)?([0-9a-fA-F]{80})$/.exec(text)?.[1];
  if (digits === undefined) throw new PrivateKeyError();
  return hexToBytes(`0x${digits}`);
}

/** A text that is no private key. It tells nothing of the text. */
export class PrivateKeyError extends BaseError {
  override name = 'PrivateKeyError';
  constructor() {
    super('auth.keystore', 'The venue’s private key cannot be used.', {
      hint: 'It is written as 80 hexadecimal digits, with 0x or without.',
    });
  }
}
