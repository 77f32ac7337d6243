/** Ports to the folder of encrypted keys: wallet keys, and API keys of venue accounts. */
import type { Address } from '../base/Address.js';
import type { PasswordRule } from './PasswordRule.js';
import type { VenueAccount } from './VenueAccount.js';
import type { KeySlot } from './VenueKeyFile.js';

export type KeyFiles = {
  /** The encrypted file of a key, verbatim. */
  text(name: string): Promise<string>;
  /**
   * Re-encrypts a key with a new password. The old password is obtained as for signing; the new one comes from a file,
   * `-` for stdin, or is prompted for twice. The old file is kept until the new one is complete.
   */
  changePassword(name: string, newPasswordFile: string | undefined, rule?: PasswordRule): Promise<void>;
};

/** An encrypted file from another program or another ferry. */
export type EncryptedFile = { path: string; text: string };

/** The wallet keys. All methods throw `auth.*`; writing throws `config.unwritable`, prompting `prompt.*`. */
export type Keystore = KeyFiles & {
  folder: string;
  list(): Promise<readonly StoredKey[]>;
  /** Paths of the key files that other tools gave names that ferry does not take. */
  unnamed(): Promise<readonly string[]>;
  /** Finds a key by name. @throws auth.unknown-account */
  find(name: string): Promise<StoredKey>;
  /** Whether a path is an existing file in the folder, for either kind of key. */
  holds(path: string): Promise<boolean>;
  /** Creates a random key. The password comes from the password file, else it is prompted for twice. */
  create(name: string, rule?: PasswordRule): Promise<StoredKey>;
  /** Creates a key from random words, which are shown once and not kept. @throws prompt.unavailable without a terminal */
  createFromWords(name: string, words: Derivation & { count: 12 | 24 }, rule?: PasswordRule): Promise<StoredKey>;
  /** Imports a key from a file, `-` for stdin, or a prompt, and encrypts it like a new one. */
  add(name: string, keyFile: string | undefined, rule?: PasswordRule): Promise<StoredKey>;
  /** Imports the key of words from a file, `-` for stdin, or a prompt. */
  addFromWords(name: string, wordFile: string | undefined, words: Derivation, rule?: PasswordRule): Promise<StoredKey>;
  /**
   * Imports an encrypted file; its password also decrypts the new file. If the password does not fit the rule, a new
   * one is prompted for.
   */
  addEncrypted(name: string, file: EncryptedFile, rule?: PasswordRule): Promise<StoredKey>;
  remove(name: string): Promise<StoredKey>;
  /** Gives a key a name that is free; its file is the same. */
  rename(name: string, to: string): Promise<StoredKey>;
};

/** Which key of BIP-39's words is meant: that of `m/44'/60'/0'/0/index`. */
export type Derivation = { index: number };

/** A stored wallet key. The address is undefined if another tool wrote the file without it. */
export type StoredKey = { name: string; address: Address | undefined; path: string };

/** The API keys of venue accounts. They share one namespace with wallet keys, and throw the same errors. */
export type VenueKeys = KeyFiles & {
  list(): Promise<readonly StoredVenueKey[]>;
  /** Imports a key from a file, `-` for stdin, or a prompt, and encrypts it like a wallet key. */
  add(name: string, keyFile: string | undefined, place: KeySlot & PasswordRule): Promise<StoredVenueKey>;
  /** Imports a file that ferry encrypted, for the account and slot recorded in it. */
  addEncrypted(name: string, file: EncryptedFile, rule?: PasswordRule): Promise<StoredVenueKey>;
  /** Undefined if no API key has that name. */
  remove(name: string): Promise<StoredVenueKey | undefined>;
  /** Gives a key a name that is free; its file is the same. Undefined if no API key has that name. */
  rename(name: string, to: string): Promise<StoredVenueKey | undefined>;
  /** Unlocks the key that signs for an account. @throws auth.venue-key if there is none */
  unlock(account: Pick<VenueAccount, 'index' | 'wallet'>, apiKeyIndex: number | undefined): Promise<VenueSigner>;
};

/** An API key of a venue account, unlocked. */
export type VenueSigner = {
  name: string;
  /** 80 hexadecimal digits, derived from the private key. */
  publicKey: string;
  /** Signs a 40-byte hash. The 80-byte signature is verified before it is returned. @throws sign.failed */
  sign(hash: Uint8Array): Uint8Array;
};

/** A stored API key, as recorded in its file. */
export type StoredVenueKey = KeySlot & { name: string; path: string; publicKey: string };

/** The account that would sign, as far as it is known without unlocking a key. */
export type NamedSigner = {
  /** `address` if the account was selected by an address that ferry has no key for. */
  kind: 'development' | 'keystore' | 'file' | 'key' | 'command' | 'address';
  /** The key's name, the file's path, the environment variable that holds the key, where the command is set, or the address. */
  name: string;
  /** Undefined if it can only be derived from the key. */
  address: Address | undefined;
};
