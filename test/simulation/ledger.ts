/** The state of a chain: numbers by name, with everything that has changed, so that blocks can be taken back. */

export type Ledger = {
  get(key: string): bigint;
  set(key: string, value: bigint): void;
  add(key: string, amount: bigint): void;
  /** A place to go back to. */
  mark(): number;
  /** Undoes everything since a mark. */
  undo(mark: number): void;
  /** The value as it was at a mark. */
  at(key: string, mark: number): bigint;
};

export function create(): Ledger {
  const values = new Map<string, bigint>();
  const changes: { key: string; before: bigint }[] = [];
  const get = (key: string): bigint => values.get(key) ?? 0n;
  const set = (key: string, value: bigint): void => {
    changes.push({ key, before: get(key) });
    values.set(key, value);
  };
  return {
    get,
    set,
    add: (key, amount) => set(key, get(key) + amount),
    mark: () => changes.length,
    undo(mark) {
      while (changes.length > mark) {
        const last = changes.pop();
        if (last) values.set(last.key, last.before);
      }
    },
    at(key, mark) {
      for (let index = mark; index < changes.length; index++) {
        const change = changes[index];
        if (change?.key === key) return change.before;
      }
      return get(key);
    },
  };
}

/** The names of what a ledger keeps. Addresses in lower case. */
export const keys = {
  native: (owner: string): string => `native ${owner}`,
  nonce: (owner: string): string => `nonce ${owner}`,
  token: (token: string, owner: string): string => `token ${token} ${owner}`,
  allowance: (token: string, owner: string, spender: string): string => `allowance ${token} ${owner} ${spender}`,
  /** The address that an account is delegated to; zero for none. */
  delegate: (owner: string): string => `delegate ${owner}`,
  /** Whether a contract was created at an address. */
  created: (address: string): string => `created ${address}`,
  sequence: (owner: string): string => `sequence ${owner}`,
  authorization: (token: string, owner: string, nonce: string): string => `authorization ${token} ${owner} ${nonce}`,
};
