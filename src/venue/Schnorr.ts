/**
 * The venue's signatures: Schnorr over the curve ecgfp5 with the hash Poseidon2. Source: poseidon_crypto,
 * signature/schnorr. Keys, messages and signatures are in their wire encoding.
 */
import { BaseError } from '../core/base/Errors.js';
import * as Curve from './Curve.js';
import * as Goldilocks from './Goldilocks.js';
import * as Poseidon2 from './Poseidon2.js';
import * as QuinticField from './QuinticField.js';
import * as Scalar from './Scalar.js';

/** A cryptographically secure source of random bytes. */
export type Random = (bytes: number) => Uint8Array;

/**
 * Derives the 40-byte public key of a 40-byte private key.
 *
 * @throws sign.failed if the key has a different length or is a multiple of the group order
 */
export function publicKey(privateKey: Uint8Array): Uint8Array {
  return QuinticField.toBytes(encodedMultiple(secret(privateKey)));
}

/**
 * Signs a 40-byte hash: k random, e = H(k·G ‖ message), s = k − e·key. Verifies the 80 bytes s ‖ e and returns them.
 *
 * @throws sign.failed if the key or message is invalid, the random source fails or the signature does not verify
 */
export function sign({
  privateKey,
  message,
  random,
}: {
  privateKey: Uint8Array;
  message: Uint8Array;
  random: Random;
}): Uint8Array {
  const key = secret(privateKey);
  const hash = hashOf(message);
  if (hash === undefined) throw signingError('the message is not a 40-byte hash');
  const nonce = nonceOf(random);
  const e = challenge(encodedMultiple(nonce), hash);
  const s = Scalar.from(nonce - e * key);
  const signature = new Uint8Array([...Scalar.toBytes(s), ...Scalar.toBytes(e)]);
  if (!verify({ publicKey: publicKey(privateKey), message, signature }))
    throw signingError('the resulting signature does not verify');
  return signature;
}

/**
 * Verifies a signature: e = H(s·G + e·P ‖ message). False for malformed input: a wrong length, an unreduced integer, a
 * public key that is not a point or is the neutral element, for which anyone can sign.
 */
export function verify({
  publicKey,
  message,
  signature,
}: {
  publicKey: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
}): boolean {
  const hash = hashOf(message);
  if (signature.length !== 2 * Scalar.size || hash === undefined) return false;
  const s = Scalar.integerOf(signature.subarray(0, Scalar.size));
  const e = Scalar.integerOf(signature.subarray(Scalar.size));
  if (s >= Scalar.n || e >= Scalar.n) return false;
  const encoded = QuinticField.fromBytes(publicKey);
  const key = encoded && Curve.decode(encoded);
  if (key === undefined || Curve.isNeutral(key)) return false;
  const terms = [
    { scalar: s, point: Curve.generator() },
    { scalar: e, point: key },
  ];
  return challenge(Curve.encode(Curve.combine(terms)), hash) === e;
}

/** The generator times a scalar. */
function encodedMultiple(scalar: bigint): QuinticField.Element {
  return Curve.encode(Curve.combine([{ scalar, point: Curve.generator() }]));
}

function secret(privateKey: Uint8Array): bigint {
  const key = privateKey.length === Scalar.size ? Scalar.from(Scalar.integerOf(privateKey)) : 0n;
  if (key === 0n) throw signingError('the private key must be 40 bytes and not a multiple of the group order');
  return key;
}

/** The five field elements of a message. */
function hashOf(message: Uint8Array): bigint[] | undefined {
  return message.length === QuinticField.size ? Goldilocks.fromBytes(message) : undefined;
}

/** The challenge e, which binds the nonce point to the message. */
function challenge(point: QuinticField.Element, hash: readonly bigint[]): bigint {
  const elements = [...QuinticField.coefficients(point), ...hash];
  return Scalar.from(Scalar.integerOf(Goldilocks.toBytes(Poseidon2.hash(elements))));
}

/** A uniformly random secret nonce from 1 to n − 1, by rejection sampling. */
function nonceOf(random: Random): bigint {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const bytes = random(Scalar.size).slice();
    // n has 319 bits.
    bytes[Scalar.size - 1] = (bytes[Scalar.size - 1] ?? 0) & 0x7f;
    const nonce = Scalar.integerOf(bytes);
    if (bytes.length === Scalar.size && nonce > 0n && nonce < Scalar.n) return nonce;
  }
  throw signingError('the random source does not yield a nonce');
}

/** With a good random source, a second attempt is needed less than once in 2^29. */
const attempts = 64;

/** The key, the message or the random source is invalid. */
function signingError(reason: string): BaseError {
  return new BaseError('sign.failed', 'The venue signature could not be created.', { facts: [['reason', reason]] });
}
