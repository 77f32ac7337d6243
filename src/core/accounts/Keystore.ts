/** Encrypted key files: Web3 Secret Storage version 3, as written by `cast wallet`, geth and others. */
import * as z from 'zod/mini';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import * as DevelopmentAccount from '../network/DevelopmentAccount.js';
import * as JsonKeys from '../text/JsonKeys.js';

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

export type ScryptCost = { n: number; r: number; p: number };

/** The scrypt cost of new files: 256 MiB of memory and about a second. */
export const scryptCost: ScryptCost = { n: 2 ** 18, r: 8, p: 1 };

const digits = (bytes: string) => z.string().check(z.regex(new RegExp(`^(0x)?([0-9a-fA-F]{2}){${bytes}}$`)));
const hex = (bytes: string) =>
  z.pipe(
    digits(bytes),
    z.transform((text) => text.replace(/^0x/, '')),
  );
const upTo = (max: number) => z.int().check(z.gte(1), z.lte(max));
const atLeast32 = z.int().check(z.gte(32), z.lte(1024));

/** Other tools write it as text. */
export const version = z.pipe(
  z.union([z.literal(3), z.literal('3')]),
  z.transform(() => 3 as const),
);

/** The schema of the `crypto` member for a secret of so many bytes: a number, or the least and the most. */
export const crypto = (bytes: string) =>
  z.intersection(
    z.object({
      cipher: z.literal('aes-128-ctr'),
      cipherparams: z.object({ iv: hex('16') }),
      ciphertext: hex(bytes),
      mac: hex('32'),
    }),
    z.discriminatedUnion('kdf', [
      z.object({
        kdf: z.literal('scrypt'),
        kdfparams: z.object({ dklen: atLeast32, n: upTo(2 ** 20), r: upTo(32), p: upTo(8), salt: hex('1,64') }),
      }),
      z.object({
        kdf: z.literal('pbkdf2'),
        kdfparams: z.object({
          dklen: atLeast32,
          c: upTo(10_000_000),
          prf: z.literal('hmac-sha256'),
          salt: hex('1,64'),
        }),
      }),
    ]),
  );

const noAddress = z.pipe(
  z.union([z.null(), z.literal('')]),
  z.transform(() => undefined),
);

/** Old tools wrote no leading zeros of a key, and some write an empty address. */
const schema = z.object({ version, address: z.optional(z.union([hex('20'), noAddress])), crypto: crypto('24,32') });

/** What ferry reads in each member of a file. The values of those without a mark are never shown. */
const readable: Readonly<Record<string, { expects: string; isOpen?: true }>> = {
  version: { expects: '3', isOpen: true },
  address: { expects: '40 hexadecimal digits', isOpen: true },
  crypto: { expects: 'an object with the encrypted key' },
  cipher: { expects: 'aes-128-ctr', isOpen: true },
  cipherparams: { expects: 'an object with the iv' },
  iv: { expects: '32 hexadecimal digits' },
  ciphertext: { expects: 'hexadecimal digits, 64 for the key of a wallet' },
  mac: { expects: '64 hexadecimal digits' },
  kdf: { expects: 'scrypt or pbkdf2', isOpen: true },
  kdfparams: { expects: 'an object' },
  dklen: { expects: 'a whole number from 32', isOpen: true },
  n: { expects: 'a power of two up to 1048576', isOpen: true },
  r: { expects: 'a whole number up to 32', isOpen: true },
  p: { expects: 'a whole number up to 8', isOpen: true },
  c: { expects: 'a whole number up to 10000000', isOpen: true },
  prf: { expects: 'hmac-sha256', isOpen: true },
  salt: { expects: 'hexadecimal digits' },
};

/**
 * Parses the text of a keystore file. KDF costs are bounded, so an untrusted file cannot exhaust the machine.
 *
 * @throws auth.keystore without revealing any of the content
 */
export function from(text: string, path: string): Keystore {
  const content = parse(text, path);
  if (content !== null && typeof content === 'object' && 'encseed' in content)
    throw unreadableKeystore(path, 'it is a wallet of the presale of 2014, and no version 3 keystore');
  const parsed = schema.safeParse(content);
  if (!parsed.success) throw unreadable(parsed.error.issues[0]?.path ?? [], content, path);
  const { address, crypto: encrypted } = parsed.data;
  return {
    address: address === undefined ? undefined : Address.from(`0x${address.toLowerCase()}`),
    ...encryptedFrom(encrypted, path),
  };
}

