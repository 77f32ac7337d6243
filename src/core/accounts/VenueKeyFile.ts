/**
 * Files that hold an API key of a venue account, encrypted like a wallet key. The account, the slot and the public key
 * are in plain text and not authenticated, so they are compared with the decrypted key and with the venue before
 * signing.
 */
import * as z from 'zod/mini';
import * as JsonText from '../text/JsonText.js';
import * as Keystore from './Keystore.js';

export type VenueKey = Keystore.Encrypted & KeySlot & { /** 80 hexadecimal digits. */ publicKey: string };

/** The network, account and slot that a key belongs to. */
export type KeySlot = { network: string; accountIndex: number; apiKeyIndex: number };

/** The length of a private key in bytes. */
const bytes = 40;

const schema = z.object({
  version: Keystore.version,
  venue: z.object({
    network: z.string(),
    accountIndex: z.int().check(z.nonnegative()),
    apiKeyIndex: z.int().check(z.nonnegative()),
    publicKey: z.string().check(z.regex(/^[0-9a-f]{80}$/)),
  }),
  crypto: Keystore.crypto(String(bytes)),
});

/** Whether a file's text is a venue key file rather than a wallet keystore. */
export function isOne(text: string): boolean {
  const value = JsonText.read(text);
  return typeof value === 'object' && value !== null && 'venue' in value;
}

/**
 * Parses the text of a venue key file.
 *
 * @throws auth.keystore without revealing any of the content
 */
export function from(text: string, path: string): VenueKey {
  const parsed = schema.safeParse(Keystore.parse(text, path));
  if (!parsed.success) throw new Keystore.KeystoreError(path, 'it does not contain an API key of a venue account');
  const { venue, crypto } = parsed.data;
  return { ...venue, ...Keystore.encryptedFrom(crypto, path) };
}

/** Formats a venue key file. `id` is the file's UUID; nothing depends on it. */
export function format(key: VenueKey, id: string): string {
  const { network, accountIndex, apiKeyIndex, publicKey, ...encrypted } = key;
  const venue = { network, accountIndex, apiKeyIndex, publicKey };
  return `${JSON.stringify({ version: 3, id, venue, crypto: Keystore.toCrypto(encrypted) })}\n`;
}
