/** The port to the parts of this machine that ferry uses. It only inspects: it decrypts and changes nothing. */
export type SystemInfo = {
  /** The version of Node: `20.18.1`. */
  node: string;
  /** The operating system, as Node names it: `linux`. */
  platform: string;
  /** Inspects a file; a relative path starts at the working directory. */
  look(path: string): Promise<FileInfo>;
  /** The files in the key folder, including venue API keys. @throws auth.keystore if it cannot be read */
  keyFiles(): Promise<readonly KeyFile[]>;
  state(): Promise<StateDirectory>;
};

export type FileInfo = {
  /** The absolute path. */
  path: string;
  isThere: boolean;
  /** Whether other users can read it. */
  isOpen: boolean;
};

export type KeyFile = Pick<FileInfo, 'path' | 'isOpen'> & {
  /** Why ferry cannot use it; undefined if it can. */
  problem: string | undefined;
  /** Whether it is an unused temporary file left behind by a crash. */
  isLeftOver: boolean;
};

export type StateDirectory = FileInfo & {
  /** Why it is not writable; undefined if it is. */
  problem: string | undefined;
  /** Free space on its disk; undefined if unknown. */
  freeBytes: bigint | undefined;
  /** Locks of dead processes. They do not block anything. */
  abandonedLocks: readonly string[];
};
