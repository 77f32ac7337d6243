/** Base58: bytes as a number in 58 digits, each leading zero byte as the first digit. */
import { hexToBytes, sha256 } from 'viem/utils';

/** The 58 digits, the one for zero first. */
export type Alphabet = string;

export const bitcoin: Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export const xrp: Alphabet = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

/** The bytes of a text, or undefined where it has another letter or more of them than any address. */
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

/** The bytes before a checksum of four bytes, or undefined where the checksum is wrong. */
export function decodeChecked(text: string, alphabet: Alphabet): Uint8Array | undefined {
  const bytes = decode(text, alphabet);
  if (bytes === undefined || bytes.length < 4) return undefined;
  const payload = bytes.subarray(0, -4);
  const digest = sha256(sha256(payload, 'bytes'), 'bytes');
  return bytes.subarray(-4).every((byte, index) => byte === digest[index]) ? payload : undefined;
}

/** Letters of a text: the time that reading takes grows with their square. */
const longest = 64;

function leadingZeros(text: string, alphabet: Alphabet): number {
  let count = 0;
  while (count < text.length && text[count] === alphabet[0]) count += 1;
  return count;
}
