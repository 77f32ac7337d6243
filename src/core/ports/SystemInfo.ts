/** This machine as far as ferry lives on it. Everything is looked at; nothing is opened and nothing changed. */
export type Machine = {
  /** The version of Node: `20.18.1`. */
  node: string;
  /** A file that somebody named, from the working directory. */
  look(path: string): Promise<Seen>;
  /** What is in the folder of keys, the API keys of the venue included. @throws auth.keystore where it cannot be read */
  keyFiles(): Promise<readonly KeyFile[]>;
  state(): Promise<StateDirectory>;
};

export type Seen = {
  /** From the root. */
  path: string;
  isThere: boolean;
  /** Whether other users may read it. */
  isOpen: boolean;
};

export type KeyFile = Pick<Seen, 'path' | 'isOpen'> & {
  /** Why it is no key that ferry could use; undefined for one that it could. */
  problem: string | undefined;
  /** Whether a crash left it behind: nothing reads it. */
  isLeftOver: boolean;
};

export type StateDirectory = Seen & {
  /** Why nothing can be written to it. */
  problem: string | undefined;
  /** Room on its disk; undefined where the system does not tell. */
  freeBytes: bigint | undefined;
  /** Locks of processes that died. Whoever needs one takes it. */
  abandonedLocks: readonly string[];
};
