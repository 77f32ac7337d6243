/** The command table as plain data: what completion, the man page and the reference are made from. */

/** What an argument or the value of a flag names, so that a shell can complete it. */
export type Kind =
  | 'account'
  | 'chain'
  | 'command'
  | 'currency'
  | 'file'
  /** An encrypted key, without the development accounts. */
  | 'key'
  | 'network'
  /** Any program, with arguments of its own. */
  | 'program'
  | 'request'
  | 'run'
  | 'setting'
  /** The value of the setting that stands before it. */
  | 'setting-value'
  /** A command or a help topic. */
  | 'topic'
  /** A quote file, or an amount and two currencies. */
  | 'transfer'
  /** The like, or a request. */
  | 'bill'
  | 'unfinished-run'
  | 'venue-key';

export type Argument = {
  name: string;
  description: string;
  optional: boolean;
  variadic: boolean;
  names?: Kind | undefined;
  choices?: readonly string[] | undefined;
};

export type Flag = {
  /** As typed: `--refund-to`. */
  long: string;
  /** As typed: `-o`. */
  short?: string | undefined;
  /** What stands for the value in help; undefined for a flag that takes none. */
  value?: string | undefined;
  repeatable: boolean;
  description: string;
  names?: Kind | undefined;
  choices?: readonly string[] | undefined;
};

export type Command = {
  /** As typed: `quote`, `config list`. */
  name: string;
  group: string;
  summary: string;
  description: string;
  args: readonly Argument[];
  flags: readonly Flag[];
  examples: readonly (readonly [line: string, what: string])[];
};

export type Catalog = {
  commands: readonly Command[];
  /** What a group of commands such as `config` is for. */
  groups: Readonly<Record<string, string>>;
  /** Options that every command takes. */
  globals: readonly Flag[];
};
