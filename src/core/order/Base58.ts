/** Base58 and Base58Check decoding: bytes as a base-58 number, each leading zero byte as the first digit. */
import { hexToBytes, sha256 } from 'viem/utils';

/** The 58 digits in order, starting with zero. */
export type Alphabet = string;

export const bitcoin: Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export const xrp: Alphabet = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

/** Decodes a text; undefined if it has an invalid character or is longer than any address. */
export function decode(text: string, alphabet: Alphabet): Uint8Array | undefined {
  if (text.length > longest) return undefined;
  let value = 0n;
  for (const letter of text) {
    const digit = alphabet.indexOf(letter);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const hex = value === 0n ? '' : value.toString(16);
  const significant = hexToBytes(`0x${hex.padStart(hex.length + (hex.length % 2), '0')}`);
  const bytes = new Uint8Array(leadingZeros(text, alphabet) + significant.length);
  bytes.set(significant, bytes.length - significant.length);
  return bytes;
}

/** Decodes a text that ends in a four-byte checksum and strips it; undefined if the checksum is wrong. */
export function decodeChecked(text: string, alphabet: Alphabet): Uint8Array | undefined {
  const bytes = decode(text, alphabet);
  if (bytes === undefined || bytes.length < 4) return undefined;
  const payload = bytes.subarray(0, -4);
  const digest = sha256(sha256(payload, 'bytes'), 'bytes');
  return bytes.subarray(-4).every((byte, index) => byte === digest[index]) ? payload : undefined;
}

/** The maximum length in characters, since decoding takes quadratic time. */
const longest = 64;

function leadingZeros(text: string, alphabet: Alphabet): number {
  let count = 0;
  while (count < text.length && text[count] === alphabet[0]) count += 1;
  return count;
}
