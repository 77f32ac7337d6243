/** The venue's signatures: Schnorr over its curve, with Poseidon2 as the hash. 80 bytes: s, then e, little-endian. */
import { keccak256 } from 'viem/utils';
import * as Curve from './Curve.js';
import * as Fp5 from './Fp5.js';
import * as Poseidon2 from './Poseidon2.js';

/** Interprets 40 little-endian bytes as a scalar, reduced modulo n. */
export function secretFromBytes(bytes: Uint8Array): bigint {
  return toScalar(bytes) % Curve.n;
}

/** 40 bytes. */
export function publicKey(secret: bigint): Uint8Array {
  return Fp5.toBytes(Curve.encode(Curve.multiply(secret, Curve.generator)));
}

/**
 * Signs a hash. The nonce is derived deterministically from secret and hash, so it is never reused; `nonce` overrides
 * it for test vectors.
 */
export function sign(secret: bigint, message: Fp5.Fp5, nonce = deriveNonce(secret, message)): Uint8Array {
  const commitment = Curve.encode(Curve.multiply(nonce, Curve.generator));
  const e = challenge(commitment, message);
  const s = (((nonce - e * secret) % Curve.n) + Curve.n) % Curve.n;
  return Buffer.concat([toBytes(s), toBytes(e)]);
}

/** Verifies a signature. Keys that are not a point, or are the neutral point, are rejected. */
export function isSignedBy(key: Uint8Array, message: Fp5.Fp5, signature: Uint8Array): boolean {
  const encoded = Fp5.fromBytes(key);
  const point = encoded && Curve.decode(encoded);
  if (!encoded || !point || Fp5.isEqual(encoded, Fp5.zero) || signature.length !== 80) return false;
  const s = toScalar(signature.subarray(0, 40));
  const e = toScalar(signature.subarray(40));
  if (s >= Curve.n || e >= Curve.n) return false;
  const commitment = Curve.combine([
    [s, Curve.generator],
    [e, point],
  ]);
  return challenge(Curve.encode(commitment), message) === e;
}

function challenge(commitment: Fp5.Fp5, message: Fp5.Fp5): bigint {
  return toScalar(Fp5.toBytes(Poseidon2.hash([...commitment, ...message]))) % Curve.n;
}

function deriveNonce(secret: bigint, message: Fp5.Fp5): bigint {
  const first = keccak256(Buffer.concat([toBytes(secret), Fp5.toBytes(message)]), 'bytes');
  return 1n + (toScalar(Buffer.concat([first, keccak256(first, 'bytes')])) % (Curve.n - 1n));
}

function toScalar(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

function toBytes(scalar: bigint): Uint8Array {
  return Buffer.from(scalar.toString(16).padStart(80, '0'), 'hex').reverse();
}
