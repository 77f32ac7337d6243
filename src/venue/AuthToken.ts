/** The token that opens an account's own data on the venue: a line of text and the API key's signature over it. */
import { bytesToHex, stringToBytes } from 'viem/utils';
import { BaseError } from '../core/base/Errors.js';
import * as Goldilocks from './Goldilocks.js';
import * as Poseidon2 from './Poseidon2.js';

/** For whom a token opens what, and until when. */
export type AuthToken = {
  /** Unix seconds. */
  deadline: number;
  accountIndex: bigint;
  apiKeyIndex: number;
};

/** How far ahead the venue lets a deadline be, in seconds. */
const longest = 8 * 60 * 60;

/** What is signed: `1750000000:1:0`. */
export function message({ deadline, accountIndex, apiKeyIndex }: AuthToken): string {
  return `${deadline}:${accountIndex}:${apiKeyIndex}`;
}

/** The 40 bytes that stand for a message: its letters in groups of eight, each read as a number, hashed. @throws sign.failed */
export function hash(text: string): Uint8Array {
  const letters = stringToBytes(text);
  const padded = new Uint8Array(Math.ceil(letters.length / 8) * 8);
  padded.set(letters);
  // Letters of ASCII are below 128, and eight of them below p.
  const elements = /^[ -~]*$/.test(text) ? Goldilocks.fromBytes(padded) : undefined;
  if (elements === undefined) throw new TokenError('message', 'letters of ASCII', 'others');
  return Goldilocks.toBytes(Poseidon2.hash(elements));
}

/**
 * The token as it is sent, with the signature as 160 hexadecimal digits. With `now`, in Unix seconds, a deadline that is
 * past or more than eight hours ahead is refused.
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
    throw new TokenError('deadline', 'whole Unix seconds', String(deadline));
  if (accountIndex < 0n || accountIndex > 2n ** 48n - 2n)
    throw new TokenError('accountIndex', `0 to ${2n ** 48n - 2n}`, String(accountIndex));
  if (!Number.isInteger(apiKeyIndex) || apiKeyIndex < 0 || apiKeyIndex > 254)
    throw new TokenError('apiKeyIndex', '0 to 254', String(apiKeyIndex));
  if (now !== undefined && (deadline <= now || deadline > now + longest))
    throw new TokenError('deadline', 'in the next eight hours', `${deadline - now} seconds ahead`);
}

/** A field that the venue does not take. */
export class TokenError extends BaseError {
  override name = 'TokenError';
  constructor(field: string, expected: string, found: string) {
    super('sign.failed', 'The venue does not take such a token.', {
      facts: [
        ['field', field],
        ['may be', expected],
        ['is', found],
      ],
    });
  }
}
