/** The venue's state: accounts, API keys with nonces, and accepted transfers. In memory, serializable to JSON. */
import * as BigintJson from '../values/BigintJson.js';
import type { Account, Hash, Transfer } from './Venue.js';
import * as beginning from './venueAccounts.js';

export type ApiKey = beginning.ApiKey & {
  /** The nonce of the key's next executed transaction. */
  nonce: number;
};

/** Identifies an API key. */
export type KeyName = Pick<ApiKey, 'accountIndex' | 'apiKeyIndex'>;

/** A transfer with the data that only the venue needs. */
export type Entry = Transfer & {
  /** The transaction as submitted. */
  text: string;
  apiKeyIndex: number;
  nonce: number;
  /** Unix time in milliseconds. */
  expiredAtMs: number;
};

export type Books = {
  accounts(): readonly Account[];
  account(index: number): Account | undefined;
  apiKeys(accountIndex: number): readonly ApiKey[];
  apiKey(accountIndex: number, apiKeyIndex: number): ApiKey | undefined;
  /** The nonce that the key's next transaction must have, counting pending ones. */
  nextNonce(key: KeyName): number;
  /** Oldest first. */
  entries(): readonly Entry[];
  entry(hash: Hash): Entry | undefined;
  add(entry: Omit<Entry, 'sequence'>): Entry;
  /** Updates a transfer. Throws if it is unknown. */
  move(
    hash: Hash,
    change: Partial<Pick<Entry, 'status' | 'failReason' | 'executedAtMs' | 'usdcFee' | 'activationFee'>>,
  ): Entry;
  /**
   * Changes a balance by millionths of USDC, positive or negative. A credit activates the account. Throws if it is
   * unknown.
   */
  post(index: number, usdc: bigint): void;
  /** Increments the nonce of a key. */
  consume(key: KeyName): void;
  saved(): BigintJson.JsonValue;
};

type State = { version: 1; accounts: readonly Account[]; apiKeys: readonly ApiKey[]; entries: readonly Entry[] };

/**
 * Creates the books, initial or restored.
 *
 * @throws an error if `saved` has an unsupported version
 */
export function createBooks(saved?: BigintJson.JsonValue | undefined): Books {
  const state = saved === undefined ? first : restored(saved);
  const accounts = new Map(state.accounts.map((account) => [account.index, account]));
  const apiKeys = new Map(state.apiKeys.map((key) => [nameOf(key), key]));
  const entries = new Map(state.entries.map((entry) => [entry.hash, entry]));

  return {
    accounts: () => [...accounts.values()],
    account: (index) => accounts.get(index),
    apiKeys: (accountIndex) => [...apiKeys.values()].filter((key) => key.accountIndex === accountIndex),
    apiKey: (accountIndex, apiKeyIndex) => apiKeys.get(nameOf({ accountIndex, apiKeyIndex })),
    nextNonce(key) {
      const waiting = [...entries.values()].filter((entry) => entry.status === 'pending' && isOf(entry, key));
      return (apiKeys.get(nameOf(key))?.nonce ?? 0) + waiting.length;
    },
    entries: () => [...entries.values()],
    entry: (hash) => entries.get(hash),
    add(entry) {
      const added = { ...entry, sequence: entries.size + 1 };
      entries.set(entry.hash, added);
      return added;
    },
    move(hash, change) {
      const entry = entries.get(hash);
      if (!entry) throw new Error(`The venue has no transaction ${hash}.`);
      const moved = { ...entry, ...change };
      entries.set(hash, moved);
      return moved;
    },
    post(index, usdc) {
      const account = accounts.get(index);
      if (!account) throw new Error(`The venue has no account ${index}.`);
      accounts.set(index, { ...account, usdc: account.usdc + usdc, isActive: account.isActive || usdc > 0n });
    },
    consume(key) {
      const found = apiKeys.get(nameOf(key));
      if (found) apiKeys.set(nameOf(key), { ...found, nonce: found.nonce + 1 });
    },
    saved() {
      const now: State = {
        version: 1,
        accounts: [...accounts.values()],
        apiKeys: [...apiKeys.values()],
        entries: [...entries.values()],
      };
      return BigintJson.from(now);
    },
  };
}

/** Whether a transaction is signed with the given key. */
export function isOf({ from, apiKeyIndex }: Entry, key: KeyName): boolean {
  return from === key.accountIndex && apiKeyIndex === key.apiKeyIndex;
}

function nameOf({ accountIndex, apiKeyIndex }: KeyName): string {
  return `${accountIndex}:${apiKeyIndex}`;
}

const first: State = {
  version: 1,
  accounts: beginning.accounts,
  apiKeys: beginning.apiKeys.map((key) => ({ ...key, nonce: 0 })),
  entries: [],
};

function restored(saved: BigintJson.JsonValue): State {
  const state = BigintJson.toValue(saved);
  if (typeof state !== 'object' || state === null || (state as { version?: unknown }).version !== 1) {
    throw new Error('The saved venue state has an unsupported version.');
  }
  return state as State;
}
