/** Auth tokens for private endpoints: a deadline, an account and an API key, signed by that key. */
import type { Fp5 } from './Fp5.js';
import * as Poseidon2 from './Poseidon2.js';
import * as Schnorr from './Schnorr.js';

export type Claim = {
  /** Unix time in seconds. */
  deadline: number;
  accountIndex: number;
  apiKeyIndex: number;
};

/** Creates a token signed with a key. */
export function sign({ deadline, accountIndex, apiKeyIndex }: Claim, secret: bigint): string {
  const message = `${deadline}:${accountIndex}:${apiKeyIndex}`;
  return `${message}:${Buffer.from(Schnorr.sign(secret, hash(message))).toString('hex')}`;
}

/** The message, zero-padded and split into little-endian 64-bit integers, hashed with Poseidon2. */
function hash(message: string): Fp5 {
  const text = Buffer.from(message, 'ascii');
  const bytes = Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8)]);
  return Poseidon2.hash(Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readBigUInt64LE(8 * index)));
}
