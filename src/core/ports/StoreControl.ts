/** What `ferry store` does with the database that keeps runs, nonces and rates for all machines. */

/** A property of the database; `problem` says why it does not do, if it does not. */
export type StoreCheck = { name: string; found: string; problem: string | undefined };

export type StoreControl = {
  /** Its URL without options. */
  name: string;
  /** What the database is; the version of its tables is undefined if there are none. */
  check(): Promise<{ version: number | undefined; needed: number; checks: readonly StoreCheck[] }>;
  /** Remembers that the store at this address is this one. */
  adopt(): Promise<void>;
  /** Vouches that the store has everything that was ever signed by it. @throws store.version */
  trust(): Promise<void>;
  /** Makes the tables, or adds what is missing. Resolves to the versions before and after. */
  migrate(): Promise<{ before: number; after: number }>;
  /**
   * Moves the journals, nonces and counted payments of this machine's files into the store, and the files aside.
   *
   * @throws run.unreadable for a journal that is damaged; nothing is moved then
   */
  importFiles(): Promise<Imported>;
  /** The journal of a run, byte for byte as its file would be. @throws run.unknown · run.ambiguous */
  exportRun(name: string): Promise<{ run: string; text: string }>;
};

/** What was moved into a store, and where the files are now; no folder if there were none. */
export type Imported = { runs: number; counters: number; counted: number; folders: readonly string[] };
