/** Encodes Bitcoin mainnet addresses as the bytes that the order protocol hashes. */
import * as BaseCodec from './BaseCodec.js';

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
  const payload = BaseCodec.decodeChecked(text, BaseCodec.bitcoin);
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

/** An output with a witness version that has no rules yet can be spent by anybody. */
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
  const payload = BaseCodec.decodeChecked(text, BaseCodec.bitcoin);
  if (payload?.length !== 21 || (payload[0] !== 0 && payload[0] !== 5)) return undefined;
  return Uint8Array.of(0xff, ...payload);
}

/** The witness version and the program. */
function decodeSegwit(text: string): Uint8Array | undefined {
  const { prefix, version = 0, program } = BaseCodec.decodeSegwit(text) ?? {};
  if (prefix !== 'bc' || program === undefined || !isProgramLength(program.length, version)) return undefined;
  return Uint8Array.of(version, ...program);
}

function isProgramLength(length: number, version: number): boolean {
  if (version === 0) return length === 20 || length === 32;
  return version <= 16 && length >= 2 && length <= 40;
}
