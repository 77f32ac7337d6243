/** The folder of encrypted keys, one Web3 V3 file per key, with the names `cast wallet` uses. */
import { randomUUID } from 'node:crypto';
import { chmod, readdir, readFile, realpath, stat, unlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type * as KeyStores from '../../core/accounts/KeyStores.js';
import * as Keystore from '../../core/accounts/Keystore.js';
import * as PasswordRule from '../../core/accounts/PasswordRule.js';
import * as Address from '../../core/base/Address.js';
import { BaseError } from '../../core/base/Errors.js';
import type * as Secret from '../../core/base/Secret.js';
import type { Config } from '../../core/config/Config.js';
import { nearest } from '../../core/text/DidYouMean.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { reasonOf } from '../files/fileError.js';
import { decode } from '../files/textDecoding.js';
import * as paths from '../state/paths.js';
import type { Host } from '../terminal/host.js';
import * as keystoreCipher from './keystoreCipher.js';
import * as secretFile from './secretFile.js';
import { loadAccounts } from './viemAccounts.js';

export type KeystoreAccess = secretFile.Asking & {
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'stdin' | 'signal' | 'randomBytes' | 'scryptCost'>;
  config: Pick<Config, 'passwordFile'>;
};

/** Creates the keystore that commands use. */
export function createKeystore(parts: KeystoreAccess): KeyStores.Keystore {
  const { host } = parts;
  const directory = paths.keys(host);
  const path = (name: string) => join(directory, name);

  /** Encrypts a key and writes it under an unused name. */
  const keep = async (name: string, key: Secret.Secret, password: string): Promise<KeyStores.StoredKey> => {
    const address = await toAddress(key);
    const encrypted = await keystoreCipher.encrypt(key, password, host);
    const text = Keystore.format({ ...encrypted, address }, randomUUID());
    createFile(name, path(name), text);
    await chmod(directory, 0o700).catch(() => {});
    return { name, address, path: path(name) };
  };

  return {
    folder: directory,
    list: () => list(directory),
    unnamed: () => unnamed(directory),
    find: (name) => find(directory, name),
    async holds(path) {
      const [file, own] = await Promise.all([path, directory].map((each) => realpath(each).catch(() => undefined)));
      return file !== undefined && own !== undefined && file.startsWith(own + sep);
    },
    text: async (name) => readText((await find(directory, name)).path),
    async create(name, rule = {}) {
      await assertFree(name, directory);
      for (;;) {
        const digits = Buffer.from(host.randomBytes(32)).toString('hex');
        // Of the 2^256 values, about 2^128 are not valid keys.
        const key = tryKey(digits);
        if (key) return keep(name, key, await newPassword(name, rule, parts));
      }
    },
    async createFromWords(name, { index, count }, rule = {}) {
      await assertFree(name, directory);
      const walletWords = await import('./walletWords.js');
      walletWords.assertTerminal(parts);
      const words = await walletWords.create(count);
      const key = await walletWords.toKey(words.reveal(), { index }, 'ferry');
      const password = await newPassword(name, rule, parts);
      await walletWords.show(words, parts, (below) => (host.randomBytes(1)[0] ?? 0) % below);
      return keep(name, key, password);
    },
    async addFromWords(name, file, derivation, rule = {}) {
      await assertFree(name, directory);
      const { toKey } = await import('./walletWords.js');
      const words = file === undefined ? await secretFile.askWords(parts) : await secretFile.readWords(file, host);
      const place = file === undefined ? 'the prompt' : file === '-' ? 'stdin' : file;
      return keep(name, await toKey(words.reveal(), derivation, place), await newPassword(name, rule, parts));
    },
    async add(name, file, rule = {}) {
      await assertFree(name, directory);
      const key = file === undefined ? await secretFile.askKey(parts) : await secretFile.readKey(file, host);
      return keep(name, key, await newPassword(name, rule, parts));
    },
    async addEncrypted(name, file, rule = {}) {
      await assertFree(name, directory);
      const { key, password } = await open({ name, ...file }, parts);
      return keep(name, key, await keptPassword(name, password, { ...rule, parts }));
    },
    async changePassword(name, newPasswordFile, rule = {}) {
      const { path: at } = await find(directory, name);
      const file = { name, path: at, text: await readText(at) };
      const { key } = await open(file, parts);
      await replacePassword(file, key, { parts, newPasswordFile, rule });
    },
    async remove(name) {
      const stored = await find(directory, name);
      await unlink(stored.path).catch((error: NodeJS.ErrnoException) => {
        throw unwritableKeystoreError(stored.path, error);
      });
      return stored;
    },
    async rename(name, to) {
      const stored = await find(directory, name);
      await assertFree(to, directory);
      renameFile(stored.path, { name: to, path: path(to) });
      return { ...stored, name: to, path: path(to) };
    },
  };
}

/** Finds a stored key by name. @throws auth.unknown-account · auth.keystore */
export async function find(directory: string, name: string): Promise<KeyStores.StoredKey> {
  const stored = await list(directory);
  const found = stored.find((each) => each.name === name);
  if (found) return found;
  const path = join(directory, name);
  // A file of that name that is not listed is broken; reading it throws the reason.
  if (Keystore.isName(name) && (await stat(path).catch(() => undefined))) Keystore.from(await readText(path), path);
  const other = (await unnamed(directory)).find((each) => each === path);
  if (other !== undefined) throw new Keystore.KeystoreError(other, oddName(other));
  throw unknownAccountError(
    name,
    directory,
    stored.map((each) => each.name),
  );
}

/**
 * Decrypts a stored key. Takes about a second, and prompts for the password unless a password file is configured.
 *
 * @throws auth.password · auth.keystore · prompt.*
 */
export async function unlock({ name, path }: KeyStores.StoredKey, parts: KeystoreAccess): Promise<Secret.Secret> {
  return (await open({ name, path, text: await readText(path) }, parts)).key;
}

type File = KeyStores.EncryptedFile & { name: string };

/** Decrypts a key file; returns the key and its password. */
async function open(
  { name, path, text }: File,
  parts: KeystoreAccess,
): Promise<{ key: Secret.Secret; password: string }> {
  const keystore = Keystore.from(text, path);
  const { opened: key, password } = await withPassword(name, parts, (typed) =>
    decrypt(keystore, typed, { name, path }),
  );
  const address = await toAddress(key);
  if (keystore.address && !Address.isEqual(keystore.address, address))
    throw new Keystore.KeystoreError(path, `it names the address ${keystore.address}, but holds the key of ${address}`);
  return { key, password };
}

/**
 * Re-encrypts a key file with a new password. The old file stays in place until the new one has been verified and is
 * durable on disk.
 *
 * @throws prompt.* · auth.* · config.unwritable
 */
export async function replacePassword(
  { name, path, text }: File,
  key: Secret.Secret,
  {
    parts,
    newPasswordFile,
    rule,
  }: { parts: KeystoreAccess; newPasswordFile: string | undefined; rule: PasswordRule.PasswordRule },
): Promise<void> {
  const password =
    newPasswordFile === undefined
      ? await secretFile.askNewPassword(name, parts, { ...rule, flag: '--new-password-file' })
      : await secretFile.readNewPassword(newPasswordFile, parts.host, rule);
  const encrypted = await keystoreCipher.encrypt(key, password, parts.host);
  const opened = (await keystoreCipher.decrypt(encrypted, password, name)).toString('hex');
  if (`0x${opened}` !== key.reveal())
    throw new Keystore.KeystoreError(path, 'the encrypted key could not be decrypted again');
  const reformatted = Keystore.reformat(text, encrypted, path);
  try {
    atomicWrite.replace(path, reformatted);
  } catch (error) {
    throw unwritableKeystoreError(path, error as NodeJS.ErrnoException);
  }
}

/** Writes a key file under a name that is free. @throws auth.key-exists · config.unwritable */
export function createFile(name: string, path: string, text: string): void {
  try {
    atomicWrite.create(path, text);
  } catch (thrown) {
    const error = thrown as NodeJS.ErrnoException;
    throw error.code === 'EEXIST' ? existsError(name, path) : unwritableKeystoreError(path, error);
  }
}

/** Moves a key file to a name that is free. @throws auth.key-exists · config.unwritable */
export function renameFile(from: string, { name, path }: { name: string; path: string }): void {
  try {
    atomicWrite.move(from, path);
  } catch (thrown) {
    const error = thrown as NodeJS.ErrnoException;
    throw error.code === 'EEXIST' ? existsError(name, path) : unwritableKeystoreError(from, error);
  }
}

/** Decrypts a wallet's key. @throws auth.password · auth.keystore */
async function decrypt(
  keystore: Keystore.Encrypted,
  password: string,
  { name, path }: { name: string; path: string },
): Promise<Secret.Secret> {
  const secret = await keystoreCipher.decrypt(keystore, password, name);
  const key = tryKey(secret.toString('hex').padStart(64, '0'));
  if (!key) throw new Keystore.KeystoreError(path, 'it does not hold a private key');
  return key;
}

/** The stored keys, sorted by name. Files that are not keystores are skipped. */
export async function list(directory: string): Promise<KeyStores.StoredKey[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Keystore.KeystoreError(directory, error.code ?? 'unknown');
  });
  const stored: KeyStores.StoredKey[] = [];
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

