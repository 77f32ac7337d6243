/** Auth tokens for an account's private data on the venue: a line of text and the API key's signature over it. */
import { bytesToHex, stringToBytes } from 'viem/utils';
import { BaseError } from '../core/base/Errors.js';
import * as Goldilocks from './Goldilocks.js';
import * as Poseidon2 from './Poseidon2.js';

/** The account, API key and deadline of a token. */
export type AuthToken = {
  /** In Unix seconds. */
  deadline: number;
  accountIndex: bigint;
  apiKeyIndex: number;
};

/** The maximum lifetime that the venue accepts, in seconds. */
const longest = 8 * 60 * 60;

/** The signed message, `deadline:accountIndex:apiKeyIndex`: `1750000000:1:0`. */
export function message({ deadline, accountIndex, apiKeyIndex }: AuthToken): string {
  return `${deadline}:${accountIndex}:${apiKeyIndex}`;
}

/**
 * The 40-byte hash of an ASCII message: Poseidon2 over groups of eight bytes, each a little-endian integer, padded.
 *
 * @throws sign.failed if the message is not ASCII
 */
export function hash(text: string): Uint8Array {
  const letters = stringToBytes(text);
  const padded = new Uint8Array(Math.ceil(letters.length / 8) * 8);
  padded.set(letters);
  // ASCII bytes are below 128, so eight of them are below p.
  const elements = /^[ -~]*$/.test(text) ? Goldilocks.fromBytes(padded) : undefined;
  if (elements === undefined) throw tokenError('message', 'ASCII characters', 'other characters');
  return Goldilocks.toBytes(Poseidon2.hash(elements));
}

/**
 * Signs a token and formats it as sent: the message, a colon and the signature as 160 hexadecimal digits. If `now` is
 * given, in Unix seconds, the deadline must be later, by eight hours at most.
 *
 * @param by the API key's signature over the 40 bytes of a hash
 * @throws sign.failed
 */
export function sign(token: AuthToken, by: (hash: Uint8Array) => Uint8Array, now?: number): string {
  assertFields(token, now);
  const text = message(token);
  return `${text}:${bytesToHex(by(hash(text))).slice(2)}`;
}

function assertFields({ deadline, accountIndex, apiKeyIndex }: AuthToken, now: number | undefined): void {
  if (!Number.isSafeInteger(deadline) || deadline < 0)
    throw tokenError('deadline', 'whole Unix seconds', String(deadline));
  if (accountIndex < 0n || accountIndex > 2n ** 48n - 2n)
    throw tokenError('accountIndex', `0 to ${2n ** 48n - 2n}`, String(accountIndex));
  if (!Number.isInteger(apiKeyIndex) || apiKeyIndex < 0 || apiKeyIndex > 254)
    throw tokenError('apiKeyIndex', '0 to 254', String(apiKeyIndex));
  if (now !== undefined && (deadline <= now || deadline > now + longest))
    throw tokenError('deadline', 'in the next eight hours', `${deadline - now} seconds ahead`);
}

/** The venue does not accept a field. */
function tokenError(field: string, expected: string, found: string): BaseError {
  return new BaseError('sign.failed', 'The venue does not accept this token.', {
    facts: [
      ['field', field],
      ['expected', expected],
      ['found', found],
    ],
  });
}
