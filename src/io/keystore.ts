/** The folder of encrypted keys, one Web3 V3 file each, named as `cast wallet` names them. */
import { createCipheriv, createDecipheriv, pbkdf2, randomUUID, scrypt, timingSafeEqual } from 'node:crypto';
import { chmod, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { keccak256 } from 'viem/utils';
import * as Address from '../core/Address.js';
import type { Config } from '../core/Config.js';
import { BaseError } from '../core/Errors.js';
import type * as KeyFolder from '../core/KeyFolder.js';
import * as Keystore from '../core/Keystore.js';
import type * as Secret from '../core/Secret.js';
import { nearest } from '../core/Suggestion.js';
import * as configFile from './configFile.js';
import type { Host } from './host.js';
import * as keyFile from './keyFile.js';
import { loadAccounts } from './secp256k1.js';
import * as wholeFile from './wholeFile.js';

export type Parts = keyFile.Asking & {
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'stdin' | 'randomBytes'>;
  config: Pick<Config, 'passwordFile'>;
};

/** Where API keys of the venue are kept within the folder: no wallet's key can be called so. */
export const venueFolder = 'venue.keys';

/** `FERRY_KEYSTORE_DIR`, else `keys` beside the user's configuration. */
export function folder(host: Pick<Host, 'env' | 'cwd' | 'home'>): string {
  const { FERRY_KEYSTORE_DIR: own } = host.env;
  return own ? resolve(host.cwd, own) : join(configFile.folder(host), 'keys');
}

/** The keystore as commands use it. */
export function createKeystore(parts: Parts): KeyFolder.Keystore {
  const { host } = parts;
  const directory = folder(host);
  const path = (name: string) => join(directory, name);

  /** Encrypts and writes a key under a name that is free. */
  const keep = async (name: string, key: Secret.Secret): Promise<KeyFolder.StoredKey> => {
    const password = await newPassword(name, parts);
    const address = await toAddress(key);
    const encrypted = await encrypt(key, password, host.randomBytes);
    const text = Keystore.format({ ...encrypted, address }, randomUUID());
    await wholeFile.create(path(name), text).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new ExistsError(name, path(name)) : new UnwritableError(path(name), error);
    });
    await chmod(directory, 0o700).catch(() => {});
    return { name, address, path: path(name) };
  };

  return {
    folder: directory,
    list: () => list(directory),
    async create(name) {
      await assertFree(name, directory);
      for (;;) {
        const digits = Buffer.from(host.randomBytes(32)).toString('hex');
        // Out of 2^256 texts about 2^128 are no keys.
        const key = tryKey(digits);
        if (key) return keep(name, key);
      }
    },
    async add(name, file) {
      await assertFree(name, directory);
      const key = file === undefined ? await keyFile.askKey(parts) : await keyFile.readKey(file, host);
      return keep(name, key);
    },
    async remove(name) {
      const stored = await find(directory, name);
      await unlink(stored.path).catch((error: NodeJS.ErrnoException) => {
        throw new UnwritableError(stored.path, error);
      });
      return stored;
    },
  };
}

/** The stored key of a name. @throws auth.unknown-account · auth.keystore */
export async function find(directory: string, name: string): Promise<KeyFolder.StoredKey> {
  const stored = await list(directory);
  const found = stored.find((each) => each.name === name);
  if (found) return found;
  const path = join(directory, name);
  // A file of that name that the list leaves out is broken, and reading it says how.
  if (Keystore.isName(name) && (await stat(path).catch(() => undefined))) Keystore.from(await readText(path), path);
  throw new UnknownAccountError(
    name,
    directory,
    stored.map((each) => each.name),
  );
}

/**
 * Opens a stored key. Takes about a second, and the password is asked where no file holds it.
 *
 * @throws auth.password · auth.keystore · prompt.*
 */
export async function unlock({ name, path }: KeyFolder.StoredKey, parts: Parts): Promise<Secret.Secret> {
  const keystore = Keystore.from(await readText(path), path);
  const { value: file } = parts.config.passwordFile;
  const password =
    file === undefined ? await keyFile.askPassword(name, parts) : await keyFile.readPassword(file, parts.host);
  const key = await decrypt(keystore, password, { name, path });
  const address = await toAddress(key);
  if (keystore.address && !Address.isEqual(keystore.address, address))
    throw new Keystore.KeystoreError(path, `it names ${keystore.address}, and its key is that of ${address}`);
  return key;
}

/** Encrypts a key of any length, written in hex after 0x. */
export async function encrypt(
  key: Secret.Secret,
  password: string,
  randomBytes: Host['randomBytes'],
): Promise<Keystore.Encrypted> {
  const salt = Buffer.from(randomBytes(32)).toString('hex');
  const iv = Buffer.from(randomBytes(16));
  const kdf: Keystore.Kdf = { name: 'scrypt', ...Keystore.scryptCost, salt };
  const derived = await derive(password, kdf);
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const plain = Buffer.from(key.reveal().slice(2), 'hex');
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  plain.fill(0);
  return {
    ciphertext: ciphertext.toString('hex'),
    iv: iv.toString('hex'),
    mac: mac(derived, ciphertext).toString('hex'),
    kdf,
  };
}

