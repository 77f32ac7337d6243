/** The folder of encrypted keys, one Web3 V3 file per key, with the names `cast wallet` uses. */
import { randomUUID } from 'node:crypto';
import { chmod, readdir, readFile, realpath, stat, unlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type * as KeyStores from '../../core/accounts/KeyStores.js';
import * as Keystore from '../../core/accounts/Keystore.js';
import * as PasswordRule from '../../core/accounts/PasswordRule.js';
import * as Address from '../../core/base/Address.js';
import { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import type * as Secret from '../../core/base/Secret.js';
import type { Config } from '../../core/config/Config.js';
import { nearest } from '../../core/text/DidYouMean.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { attempt } from '../files/attempt.js';
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

export function createKeystore(parts: KeystoreAccess): KeyStores.Keystore {
  const { host } = parts;
  const directory = paths.keys(host);
  const files = walletFiles(parts);

  const keep = async (name: string, key: Secret.Secret, password: string): Promise<KeyStores.StoredKey> => {
    const address = await toAddress(key);
    const format = (encrypted: Keystore.Encrypted): string => Keystore.format({ ...encrypted, address }, randomUUID());
    return files.keep({ name, said: { address }, key, password, format });
  };

  return {
    folder: directory,
    ...files,
    unnamed: () => unnamed(directory),
    async holds(path) {
      const [file, own] = await Promise.all([path, directory].map((each) => realpath(each).catch(() => undefined)));
      return file !== undefined && own !== undefined && file.startsWith(own + sep);
    },
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
      const words = await secretFile.readOrAsk('words', file, parts);
      const place = file === undefined ? 'the prompt' : file === '-' ? 'stdin' : file;
      return keep(name, await toKey(words.reveal(), derivation, place), await newPassword(name, rule, parts));
    },
    async add(name, file, rule = {}) {
      await assertFree(name, directory);
      const key = await secretFile.readOrAsk('key', file, parts);
      return keep(name, key, await newPassword(name, rule, parts));
    },
    async addEncrypted(name, file, rule = {}) {
      await assertFree(name, directory);
      const { opened, password } = await files.open({ name, ...file });
      return keep(name, opened.key, await keptPassword(name, password, { ...rule, parts }));
    },
  };
}

type NamedFile = KeyStores.EncryptedFile & { name: string };

/** A kind of keys: what their files say without a password, and what they hold. */
export type KeyKind<Said, Opened extends { key: Secret.Secret }> = {
  /** @throws auth.keystore */
  read(text: string, path: string): { said: Said; encrypted: Keystore.Encrypted };
  /** @throws auth.keystore if that is no key, or another one than the file says */
  open(secret: Buffer, said: Said, file: NamedFile): Promise<Opened>;
  /** Why a name is not listed. @throws auth.keystore */
  explain?(name: string, directory: string): Promise<void>;
};

const walletKeys: KeyKind<Pick<KeyStores.StoredKey, 'address'>, { key: Secret.Secret }> = {
  read(text, path) {
    const { address, ...encrypted } = Keystore.from(text, path);
    return { said: { address }, encrypted };
  },
  async open(secret, said, { path }) {
    const key = tryKey(secret.toString('hex').padStart(64, '0'));
    if (!key) throw new Keystore.KeystoreError(path, 'it does not hold a private key');
    const address = await toAddress(key);
    if (said.address && !Address.isEqual(said.address, address))
      throw new Keystore.KeystoreError(path, `it names the address ${said.address}, but holds the key of ${address}`);
    return { key };
  },
  async explain(name, directory) {
    const path = join(directory, name);
    // A file of that name that is not listed is broken; reading it throws the reason.
    if (Keystore.isName(name) && (await stat(path).catch(() => undefined))) Keystore.from(await readText(path), path);
    const other = (await unnamed(directory)).find((each) => each === path);
    if (other !== undefined) throw new Keystore.KeystoreError(other, oddName(other));
  },
};

export function walletFiles(parts: KeystoreAccess) {
  return createKeyFiles(walletKeys, paths.keys(parts.host), parts);
}

/** What stores of all kinds of keys do with their files. */
export function createKeyFiles<Said, Opened extends { key: Secret.Secret }>(
  kind: KeyKind<Said, Opened>,
  directory: string,
  parts: KeystoreAccess,
) {
  type Stored = Said & { name: string; path: string };

  /** Sorted by name. Files that are no keys are skipped. @throws auth.keystore if the folder is unreadable */
  async function list(): Promise<Stored[]> {
    const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw new Keystore.KeystoreError(directory, error.code ?? 'unknown');
    });
    const stored: Stored[] = [];
    for (const name of names.filter(Keystore.isName).sort()) {
      const path = join(directory, name);
      try {
        stored.push({ ...kind.read(await readText(path), path).said, name, path });
      } catch (error) {
        if (!(error instanceof Keystore.KeystoreError)) throw error;
      }
    }
    return stored;
  }

  /** @throws auth.unknown-account · auth.keystore */
  async function find(name: string): Promise<Stored> {
    const stored = await list();
    const found = stored.find((each) => each.name === name);
    if (found) return found;
    await kind.explain?.(name, directory);
    throw unknownAccountError(name, directory, stored);
  }

  /** What a file holds, and its password, which is prompted for unless a file with it is configured. @throws auth.* · prompt.* */
  async function open(file: NamedFile): Promise<{ opened: Opened; password: string }> {
    const { said, encrypted } = kind.read(file.text, file.path);
    const both = async (password: string) => {
      const secret = await keystoreCipher.decrypt(encrypted, password, file.name);
      return { opened: await kind.open(secret, said, file), password };
    };
    const { value: passwordFile } = parts.config.passwordFile;
    return passwordFile === undefined
      ? secretFile.askPassword(file.name, parts, both)
      : both(await secretFile.readPassword(passwordFile, parts.host));
  }

  return {
    list,
    find,
    open,
    /** Takes about a second. @throws like `open` */
    unlock: async ({ name, path }: { name: string; path: string }): Promise<Opened> =>
      (await open({ name, path, text: await readText(path) })).opened,
    text: async (name: string): Promise<string> => readText((await find(name)).path),
    async keep(to: {
      name: string;
      said: Said;
      key: Secret.Secret;
      password: string;
      format(encrypted: Keystore.Encrypted): string;
    }): Promise<Stored> {
      const path = join(directory, to.name);
      const text = to.format(await keystoreCipher.encrypt(to.key, to.password, parts.host));
      writing(to.name, path, () => atomicWrite.create(path, text));
      await chmod(directory, 0o700).catch(() => {});
      return { ...to.said, name: to.name, path };
    },
    /** The old file stays in place until the new one has been verified and is durable on disk. */
    async changePassword(
      name: string,
      newPasswordFile: string | undefined,
      rule: PasswordRule.PasswordRule = {},
    ): Promise<void> {
      const { path } = await find(name);
      const text = await readText(path);
      const { key } = (await open({ name, path, text })).opened;
      const flag = '--new-password-file';
      const password = await secretFile.newPassword(name, newPasswordFile, parts, { ...rule, flag });
      const encrypted = await keystoreCipher.encrypt(key, password, parts.host);
      const again = (await keystoreCipher.decrypt(encrypted, password, name)).toString('hex');
      if (`0x${again}` !== key.reveal())
        throw new Keystore.KeystoreError(path, 'the encrypted key could not be decrypted again');
      writing(name, path, () => atomicWrite.replace(path, Keystore.reformat(text, encrypted, path)));
    },
    async remove(name: string): Promise<Stored> {
      const stored = await find(name);
      await unlink(stored.path).catch((error: NodeJS.ErrnoException) => {
        throw unwritableKeystoreError(stored.path, error);
      });
      return stored;
    },
    async rename(name: string, to: string): Promise<Stored> {
      const stored = await find(name);
      await assertFree(to, paths.keys(parts.host));
      const path = join(directory, to);
      writing(to, path, () => atomicWrite.move(stored.path, path));
      return { ...stored, name: to, path };
    },
  };
}

