/** The command table as plain data, the source of shell completion, the man page and the pages of the manual. */

/** The kind of value that an argument or flag takes, for shell completion. */
export type Kind =
  | 'account'
  /** An address, or a name of the address book. */
  | 'address'
  /** A name of the address book. */
  | 'alias'
  | 'chain'
  | 'command'
  | 'currency'
  | 'file'
  /** An encrypted key, excluding development accounts. */
  | 'key'
  | 'network'
  /** A request, or an address. */
  | 'page'
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
  globals: readonly Flag[];
};

/** What an argument name or a value placeholder stands for, unless the command declares it otherwise. */
const usual: Readonly<Record<string, Kind>> = {
  account: 'account',
  address: 'address',
  'address:bps': 'address',
  chain: 'chain',
  chains: 'chain',
  'chain/token': 'currency',
  currency: 'currency',
  file: 'file',
  from: 'currency',
  network: 'network',
  request: 'request',
  run: 'run',
  to: 'currency',
};

export function kindOfArgument({ name, names }: Pick<Argument, 'name' | 'names'>): Kind | undefined {
  return names ?? usual[name];
}

export function kindOfFlag(key: string, { value, names }: Pick<Flag, 'value' | 'names'>): Kind | undefined {
  return names ?? usual[value ?? ''] ?? (key === 'account' ? 'account' : undefined);
}
