/** The folder of encrypted keys as commands use it: wallets' keys, and API keys of venue accounts. */
import type { Address } from '../base/Address.js';
import type { VenueAccount } from './VenueAccount.js';
import type { Place } from './VenueKeyFile.js';

/** What can be done with the file of either kind of key. */
export type KeyFiles = {
  /** The encrypted file of a name, as it is. */
  text(name: string): Promise<string>;
  /**
   * Encrypts a key with another password. The old one opens it, as for signing; the new one comes from a file, `-` for
   * stdin, or is asked twice. The old file stays until the new one is whole.
   */
  changePassword(name: string, newPasswordFile: string | undefined): Promise<void>;
};

/** A file that another program or another ferry encrypted. */
export type EncryptedFile = { path: string; text: string };

/** The wallets' keys. All throw `auth.*`; writing throws `config.unwritable`, asking `prompt.*`. */
export type Keystore = KeyFiles & {
  /** Where the keys are. */
  folder: string;
  list(): Promise<readonly StoredKey[]>;
  /** The key of a name. @throws auth.unknown-account */
  find(name: string): Promise<StoredKey>;
  /** Whether a file is there and in the folder, of whichever kind of key. */
  holds(path: string): Promise<boolean>;
  /** A new random key, encrypted. The password comes from the password file, else it is asked twice. */
  create(name: string): Promise<StoredKey>;
  /** A key from a file, `-` for stdin, or asked; encrypted like a new one. */
  add(name: string, keyFile: string | undefined): Promise<StoredKey>;
  /** The key of a file that is encrypted already; its password opens the new file too. */
  addEncrypted(name: string, file: EncryptedFile): Promise<StoredKey>;
  remove(name: string): Promise<StoredKey>;
};

/** The address is missing where another tool wrote the file without it. */
export type StoredKey = { name: string; address: Address | undefined; path: string };

/** The API keys of venue accounts, under names that no wallet's key has. They throw the like. */
export type VenueKeys = KeyFiles & {
  list(): Promise<readonly StoredVenueKey[]>;
  /** A key from a file, `-` for stdin, or asked; encrypted like a wallet's. */
  add(name: string, keyFile: string | undefined, place: Place): Promise<StoredVenueKey>;
  /** The key of a file that ferry encrypted, for the account and slot that stand in it. */
  addEncrypted(name: string, file: EncryptedFile): Promise<StoredVenueKey>;
  /** Undefined where none has that name. */
  remove(name: string): Promise<StoredVenueKey | undefined>;
  /** The one that signs for an account. @throws auth.venue-key where there is none */
  unlock(account: VenueAccount, apiKeyIndex: number | undefined): Promise<VenueSigner>;
};

/** An API key of a venue account, unlocked. */
export type VenueSigner = {
  /** The name it is known by. */
  name: string;
  /** 80 hexadecimal digits, derived from the key itself. */
  publicKey: string;
  /** A signature of 80 bytes over a hash of 40, verified before it is given. @throws sign.failed */
  sign(hash: Uint8Array): Uint8Array;
};

/** An API key as its file tells of it. */
export type StoredVenueKey = Place & { name: string; path: string; publicKey: string };

/** Who would sign, as far as it can be told without opening anything. */
export type NamedSigner = {
  kind: 'development' | 'keystore' | 'file' | 'key';
  /** A key's name, a file's path, or the variable that holds the key. */
  name: string;
  /** Undefined where only the key itself tells it. */
  address: Address | undefined;
};
