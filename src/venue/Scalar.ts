/**
 * Scalars of the curve: integers modulo n, the prime group order, slightly less than 2^319. Encoded as 40 little-endian
 * bytes.
 */
import { bytesToBigInt, hexToBytes, numberToHex } from 'viem/utils';

/** The order of the group. Source: poseidon_crypto, curve/ecgfp5. */
export const n = 1067993516717146951041484916571792702745057740581727230159139685185762082554198619328292418486241n;

/** The length of an encoded scalar in bytes. */
export const size = 40;

/** Reduces an integer, which may be negative, modulo n. */
export function from(integer: bigint): bigint {
  const rest = integer % n;
  return rest < 0n ? rest + n : rest;
}

/** The little-endian integer of some bytes, not reduced: it may be n or more. */
export function integerOf(bytes: Uint8Array): bigint {
  return bytesToBigInt(bytes.toReversed());
}

/** Encodes a scalar as 40 little-endian bytes. */
export function toBytes(scalar: bigint): Uint8Array {
  return hexToBytes(numberToHex(scalar, { size })).reverse();
}
