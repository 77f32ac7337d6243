/** Addresses of the Bitcoin main chain, in the bytes by which an order knows them. */
import * as Base58 from './Base58.js';

/** Stands for the currency itself. It looks like an address, but its program of 19 bytes makes it nobody's. */
export const native = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8';

/** The bytes of an address, or undefined where the text is none: a witness program or a hash of the older forms. */
export function decode(text: string): Uint8Array | undefined {
  return text.startsWith('bc1') ? decodeSegwit(text) : decodeLegacy(text);
}

/** A mark that no witness version has, the version byte (0 for a key, 5 for a script), and the hash of 20 bytes. */
function decodeLegacy(text: string): Uint8Array | undefined {
  const payload = Base58.decodeChecked(text, Base58.bitcoin);
  if (payload?.length !== 21 || (payload[0] !== 0 && payload[0] !== 5)) return undefined;
  return Uint8Array.of(0xff, ...payload);
}

/** The witness version and the program (BIP-173, and BIP-350 from version 1 on). Capitals are not taken. */
function decodeSegwit(text: string): Uint8Array | undefined {
  const digits = Array.from(text.slice('bc1'.length), (letter) => charset.indexOf(letter));
  if (digits.includes(-1)) return undefined;
  const [version = 0, ...words] = digits.slice(0, -checksumLength);
  if (polymod([...prefix, ...digits]) !== (version === 0 ? bech32 : bech32m)) return undefined;
  const program = bytesOf(words);
  if (program === undefined || !isProgramLength(program.length, version)) return undefined;
  return Uint8Array.of(version, ...program);
}

const charset = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const checksumLength = 6;

/** The human-readable part `bc` as the checksum counts it: high bits, a zero, low bits. */
const prefix = [3, 3, 0, 2, 3];

/** What a right checksum leaves over. */
const bech32 = 1;
const bech32m = 0x2bc830a3;

function polymod(digits: readonly number[]): number {
  return digits.reduce((sum, digit) => {
    const next = ((sum & 0x1ffffff) << 5) ^ digit;
    const top = sum >>> 25;
    return generator.reduce((value, term, bit) => ((top >>> bit) & 1 ? value ^ term : value), next);
  }, 1);
}

const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Groups of five bits as bytes. What is left over must be fewer than five bits, all zero. */
function bytesOf(words: readonly number[]): number[] | undefined {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const word of words) {
    bits = ((bits << 5) | word) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >>> count) & 0xff);
  }
  return count < 5 && (bits & ((1 << count) - 1)) === 0 ? bytes : undefined;
}

function isProgramLength(length: number, version: number): boolean {
  if (version === 0) return length === 20 || length === 32;
  return version <= 16 && length >= 2 && length <= 40;
}
