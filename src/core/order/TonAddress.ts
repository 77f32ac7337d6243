/** Encodes addresses of TON's base chain (workchain 0) as the bytes that the order protocol hashes. */
import { hexToBytes } from 'viem/utils';
import * as BaseCodec from './BaseCodec.js';

/** The 32-byte account hash of an address (`EQ…`, `UQ…` or `0:…`); undefined if the text is not an address. */
export function decode(text: string): Uint8Array | undefined {
  return text.startsWith('0:') ? decodeRaw(text) : decodeFriendly(text);
}

/** Why a text is not an account of the base chain, to follow "it"; undefined if it is one. */
export function objection(text: string): string | undefined {
  if (decode(text)) return undefined;
  if (/^-1:/.test(text)) return masterchain;
  const bytes = checked(text);
  if (bytes === undefined) return 'is mistyped or cut: its checksum or its length is wrong';
  const [flags = 0, workchain] = bytes;
  if ((flags & testOnly) !== 0) return 'is for the test network of TON';
  return workchain === 0xff ? masterchain : 'is of a kind that ferry does not know';
}

const masterchain = 'is on the masterchain, which orders cannot name';

function decodeRaw(text: string): Uint8Array | undefined {
  return /^0:[0-9a-fA-F]{64}$/.test(text) ? hexToBytes(`0x${text.slice(2)}`) : undefined;
}

/** Flags, workchain, hash and checksum in base64url. A testnet-only address is rejected. */
function decodeFriendly(text: string): Uint8Array | undefined {
  const bytes = checked(text);
  const [flags, workchain] = bytes ?? [];
  if ((flags !== bounceable && flags !== notBounceable) || workchain !== 0) return undefined;
  return bytes?.slice(2, 34);
}

function checked(text: string): Uint8Array | undefined {
  const bytes = text.length === 48 ? BaseCodec.decodeBase64Url(text) : undefined;
  return bytes?.length === 36 && crc16(bytes) === 0 ? bytes : undefined;
}

const bounceable = 0x11;
const notBounceable = 0x51;
const testOnly = 0x80;

/** CRC-16/XMODEM. It is zero over data that ends with its own checksum. */
function crc16(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 0x8000 ? (sum << 1) ^ 0x1021 : sum << 1) & 0xffff;
  }
  return sum;
}
