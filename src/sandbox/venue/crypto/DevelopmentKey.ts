/** Derives the venue API key of a development account from the account's private key. */
import { hexToBytes, keccak256 } from 'viem/utils';
import * as Schnorr from './Schnorr.js';

/** The secret scalar: the first 40 bytes of keccak256(k) ‖ keccak256(keccak256(k)), little-endian, reduced mod n. */
export function secretOf({ privateKey }: { privateKey: `0x${string}` }): bigint {
  const hashed = keccak256(hexToBytes(privateKey), 'bytes');
  return Schnorr.secretFromBytes(Buffer.concat([hashed, keccak256(hashed, 'bytes')]).subarray(0, 40));
}