/** Puts a key file in its place. @throws auth.key-exists · config.unwritable */
function writing(name: string, path: string, put: () => void): void {
  try {
    put();
  } catch (thrown) {
    const error = thrown as NodeJS.ErrnoException;
    throw error.code === 'EEXIST' ? existsError(name, path) : unwritableKeystoreError(path, error);
  }
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

/** The password for a new key. @throws auth.keystore · auth.weak-password · prompt.* */
export function newPassword(name: string, rule: secretFile.NewPassword, parts: KeystoreAccess): Promise<string> {
  return secretFile.newPassword(name, parts.config.passwordFile.value, parts, rule);
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
  if (file === undefined) return newPassword(name, { ...rule, why }, parts);
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
  return privateKeyToAddress(key.reveal() as Hex);
}

function tryKey(digits: string): Secret.Secret | undefined {
  return attempt(() => secretFile.toKey(digits, ''));
}

function existsError(name: string, path: string): BaseError {
  return new BaseError('auth.key-exists', `A key named ${name} already exists.`, {
    facts: [['file', path]],
    hint: 'ferry never overwrites a key. Choose another name, or remove the existing key.',
    next: 'ferry key list',
  });
}

function unknownAccountError(name: string, directory: string, stored: readonly { name: string }[]): BaseError {
  const names = stored.map((each) => each.name);
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

function unwritableKeystoreError(path: string, cause: NodeJS.ErrnoException): BaseError {
  return new BaseError('config.unwritable', 'The key file cannot be written.', {
    facts: [
      ['file', path],
      ['reason', reasonOf(cause)],
    ],
    hint: 'Set FERRY_KEYSTORE_DIR to another directory.',
    cause,
  });
}
