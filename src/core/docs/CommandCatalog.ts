/** The command table as plain data, the source of shell completion, the man page and the pages of the manual. */

/** The kind of value that an argument or flag takes, for shell completion. */
export type Kind =
  | 'account'
  | 'chain'
  | 'command'
  | 'currency'
  | 'file'
  /** An encrypted key, excluding development accounts. */
  | 'key'
  | 'network'
  /** Any program, followed by its arguments. */
  | 'program'
  | 'request'
  | 'run'
  | 'setting'
  /** The value of the setting in the previous argument. */
  | 'setting-value'
  /** A command or a help topic. */
  | 'topic'
  /** A quote file, or an amount and two currencies. */
  | 'transfer'
  /** A transfer, or a request. */
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
  /** The placeholder of the value in help; undefined for a flag without a value. */
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
  /** Descriptions of command groups such as `config`. */
  groups: Readonly<Record<string, string>>;
  /** Options of every command. */
  globals: readonly Flag[];
};
