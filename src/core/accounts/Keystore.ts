/** Encrypted key files: Web3 Secret Storage version 3, as written by `cast wallet`, geth and others. */
import * as z from 'zod/mini';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import * as DevelopmentAccount from '../network/DevelopmentAccount.js';

/** The content of a keystore file. */
export type Keystore = Encrypted & {
  /** Optional in the format. It is not authenticated: compare it with the decrypted key before signing. */
  address: Address.Address | undefined;
};

/** An encrypted secret. As in the file format, hex has no `0x` prefix. */
export type Encrypted = {
  ciphertext: string;
  iv: string;
  mac: string;
  kdf: Kdf;
};

export type Kdf = ({ name: 'scrypt'; salt: string } & ScryptCost) | { name: 'pbkdf2'; c: number; salt: string };

/** Upper bound on scrypt memory in bytes: enough for files from geth and ethers, yet safe for untrusted ones. */
export const maxMemory = 512 * 1024 * 1024;

/** The work factors of scrypt. */
export type ScryptCost = { n: number; r: number; p: number };

/** The scrypt cost of new files: 256 MiB of memory and about a second. */
export const scryptCost: ScryptCost = { n: 2 ** 18, r: 8, p: 1 };

const hex = (bytes: number) => z.string().check(z.regex(new RegExp(`^[0-9a-fA-F]{${bytes * 2}}$`)));
const salt = z.string().check(z.regex(/^([0-9a-fA-F]{2}){1,64}$/));
const upTo = (max: number) => z.int().check(z.gte(1), z.lte(max));

/** The schema of the `crypto` member for a secret of `bytes` bytes. */
export const crypto = (bytes: number) =>
  z.intersection(
    z.object({
      cipher: z.literal('aes-128-ctr'),
      cipherparams: z.object({ iv: hex(16) }),
      ciphertext: hex(bytes),
      mac: hex(32),
    }),
    z.discriminatedUnion('kdf', [
      z.object({
        kdf: z.literal('scrypt'),
        kdfparams: z.object({ dklen: z.literal(32), n: upTo(2 ** 20), r: upTo(32), p: upTo(8), salt }),
      }),
      z.object({
        kdf: z.literal('pbkdf2'),
        kdfparams: z.object({ dklen: z.literal(32), c: upTo(10_000_000), prf: z.literal('hmac-sha256'), salt }),
      }),
    ]),
  );

const schema = z.object({
  version: z.literal(3),
  address: z.optional(z.string().check(z.regex(/^(0x)?[0-9a-fA-F]{40}$/))),
  crypto: crypto(32),
});

/**
 * Parses the text of a keystore file. KDF costs are bounded, so an untrusted file cannot exhaust the machine.
 *
 * @throws auth.keystore without revealing any of the content
 */
export function from(text: string, path: string): Keystore {
  const parsed = schema.safeParse(parse(text, path));
  if (!parsed.success) throw new KeystoreError(path, 'it is not a version 3 keystore that ferry can read');
  const { address, crypto: encrypted } = parsed.data;
  return {
    address: address === undefined ? undefined : Address.from(`0x${address.replace(/^0x/, '').toLowerCase()}`),
    ...encryptedFrom(encrypted, path),
  };
}

/** Converts the decoded `crypto` member. @throws auth.keystore if the KDF costs are out of bounds */
export function encryptedFrom(wire: z.output<ReturnType<typeof crypto>>, path: string): Encrypted {
  const kdf: Kdf =
    wire.kdf === 'scrypt'
      ? { name: 'scrypt', ...scrypt(wire.kdfparams, path) }
      : { name: 'pbkdf2', c: wire.kdfparams.c, salt: wire.kdfparams.salt };
  return { ciphertext: wire.ciphertext, iv: wire.cipherparams.iv, mac: wire.mac, kdf };
}

/** Formats a keystore file. `id` is the file's UUID; nothing depends on it. */
export function format(keystore: Keystore & { address: Address.Address }, id: string): string {
  const address = keystore.address.slice(2).toLowerCase();
  return `${JSON.stringify({ version: 3, id, address, crypto: toCrypto(keystore) })}\n`;
}

/** The `crypto` member as written to a file. */
export function toCrypto({ kdf: { name, ...params }, iv, ciphertext, mac }: Encrypted): Record<string, unknown> {
  return {
    cipher: 'aes-128-ctr',
    cipherparams: { iv },
    ciphertext,
    kdf: name,
    kdfparams: { dklen: 32, ...(name === 'pbkdf2' ? { prf: 'hmac-sha256' } : {}), ...params },
    mac,
  };
}

/**
 * Replaces the encrypted secret in a file's text and keeps everything else as another tool wrote it.
 *
 * @throws auth.keystore
 */
export function reformat(text: string, encrypted: Encrypted, path: string): string {
  return `${JSON.stringify({ ...(parse(text, path) as object), crypto: toCrypto(encrypted) })}\n`;
}

/** Whether a text is a valid key name: safe as a file name, and not a development account. */
export function isName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text) && DevelopmentAccount.index(text.toLowerCase()) === undefined;
}

/** Asserts that a text is a valid key name. @throws usage.invalid */
export function assertName(text: string): void {
  if (!isName(text)) throw new NameError(text);
}

/** Parses JSON without revealing the content in errors. @throws auth.keystore */
export function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KeystoreError(path, 'it is not JSON');
  }
}

function scrypt({ n, r, p, salt }: ScryptCost & { salt: string }, path: string) {
  if ((n & (n - 1)) !== 0 || n < 2) throw new KeystoreError(path, 'its scrypt cost is not a power of two');
  if (128 * r * (n + p + 2) > maxMemory) throw new KeystoreError(path, 'it requires more than 512 MiB of memory');
  return { n, r, p, salt };
}

export class KeystoreError extends BaseError {
  override name = 'KeystoreError';
  constructor(path: string, reason: string) {
    super('auth.keystore', 'The keystore cannot be used.', {
      facts: [
        ['file', path],
        ['reason', reason],
      ],
    });
  }
}

export class NameError extends BaseError {
  override name = 'NameError';
  constructor(text: string) {
    const isReserved = DevelopmentAccount.index(text.toLowerCase()) !== undefined;
    super('usage.invalid', `A key cannot be named "${text.slice(0, 70)}".`, {
      hint: isReserved
        ? 'dev0 to dev9 are the development accounts of the sandbox.'
        : 'Use at most 64 letters, digits, dashes and underscores, starting with a letter or digit.',
    });
  }
}
