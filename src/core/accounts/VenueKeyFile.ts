/**
 * A file that keeps an API key of a venue account, encrypted like a wallet's key. Which account and slot it is for, and
 * its public key, stand in the open; nothing protects them, so they are compared with the key and with the venue before
 * anything is signed.
 */
import * as z from 'zod/mini';
import * as Keystore from './Keystore.js';

export type VenueKey = Keystore.Encrypted & Place & { /** 80 hexadecimal digits. */ publicKey: string };

/** Which key of which account it is. */
export type Place = { network: string; accountIndex: number; apiKeyIndex: number };

/** Bytes of a key. */
const bytes = 40;

const schema = z.object({
  version: z.literal(3),
  venue: z.object({
    network: z.string(),
    accountIndex: z.int().check(z.nonnegative()),
    apiKeyIndex: z.int().check(z.nonnegative()),
    publicKey: z.string().check(z.regex(/^[0-9a-f]{80}$/)),
  }),
  crypto: Keystore.crypto(bytes),
});

/** Whether a file's text is meant as one, and not as a wallet's key. */
export function isOne(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'venue' in value;
  } catch {
    return false;
  }
}

/**
 * Reads a file's text.
 *
 * @throws auth.keystore which says nothing of the content
 */
export function from(text: string, path: string): VenueKey {
  const parsed = schema.safeParse(Keystore.parse(text, path));
  if (!parsed.success) throw new Keystore.KeystoreError(path, 'it does not keep an API key of a venue account');
  const { venue, crypto } = parsed.data;
  return { ...venue, ...Keystore.encryptedFrom(crypto, path) };
}

/** The file's text. The id only names the file. */
export function format(key: VenueKey, id: string): string {
  const { network, accountIndex, apiKeyIndex, publicKey, ...encrypted } = key;
  const venue = { network, accountIndex, apiKeyIndex, publicKey };
  return `${JSON.stringify({ version: 3, id, venue, crypto: Keystore.toCrypto(encrypted) })}\n`;
}
