/** The venue's state: accounts, API keys with nonces, and accepted transfers. In memory, serializable to JSON. */
import * as BigintJson from '../values/BigintJson.js';
import type { Account, Hash, Transfer } from './Venue.js';
import * as initial from './venueAccounts.js';

export type ApiKey = initial.ApiKey & {
  /** The nonce of the key's next executed transaction. */
  nonce: number;
};

/** Identifies an API key. */
export type KeyId = Pick<ApiKey, 'accountIndex' | 'apiKeyIndex'>;

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
  nextNonce(key: KeyId): number;
  /** Oldest first. */
  entries(): readonly Entry[];
  entry(hash: Hash): Entry | undefined;
  add(entry: Omit<Entry, 'sequence'>): Entry;
  /** Updates a transfer. Throws if it is unknown. */
  update(
    hash: Hash,
    change: Partial<Pick<Entry, 'status' | 'failReason' | 'executedAtMs' | 'usdcFee' | 'activationFee'>>,
  ): Entry;
  /**
   * Changes a balance by millionths of USDC, positive or negative. A credit activates the account. Throws if it is
   * unknown.
   */
  adjustBalance(index: number, usdc: bigint): void;
  /** Increments the nonce of a key. */
  incrementNonce(key: KeyId): void;
  saved(): BigintJson.JsonValue;
};

type State = { version: 1; accounts: readonly Account[]; apiKeys: readonly ApiKey[]; entries: readonly Entry[] };

/**
 * Creates the books, initial or restored.
 *
 * @throws an error if `saved` has an unsupported version
 */
export function createBooks(saved?: BigintJson.JsonValue | undefined): Books {
  const state = saved === undefined ? initialState : restore(saved);
  const accounts = new Map(state.accounts.map((account) => [account.index, account]));
  const apiKeys = new Map(state.apiKeys.map((key) => [keyIdOf(key), key]));
  const entries = new Map(state.entries.map((entry) => [entry.hash, entry]));

  return {
    accounts: () => [...accounts.values()],
    account: (index) => accounts.get(index),
    apiKeys: (accountIndex) => [...apiKeys.values()].filter((key) => key.accountIndex === accountIndex),
    apiKey: (accountIndex, apiKeyIndex) => apiKeys.get(keyIdOf({ accountIndex, apiKeyIndex })),
    nextNonce(key) {
      const waiting = [...entries.values()].filter((entry) => entry.status === 'pending' && isSignedWith(entry, key));
      return (apiKeys.get(keyIdOf(key))?.nonce ?? 0) + waiting.length;
    },
    entries: () => [...entries.values()],
    entry: (hash) => entries.get(hash),
    add(entry) {
      const added = { ...entry, sequence: entries.size + 1 };
      entries.set(entry.hash, added);
      return added;
    },
    update(hash, change) {
      const entry = entries.get(hash);
      if (!entry) throw new Error(`The venue has no transaction ${hash}.`);
      const moved = { ...entry, ...change };
      entries.set(hash, moved);
      return moved;
    },
    adjustBalance(index, usdc) {
      const account = accounts.get(index);
      if (!account) throw new Error(`The venue has no account ${index}.`);
      accounts.set(index, { ...account, usdc: account.usdc + usdc, isActive: account.isActive || usdc > 0n });
    },
    incrementNonce(key) {
      const found = apiKeys.get(keyIdOf(key));
      if (found) apiKeys.set(keyIdOf(key), { ...found, nonce: found.nonce + 1 });
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
export function isSignedWith({ from, apiKeyIndex }: Entry, key: KeyId): boolean {
  return from === key.accountIndex && apiKeyIndex === key.apiKeyIndex;
}

function keyIdOf({ accountIndex, apiKeyIndex }: KeyId): string {
  return `${accountIndex}:${apiKeyIndex}`;
}

const initialState: State = {
  version: 1,
  accounts: initial.accounts,
  apiKeys: initial.apiKeys.map((key) => ({ ...key, nonce: 0 })),
  entries: [],
};

function restore(saved: BigintJson.JsonValue): State {
  const state = BigintJson.toValue(saved);
  if (typeof state !== 'object' || state === null || (state as { version?: unknown }).version !== 1) {
    throw new Error('The saved venue state has an unsupported version.');
  }
  return state as State;
}