/** Decrypts a wallet's key. @throws auth.password · auth.keystore */
export async function decrypt(
  keystore: Keystore.Encrypted,
  password: string,
  { name, path }: { name: string; path: string },
): Promise<Secret.Secret> {
  const key = tryKey((await decryptBytes(keystore, password, name)).toString('hex'));
  if (!key) throw new Keystore.KeystoreError(path, 'what it holds is not a private key');
  return key;
}

/** Decrypts whatever a file holds. @throws auth.password */
export async function decryptBytes(keystore: Keystore.Encrypted, password: string, name: string): Promise<Buffer> {
  const derived = await derive(password, keystore.kdf);
  const ciphertext = Buffer.from(keystore.ciphertext, 'hex');
  if (!timingSafeEqual(mac(derived, ciphertext), Buffer.from(keystore.mac, 'hex'))) throw new PasswordError(name);
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), Buffer.from(keystore.iv, 'hex'));
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

/** The stored keys by name. What is not a keystore is left out. */
async function list(directory: string): Promise<KeyFolder.StoredKey[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Keystore.KeystoreError(directory, error.code ?? 'unknown');
  });
  const stored: KeyFolder.StoredKey[] = [];
  for (const name of names.filter(Keystore.isName).sort()) {
    const path = join(directory, name);
    try {
      stored.push({ name, address: Keystore.from(await readText(path), path).address, path });
    } catch (error) {
      if (!(error instanceof Keystore.KeystoreError)) throw error;
    }
  }
  return stored;
}

/** @throws usage.invalid · auth.key-exists */
export async function assertFree(name: string, directory: string): Promise<void> {
  Keystore.assertName(name);
  // API keys of the venue stand beside the wallets' keys, and a name is to mean one of them.
  for (const path of [join(directory, name), join(directory, venueFolder, name)])
    if (await stat(path).catch(() => undefined)) throw new ExistsError(name, path);
}

export async function newPassword(name: string, parts: Parts): Promise<string> {
  const { value: file } = parts.config.passwordFile;
  return file === undefined ? keyFile.askNewPassword(name, parts) : keyFile.readPassword(file, parts.host);
}

export async function readText(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > 65_536) throw new Keystore.KeystoreError(path, 'it is not a keystore file');
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Keystore.KeystoreError(path, error.code ?? 'unknown');
  });
}

/** Elliptic curves are loaded here and not with the module, which every command makes. */
async function toAddress(key: Secret.Secret): Promise<Address.Address> {
  const { privateKeyToAddress } = await loadAccounts();
  return privateKeyToAddress(keyFile.reveal(key));
}

async function derive(password: string, kdf: Keystore.Kdf): Promise<Buffer> {
  const salt = Buffer.from(kdf.salt, 'hex');
  if (kdf.name === 'pbkdf2') return promisify(pbkdf2)(password, salt, kdf.c, 32, 'sha256');
  const cost = { N: kdf.n, r: kdf.r, p: kdf.p, maxmem: Keystore.maxMemory };
  return new Promise((done, fail) => {
    scrypt(password, salt, 32, cost, (error, derived) => (error ? fail(error) : done(derived)));
  });
}

function mac(derived: Buffer, ciphertext: Buffer): Buffer {
  return Buffer.from(keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]), 'bytes'));
}

function tryKey(digits: string): Secret.Secret | undefined {
  try {
    return keyFile.toKey(digits, '');
  } catch {
    return undefined;
  }
}

export class PasswordError extends BaseError {
  override name = 'PasswordError';
  constructor(name: string) {
    super('auth.password', `The password does not open the key ${name}.`);
  }
}

export class ExistsError extends BaseError {
  override name = 'ExistsError';
  constructor(name: string, path: string) {
    super('auth.key-exists', `There is a key ${name} already.`, {
      facts: [['file', path]],
      hint: 'ferry never overwrites a key. Choose another name, or remove the old one.',
      next: 'ferry key list',
    });
  }
}

export class UnknownAccountError extends BaseError {
  override name = 'UnknownAccountError';
  constructor(name: string, directory: string, names: readonly string[]) {
    const near = nearest(name, names);
    super('auth.unknown-account', `There is no account ${name}.`, {
      facts: [
        ['keys', names.length > 0 ? names.join(', ') : 'none'],
        ['folder', directory],
      ],
      hint: near ? `Did you mean ${near}?` : undefined,
      next: 'ferry key list',
    });
  }
}

export class UnwritableError extends BaseError {
  override name = 'UnwritableError';
  constructor(path: string, cause: NodeJS.ErrnoException) {
    super('config.unwritable', 'The key file cannot be written.', {
      facts: [
        ['file', path],
        ['reason', cause.code ?? 'unknown'],
      ],
      cause,
    });
  }
}
