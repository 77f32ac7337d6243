/**
 * The venue's signatures: Schnorr's, over the curve ecgfp5, with the hash Poseidon2. Source: poseidon_crypto,
 * signature/schnorr. All keys, messages and signatures are bytes as they stand on the wire.
 */
import { BaseError } from '../core/base/Errors.js';
import * as Curve from './Curve.js';
import * as Goldilocks from './Goldilocks.js';
import * as Poseidon2 from './Poseidon2.js';
import * as QuinticField from './QuinticField.js';
import * as Scalar from './Scalar.js';

/** So many bytes by chance, fit for keys. */
export type Random = (bytes: number) => Uint8Array;

/**
 * The 40 bytes of the public key to a private key of 40 bytes.
 *
 * @throws sign.failed where the key has another length or is a multiple of the group's order
 */
export function publicKey(privateKey: Uint8Array): Uint8Array {
  return keyPair(privateKey).publicKey;
}

/** A private key with what is reckoned of it once. */
export type KeyPair = {
  /** 40 bytes. */
  publicKey: Uint8Array;
  /** As `sign`. */
  sign(given: { message: Uint8Array; random: Random }): Uint8Array;
};

/** The pair of a private key of 40 bytes. @throws sign.failed as `publicKey` does */
export function keyPair(privateKey: Uint8Array): KeyPair {
  const key = secret(privateKey);
  const powers = Curve.powersOfGenerator();
  const [point = Curve.neutral()] = Curve.multiplesOfGenerator([key], powers);
  const encoded = QuinticField.toBytes(Curve.encode(point));
  return {
    publicKey: encoded,
    sign: ({ message, random }) => {
      const hash = hashOf(message);
      if (hash === undefined) throw new SigningError('the message is not a hash of 40 bytes');
      const nonce = nonceOf(random);
      const [noncePoint = Curve.neutral()] = Curve.multiplesOfGenerator([nonce], powers);
      const e = challenge(Curve.encode(noncePoint), hash);
      const s = Scalar.from(nonce - e * key);
      const signature = new Uint8Array([...Scalar.toBytes(s), ...Scalar.toBytes(e)]);
      if (!verify({ publicKey: encoded, message, signature }))
        throw new SigningError('the signature that was made does not verify');
      return signature;
    },
  };
}

/**
 * The 80 bytes of a signature, s and e, over a message of 40 bytes, which are a hash. It has been verified.
 *
 * @throws sign.failed where the key or the message cannot be one, chance repeats itself or the signature does not verify
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
  return keyPair(privateKey).sign({ message, random });
}

/**
 * Whether a signature is the key's over the message. False for whatever is malformed: another length, a number that is not
 * reduced, a public key that is no point or the neutral one, for which anybody can sign.
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

function secret(privateKey: Uint8Array): bigint {
  const key = privateKey.length === Scalar.size ? Scalar.from(Scalar.integerOf(privateKey)) : 0n;
  if (key === 0n) throw new SigningError('the private key is not one: it has 40 bytes and is no multiple of the order');
  return key;
}

/** The five elements of a message. */
function hashOf(message: Uint8Array): bigint[] | undefined {
  return message.length === QuinticField.size ? Goldilocks.fromBytes(message) : undefined;
}

/** What ties the nonce's point to the message. */
function challenge(point: QuinticField.Element, hash: readonly bigint[]): bigint {
  const elements = [...QuinticField.coefficients(point), ...hash];
  return Scalar.from(Scalar.integerOf(Goldilocks.toBytes(Poseidon2.hash(elements))));
}

/** A number from 1 to n − 1, each as likely as any other: what is none of them is thrown away. Nobody may ever learn it. */
function nonceOf(random: Random): bigint {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const bytes = random(Scalar.size).slice();
    // n has 319 bits.
    bytes[Scalar.size - 1] = (bytes[Scalar.size - 1] ?? 0) & 0x7f;
    const nonce = Scalar.integerOf(bytes);
    if (bytes.length === Scalar.size && nonce > 0n && nonce < Scalar.n) return nonce;
  }
  throw new SigningError('there is no chance to be had for a nonce');
}

/** With true chance even a second one is needed less than once in 2^29. */
const attempts = 64;

/** A key, a message or chance that no signature can be made of. */
export class SigningError extends BaseError {
  override name = 'SigningError';
  constructor(reason: string) {
    super('sign.failed', 'The venue’s signature could not be made.', { facts: [['reason', reason]] });
  }
}