/** Paths of key files in the folder whose names are no names of keys, as those of geth are. */
async function unnamed(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((): string[] => []);
  const found: string[] = [];
  for (const path of names.filter((name) => !Keystore.isName(name)).map((name) => join(directory, name)))
    if (await isKeyFile(path)) found.push(path);
  return found.sort();
}

async function isKeyFile(path: string): Promise<boolean> {
  try {
    Keystore.from(await readText(path), path);
    return true;
  } catch {
    return false;
  }
}

/** Why a key file is not used, and what to do. */
export function oddName(path: string): string {
  return `ferry takes no key of this file name: ferry key import <name> --keystore ${ShellCommand.word(path)}`;
}

/** @throws usage.invalid · auth.key-exists */
export async function assertFree(name: string, directory: string): Promise<void> {
  Keystore.assertName(name);
  // A name must be unique across wallet keys and venue API keys.
  for (const path of [join(directory, name), join(directory, paths.venueFolder, name)])
    if (await stat(path).catch(() => undefined)) throw existsError(name, path);
}

/**
 * Opens an existing key with its password, from the password file or a prompt; returns both.
 *
 * @throws auth.password · auth.keystore · prompt.* · whatever else `open` throws
 */
export async function withPassword<T>(
  name: string,
  parts: KeystoreAccess,
  open: (password: string) => Promise<T>,
): Promise<{ opened: T; password: string }> {
  const { value: file } = parts.config.passwordFile;
  const both = async (password: string) => ({ opened: await open(password), password });
  return file === undefined
    ? secretFile.askPassword(name, parts, both)
    : both(await secretFile.readPassword(file, parts.host));
}

