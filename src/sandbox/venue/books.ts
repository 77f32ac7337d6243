/** The venue's state: accounts, API keys with nonces, and accepted transfers. In memory, and written as it changes. */
import { type FrameLog, inMemory } from '../storage/frameLog.js';
import * as BigintJson from '../values/BigintJson.js';
import type { Account } from './venueAccounts.js';
import * as initial from './venueAccounts.js';

/** 80 hexadecimal digits without a prefix. */
export type Hash = string;

/** A transfer accepted by the sequencer, with its outcome. */
export type Transfer = {
  hash: Hash;
  /** Position among all accepted transfers, starting at 1. */
  sequence: number;
  status: 'pending' | 'executed' | 'failed';
  /** The failure reason as the venue words it. */
  failReason: string | undefined;
  from: number;
  to: number;
  assetIndex: number;
  fromRouteType: number;
  toRouteType: number;
  /** Base units of the asset. */
  amount: bigint;
  /** Fees that the sender paid on top of the amount, in millionths of USDC. */
  usdcFee: bigint;
  activationFee: bigint;
  /** 32 bytes. */
  memo: `0x${string}`;
  /** Unix time in milliseconds. */
  queuedAtMs: number;
  executedAtMs: number | undefined;
};

export type ApiKey = initial.ApiKey & {
  /** The nonce of the key's next executed transaction. */
  nonce: number;
};

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

export type Books = ReturnType<typeof createBooks>;

/** One change, as it is written. Each holds the whole value, so it does not matter what it was before. */
type Change = { account: Account } | { key: ApiKey } | { entry: Entry };

/**
 * Creates the books, initial or of an earlier run.
 *
 * @throws DamagedLogError
 */
export function createBooks(log: FrameLog = inMemory()) {
  const { accounts, apiKeys, entries, pending, make, together } = createRecords(log);

  return {
    accounts: (): Account[] => [...accounts.values()],
    account: (index: number): Account | undefined => accounts.get(index),
    apiKeys: (accountIndex: number): ApiKey[] =>
      [...apiKeys.values()].filter((key) => key.accountIndex === accountIndex),
    apiKey: (accountIndex: number, apiKeyIndex: number): ApiKey | undefined =>
      apiKeys.get(keyIdOf({ accountIndex, apiKeyIndex })),
    /** The nonce that the key's next transaction must have, counting pending ones. */
    nextNonce(key: KeyId): number {
      const waiting = [...pending.values()].filter((entry) => isSignedWith(entry, key));
      return (apiKeys.get(keyIdOf(key))?.nonce ?? 0) + waiting.length;
    },
    /** Oldest first. */
    entries: (): Entry[] => [...entries.values()],
    /** Those not executed yet, oldest first. */
    pending: (): Entry[] => [...pending.values()],
    entry: (hash: Hash): Entry | undefined => entries.get(hash),
    add(entry: Omit<Entry, 'sequence'>): Entry {
      const added = { ...entry, sequence: entries.size + 1 };
      make({ entry: added });
      return added;
    },
    /** Updates a transfer. Throws if it is unknown. */
    update(
      hash: Hash,
      change: Partial<Pick<Entry, 'status' | 'failReason' | 'executedAtMs' | 'usdcFee' | 'activationFee'>>,
    ): Entry {
      const entry = entries.get(hash);
      if (!entry) throw new Error(`The venue has no transaction ${hash}.`);
      const moved = { ...entry, ...change };
      make({ entry: moved });
      return moved;
    },
    /**
     * Changes a balance by millionths of USDC, positive or negative. A credit activates the account. Throws if it is
     * unknown.
     */
    adjustBalance(index: number, usdc: bigint): void {
      const account = accounts.get(index);
      if (!account) throw new Error(`The venue has no account ${index}.`);
      make({ account: { ...account, usdc: account.usdc + usdc, isActive: account.isActive || usdc > 0n } });
    },
    incrementNonce(key: KeyId): void {
      const found = apiKeys.get(keyIdOf(key));
      if (found) make({ key: { ...found, nonce: found.nonce + 1 } });
    },
    together,
  };
}

/** The changes of the log, and what they come to. */
function createRecords(log: FrameLog) {
  const accounts = new Map(initial.accounts.map((account) => [account.index, account]));
  const apiKeys = new Map(initial.apiKeys.map((key) => [keyIdOf(key), { ...key, nonce: 0 }]));
  const entries = new Map<Hash, Entry>();
  const pending = new Map<Hash, Entry>();
  let group: Change[] | undefined;

  function apply(change: Change): void {
    if ('account' in change) accounts.set(change.account.index, change.account);
    else if ('key' in change) apiKeys.set(keyIdOf(change.key), change.key);
    else {
      entries.set(change.entry.hash, change.entry);
      if (change.entry.status === 'pending') pending.set(change.entry.hash, change.entry);
      else pending.delete(change.entry.hash);
    }
  }

  const write = (changes: readonly Change[]): void => {
    log.append(Buffer.from(BigintJson.stringify(changes)));
  };

  for (const { content } of log.frames())
    for (const change of BigintJson.parse(content.toString()) as Change[]) apply(change);

  return {
    ...{ accounts, apiKeys, entries, pending },
    make(change: Change): void {
      if (group) group.push(change);
      else write([change]);
      apply(change);
    },
    /** Writes all changes that the work makes at once: after a crash there are all of them, or none. */
    together<Result>(work: () => Result): Result {
      group = [];
      try {
        const result = work();
        write(group);
        return result;
      } finally {
        group = undefined;
      }
    },
  };
}

export function isSignedWith({ from, apiKeyIndex }: Entry, key: KeyId): boolean {
  return from === key.accountIndex && apiKeyIndex === key.apiKeyIndex;
}

function keyIdOf({ accountIndex, apiKeyIndex }: KeyId): string {
  return `${accountIndex}:${apiKeyIndex}`;
}
