/** The folder of encrypted keys as commands use it: wallets' keys, and API keys of venue accounts. */
import type { Address } from './Address.js';
import type { VenueSigner } from './Ports.js';
import type { VenueAccount } from './VenueAccount.js';
import type { Place } from './VenueKey.js';

/** The wallets' keys. All throw `auth.*`; writing throws `config.unwritable`, asking `prompt.*`. */
export type Keystore = {
  /** Where the keys are. */
  folder: string;
  list(): Promise<readonly StoredKey[]>;
  /** A new random key, encrypted. The password comes from the password file, else it is asked twice. */
  create(name: string): Promise<StoredKey>;
  /** A key from a file, `-` for stdin, or asked; encrypted like a new one. */
  add(name: string, keyFile: string | undefined): Promise<StoredKey>;
  remove(name: string): Promise<StoredKey>;
};

/** The address is missing where another tool wrote the file without it. */
export type StoredKey = { name: string; address: Address | undefined; path: string };

/** The API keys of venue accounts, under names that no wallet's key has. They throw the like. */
export type VenueKeys = {
  list(): Promise<readonly StoredVenueKey[]>;
  /** A key from a file, `-` for stdin, or asked; encrypted like a wallet's. */
  add(name: string, keyFile: string | undefined, place: Place): Promise<StoredVenueKey>;
  /** Undefined where none has that name. */
  remove(name: string): Promise<StoredVenueKey | undefined>;
  /** The one that signs for an account. @throws auth.venue-key where there is none */
  unlock(account: VenueAccount, apiKeyIndex: number | undefined): Promise<VenueSigner>;
};

/** An API key as its file tells of it. */
export type StoredVenueKey = Place & { name: string; path: string; publicKey: string };