/** The password for a new key. @throws auth.keystore · auth.weak-password · prompt.* */
export async function newPassword(
  name: string,
  rule: PasswordRule.PasswordRule,
  parts: KeystoreAccess,
): Promise<string> {
  const { value: file } = parts.config.passwordFile;
  return file === undefined
    ? secretFile.askNewPassword(name, parts, rule)
    : secretFile.readNewPassword(file, parts.host, rule);
}

/**
 * The password for ferry's copy of an encrypted file: the file's own, or on a terminal a new one if that does not fit.
 *
 * @throws auth.weak-password · prompt.*
 */
export async function keptPassword(
  name: string,
  password: string,
  { parts, ...rule }: PasswordRule.PasswordRule & { parts: KeystoreAccess },
): Promise<string> {
  const why = PasswordRule.objection(password, rule);
  if (why === undefined) return password;
  const { value: file } = parts.config.passwordFile;
  if (file === undefined) return secretFile.askNewPassword(name, parts, { ...rule, why });
  PasswordRule.assertFit(password, rule, file === '-' ? 'stdin' : file);
  return password;
}

export async function readText(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > 65_536) throw new Keystore.KeystoreError(path, 'it is not a keystore file');
  return readFile(path).then(decode, (error: NodeJS.ErrnoException) => {
    throw new Keystore.KeystoreError(path, error.code ?? 'unknown');
  });
}

/** Loads the elliptic curve code lazily, since every command loads this module. */
async function toAddress(key: Secret.Secret): Promise<Address.Address> {
  const { privateKeyToAddress } = await loadAccounts();
  return privateKeyToAddress(secretFile.reveal(key));
}

function tryKey(digits: string): Secret.Secret | undefined {
  try {
    return secretFile.toKey(digits, '');
  } catch {
    return undefined;
  }
}

function existsError(name: string, path: string): BaseError {
  return new BaseError('auth.key-exists', `A key named ${name} already exists.`, {
    facts: [['file', path]],
    hint: 'ferry never overwrites a key. Choose another name, or remove the existing key.',
    next: 'ferry key list',
  });
}

export function unknownAccountError(name: string, directory: string, names: readonly string[]): BaseError {
  const near = nearest(name, names);
  const ofSandbox = /^dev\d*$/i.test(name) ? 'The development accounts of the sandbox are dev0 to dev9.' : undefined;
  return new BaseError('auth.unknown-account', `There is no account named ${name}.`, {
    facts: [
      ['keys', names.length > 0 ? names.join(', ') : 'none'],
      ['folder', directory],
    ],
    hint: near ? `Did you mean ${near}?` : ofSandbox,
    next: 'ferry key list',
  });
}

export function unwritableKeystoreError(path: string, cause: NodeJS.ErrnoException): BaseError {
  return new BaseError('config.unwritable', 'The key file cannot be written.', {
    facts: [
      ['file', path],
      ['reason', reasonOf(cause)],
    ],
    hint: 'Set FERRY_KEYSTORE_DIR to another directory.',
    cause,
  });
}
