/**
 * Which lines of a batch must wait for each other, and so how many can be executed at the same time.
 *
 * Lines of one account start one after the other. Accounts that pay each other count as one, since what a line brings
 * may be what a later one spends.
 */

/** Who pays a line, and who receives it: a wallet or an account of the venue. */
export type Parties = { payer: string; recipient: string };

export type Lanes = {
  readonly size: number;
  /** The lane of an account that pays. */
  of(payer: string): string;
};

/**
 * Accounts that pay each other share a lane, since what a line pays may be what a later one is to spend. An account that
 * pays none of the others, and is paid by none, has a lane of its own.
 */
export function create() {
  const payers = new Map<string, string>();
  /** By who is paid, the accounts that pay. */
  const payersOf = new Map<string, readonly string[]>();
  const next = (account: string): string => payers.get(account) ?? account;
  const root = (account: string): string => {
    let at = account;
    for (; next(at) !== at; at = next(at)) payers.set(at, next(next(at)));
    return at;
  };
  const join = (a: string, b: string): void => void payers.set(root(a), root(b));
  return {
    add({ payer: typedPayer, recipient: typedRecipient }: Parties): void {
      const [payer, recipient] = [typedPayer.toLowerCase(), typedRecipient.toLowerCase()];
      if (!payers.has(payer)) payers.set(payer, payer);
      const known = payersOf.get(recipient) ?? [];
      if (recipient !== payer && !known.includes(payer)) payersOf.set(recipient, [...known, payer]);
    },
    get size(): number {
      return payers.size;
    },
    /** The lanes of the noted lines: those of one lane are executed one after the other. */
    lanes(): Lanes {
      for (const account of payers.keys()) for (const payer of payersOf.get(account) ?? []) join(payer, account);
      const lanes = new Set([...payers.keys()].map(root));
      return { size: lanes.size, of: (payer) => root(payer.toLowerCase()) };
    },
  };
}
