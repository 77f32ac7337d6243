/** Texts that stand for bytes: Base58 with and without a checksum, segwit addresses, and base64url. */
import { base58, base58xrp, base64url, bech32, bech32m } from '@scure/base';
import { sha256 } from 'viem/utils';

/** The alphabets of Base58. */
export const bitcoin = base58;
export const xrp = base58xrp;

/**
 * Decodes Base58; undefined if the text has an invalid character or is longer, by default than any address: it takes
 * quadratic time.
 */
export function decode(text: string, alphabet: typeof base58, longest = 64): Uint8Array | undefined {
  return text.length > longest ? undefined : attempt(() => alphabet.decode(text));
}

/** Decodes Base58 that ends in a four-byte checksum and strips it; undefined if the checksum is wrong. */
export function decodeChecked(text: string, alphabet: typeof base58): Uint8Array | undefined {
  const bytes = decode(text, alphabet);
  if (bytes === undefined || bytes.length < 4) return undefined;
  const payload = bytes.subarray(0, -4);
  const digest = sha256(sha256(payload, 'bytes'), 'bytes');
  return bytes.subarray(-4).every((byte, index) => byte === digest[index]) ? payload : undefined;
}

/** The witness version and the program of a segwit address: bech32 for version 0, bech32m from 1 on (BIP-350). */
export function decodeSegwit(text: string): { prefix: string; version: number; program: Uint8Array } | undefined {
  for (const codec of [bech32, bech32m]) {
    const { prefix = '', words: [version = 0, ...words] = [] } = codec.decodeUnsafe(text) || {};
    const program = prefix ? codec.fromWordsUnsafe(words) : undefined;
    if (program && (version === 0) === (codec === bech32)) return { prefix, version, program };
  }
  return undefined;
}

/** Decodes base64url; undefined if the text has an invalid character. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  return attempt(() => base64url.decode(text));
}

function attempt(decoded: () => Uint8Array): Uint8Array | undefined {
  try {
    return decoded();
  } catch {
    return undefined;
  }
}
