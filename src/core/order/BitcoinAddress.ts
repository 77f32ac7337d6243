/** Encodes Bitcoin mainnet addresses as the bytes that the order protocol hashes. */
import * as Base58 from './Base58.js';

/** Denotes bitcoin itself. It resembles an address, but its 19-byte witness program makes it unspendable. */
export const native = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8';

/** The bytes of a segwit or legacy address; undefined if the text is not an address. */
export function decode(text: string): Uint8Array | undefined {
  return text.startsWith('bc1') ? decodeSegwit(text) : decodeLegacy(text);
}

/** Why a text is not an address that a person should be paid at, to follow "it"; undefined if it is one. */
export function objection(text: string): string | undefined {
  if (/^(tb1|bcrt1)/i.test(text)) return 'is for a test network of Bitcoin';
  if (/^bc1/i.test(text)) return segwitObjection(text);
  const payload = Base58.decodeChecked(text, Base58.bitcoin);
  if (payload?.length === 21 && testVersions.includes(payload[0] ?? 0)) return 'is for a test network of Bitcoin';
  if (payload?.length === 21 && decode(text) === undefined) return 'is for another network than Bitcoin';
  return decode(text) ? undefined : 'is mistyped or cut: its checksum is wrong';
}

/** The script that an output to an address has (BIP-141, BIP-16); undefined if the text is not an address. */
export function script(text: string): Uint8Array | undefined {
  const [kind = 0, ...rest] = decode(text) ?? [];
  if (rest.length === 0) return undefined;
  if (kind !== 0xff) return Uint8Array.of(kind === 0 ? 0 : 0x50 + kind, rest.length, ...rest);
  const [version, ...hash] = rest;
  return version === 0
    ? Uint8Array.of(0x76, 0xa9, 0x14, ...hash, 0x88, 0xac)
    : Uint8Array.of(0xa9, 0x14, ...hash, 0x87);
}

/** Whoever is paid at a witness version without rules is paid by luck: anybody can spend it. */
function segwitObjection(text: string): string | undefined {
  const bytes = decode(text);
  if (bytes === undefined) return 'is mistyped or cut: its checksum or its length is wrong';
  const [version = 0] = bytes;
  const hasRules = version === 0 || (version === 1 && bytes.length === 33);
  return hasRules ? undefined : 'is of a kind that anybody can spend today';
}

/** P2PKH and P2SH of test networks. */
const testVersions = [0x6f, 0xc4];

/** A marker that is not a witness version (0xff), the version byte (0 for P2PKH, 5 for P2SH) and the 20-byte hash. */
function decodeLegacy(text: string): Uint8Array | undefined {
  const payload = Base58.decodeChecked(text, Base58.bitcoin);
  if (payload?.length !== 21 || (payload[0] !== 0 && payload[0] !== 5)) return undefined;
  return Uint8Array.of(0xff, ...payload);
}

/** The witness version and the program (BIP-173 for version 0, BIP-350 from 1 on). Uppercase is rejected. */
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

/** The human-readable part `bc`, expanded for the checksum: high bits, a zero, low bits. */
const prefix = [3, 3, 0, 2, 3];

/** The residues of valid checksums. */
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

/** Regroups 5-bit words into bytes. Padding must be fewer than five bits, all zero. */
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