/** The error for the member at `at`, which names it, its value and what can be read. */
function unreadable(at: readonly PropertyKey[], content: unknown, path: string): KeystoreError {
  const key = String(at.at(-1) ?? '');
  const value = at.reduce<unknown>(
    (inner, each) => (inner as Record<PropertyKey, unknown> | undefined)?.[each],
    content,
  );
  const { expects, isOpen } = readable[key] ?? { expects: 'of another form' };
  const found =
    typeof value === 'string' || typeof value === 'number' ? `is ${String(value).slice(0, 40)}` : 'is neither';
  const is = value === undefined ? 'is missing' : isOpen ? found : 'has another form';
  if (at.length === 0) return unreadableKeystore(path, 'it is not an object, as version 3 keystores are');
  return unreadableKeystore(path, `${at.join('.')} ${is}: ferry reads version 3 keystores with ${key} ${expects}`);
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
  const kept = Object.entries(parse(text, path) as object).filter(([key]) => key !== 'crypto');
  return `${JSON.stringify({ ...Object.fromEntries(kept), crypto: toCrypto(encrypted) })}\n`;
}

/** Whether a text is a valid key name: safe as a file name, and not a development account. */
export function isName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text) && DevelopmentAccount.index(text.toLowerCase()) === undefined;
}

/** Asserts that a text is a valid key name. @throws usage.invalid */
export function assertName(text: string): void {
  if (!isName(text)) {
    const isReserved = DevelopmentAccount.index(text.toLowerCase()) !== undefined;
    throw new BaseError('usage.invalid', `A key cannot be named "${text.slice(0, 70)}".`, {
      hint: isReserved
        ? 'dev0 to dev9 are the development accounts of the sandbox.'
        : 'Use at most 64 letters, digits, dashes and underscores, starting with a letter or digit.',
    });
  }
}

/**
 * Parses JSON without revealing the content in errors. The names of members are in lower case, as geth reads them in any:
 * old wallets wrote `Crypto`.
 *
 * @throws auth.keystore
 */
export function parse(text: string, path: string): unknown {
  try {
    const json = text.replace(/^\uFEFF/, '');
    const content = lowerCased(JSON.parse(json), path);
    // Unknown members are not repeated: a secret may be in the wrong place.
    if (JsonKeys.repeated(json) !== undefined) throw new KeystoreError(path, 'it has a member twice');
    return content;
  } catch (error) {
    throw error instanceof KeystoreError ? error : new KeystoreError(path, 'it is not JSON');
  }
}

function lowerCased(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const found = new Map<string, unknown>();
  for (const [key, member] of Object.entries(value)) {
    const name = Object.hasOwn(readable, key.toLowerCase()) ? key.toLowerCase() : key;
    if (found.has(name)) throw new KeystoreError(path, `it has ${name} twice`);
    found.set(name, lowerCased(member, path));
  }
  return Object.fromEntries(found);
}

function scrypt({ n, r, p, salt }: ScryptCost & { salt: string }, path: string) {
  const cost = `crypto.kdfparams asks for scrypt with n ${n}, r ${r} and p ${p}`;
  if ((n & (n - 1)) !== 0 || n < 2) throw unreadableKeystore(path, `${cost}, and n must be a power of two`);
  if (128 * r * (n + p + 2) > maxMemory)
    throw unreadableKeystore(path, `${cost}, which takes more than 512 MiB of memory`);
  return { n, r, p, salt };
}

export class KeystoreError extends BaseError {
  override name = 'KeystoreError';
  constructor(path: string, reason: string, hint?: string) {
    super('auth.keystore', 'The keystore cannot be used.', {
      facts: [
        ['file', path],
        ['reason', reason],
      ],
      hint,
    });
  }
}

/** A file of another kind, or with parameters that ferry does not read. */
function unreadableKeystore(path: string, reason: string): KeystoreError {
  return new KeystoreError(
    path,
    reason,
    'Open it with the wallet that made it and export the private key, then pipe that into ferry key import <name> --key-file -.',
  );
}
