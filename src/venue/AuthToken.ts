/** Auth tokens for an account's private data on the venue: a line of text and the API key's signature over it. */
import { bytesToHex, stringToBytes } from 'viem/utils';
import * as Goldilocks from './Goldilocks.js';
import * as Poseidon2 from './Poseidon2.js';

/** The account, API key and deadline of a token. */
export type AuthToken = {
  /** In Unix seconds; the venue takes none that is more than eight hours ahead. */
  deadline: number;
  accountIndex: number;
  apiKeyIndex: number;
};

/** The signed message, `deadline:accountIndex:apiKeyIndex`: `1750000000:1:0`. */
function message({ deadline, accountIndex, apiKeyIndex }: AuthToken): string {
  return `${deadline}:${accountIndex}:${apiKeyIndex}`;
}

/** The 40-byte hash of an ASCII message: Poseidon2 over groups of eight bytes, each a little-endian integer, padded. */
export function hash(text: string): Uint8Array {
  const letters = stringToBytes(text);
  const padded = new Uint8Array(Math.ceil(letters.length / 8) * 8);
  padded.set(letters);
  // ASCII bytes are below 128, so eight of them are below p.
  const elements = Goldilocks.fromBytes(padded);
  if (elements === undefined) throw new TypeError('a token has other characters than ASCII');
  return Goldilocks.toBytes(Poseidon2.hash(elements));
}

/**
 * Signs a token and formats it as sent: the message, a colon and the signature as 160 hexadecimal digits.
 *
 * @param by the API key's signature over the 40 bytes of a hash
 * @throws sign.failed
 */
export function sign(token: AuthToken, by: (hash: Uint8Array) => Uint8Array): string {
  const text = message(token);
  return `${text}:${bytesToHex(by(hash(text))).slice(2)}`;
}
