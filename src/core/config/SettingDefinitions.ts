/** The table of settings: for each, its key in files, its environment variable and what a project file may do. */
import { nearest } from '../text/DidYouMean.js';
import * as SettingFormat from './SettingFormat.js';

export type Definition<T = unknown> = {
  /** The key in files and for `ferry config get`. */
  key: string;
  /** The environment variable: `FERRY_MAX_FEE_USD` for `maxFeeUsd`. */
  env: string;
  format: SettingFormat.Format<T>;
  initial: T;
  /** Whether configuration files may contain it. */
  inFiles: boolean;
  /** What a project file may do: nothing, choose any value, only lower the value, or only choose the strictest. */
  project: 'nothing' | 'choose' | 'lower' | 'tighten';
  strictest?: T;
  /** Whether a flag of the same name means something else: it then is no source of the setting. */
  hasOtherFlag?: boolean;
  /** The effective value if unset, as an upper bound for a project file. */
  unset?: T;
};

type FileRules = Pick<Definition, 'inFiles' | 'project'>;
/** What most settings do not have. `key` is that in files, if it is not the property. */
type More<T> = { key?: string } & Partial<Pick<Definition<T>, 'strictest' | 'hasOtherFlag' | 'unset'>>;
type Row<T> = Omit<Definition<T>, 'key' | 'env'> & { key?: string };

const user: FileRules = { inFiles: true, project: 'nothing' };
const free: FileRules = { inFiles: true, project: 'choose' };
const cap: FileRules = { inFiles: true, project: 'lower' };
const outside: FileRules = { inFiles: false, project: 'nothing' };

/** A setting that has a value by default. */
function set<T>(
  rules: FileRules,
  format: SettingFormat.Format<T>,
  initial: NoInfer<T>,
  more: NoInfer<More<T>> = {},
): Row<T> {
  return { ...rules, format, initial, ...more };
}

/** A setting that has none by default; `word` is how users write that. */
function unset<T>(
  rules: FileRules,
  format: SettingFormat.Format<T>,
  { word, ...more }: More<T | undefined> & { word?: string } = {},
): Row<T | undefined> {
  return { ...rules, format: SettingFormat.optional(format, word), initial: undefined, ...more };
}

/** The settings with a single value, by property. Networks and aliases, which have many, are in `Config`. */
const table = {
  network: set(free, SettingFormat.name, 'sandbox'),
  /** A keystore's name, an address, or `dev0` to `dev9` on the sandbox. An address alone can be priced and read for. */
  account: unset(user, SettingFormat.account),
  /** Only the user may name a command that is run. */
  accountSigner: unset(user, SettingFormat.text),
  keyFile: unset(user, SettingFormat.text),
  passwordFile: unset(user, SettingFormat.text),
  privateKey: unset(outside, SettingFormat.secret),
  /**
   * In basis points; undefined lets the service decide, by default 200. Without this bound, a project file could raise the
   * loss by setting a slippage.
   */
  slippageBps: unset(cap, SettingFormat.percent, { key: 'slippage', word: 'auto', unset: 200 }),
  /** The maximum total loss, in basis points of the input's value. */
  maxImpactBps: set(cap, SettingFormat.percent, 500, { key: 'maxImpact' }),
  /** The maximum total fees, in millionths of a dollar. */
  maxFeeUsd: unset(cap, SettingFormat.usd, { word: 'none' }),
  /** The maximum fee of the venue on top of the amount, in millionths of USDC: several times the usual one. */
  maxVenueFee: set(cap, SettingFormat.usd, 10_000_000n),
  /**
   * The maximum that the gas of the account's own transactions may cost, in millionths of a dollar: far above an honest
   * price on every chain but in a rush, and a loss that can be borne.
   */
  maxGasUsd: set(cap, SettingFormat.usd, 25_000_000n),
  /** The maximum tip per unit of gas, in wei; undefined for what each chain needs, on most the tip that is the bound here. */
  maxTipWei: unset(cap, SettingFormat.gwei, { key: 'maxTip', word: 'auto', unset: 3_000_000_000n }),
  /** The maximum age of a quote at execution. */
  maxAgeMs: set(cap, SettingFormat.duration, 30_000, { key: 'maxAge' }),
  /** How many witnesses must show what decides about money: with two, nothing that rests on one is let pass. */
  witnesses: set({ inFiles: true, project: 'tighten' }, SettingFormat.witnesses, 'one', { strictest: 'two' }),
  /** The facts that the user accepts on one witness. The flag takes any check and is for one command. */
  allow: unset(outside, SettingFormat.allowed, { hasOtherFlag: true }),
  /** How long to follow a transfer. */
  timeoutMs: set(user, SettingFormat.duration, 300_000, { key: 'timeout' }),
  /** Requests per minute to the service; undefined for the published limits, which apply beside a project's. */
  rateLimit: unset(cap, SettingFormat.rate, { word: 'auto', unset: Number.POSITIVE_INFINITY }),
  /** The command that is told how a run has ended. */
  notify: unset(user, SettingFormat.text),
  /** Whether the terminal's bell rings then. */
  bell: set(user, SettingFormat.flag, false),
  color: set(free, SettingFormat.color, 'auto'),
  quiet: set(free, SettingFormat.flag, false),
  /** The URL of the database that keeps runs, nonces and rates for all machines; undefined for files of this one. */
  store: unset(user, SettingFormat.database),
  /** Whether a standby of the database may lack its last commits. */
  storeAsync: set(user, SettingFormat.flag, false),
  /** Whose batches a worker takes; an account's own are taken in any case. */
  submitters: unset(user, SettingFormat.addresses),
  /** Who a worker may pay; undefined for anybody. */
  recipients: unset(user, SettingFormat.addresses),
  /** The most that a line, and all lines of a day, may pay at a worker, by symbol; undefined for no cap. */
  maxLine: unset(user, SettingFormat.amounts),
  maxDay: unset(user, SettingFormat.amounts),
  /** What overrides the network in use. */
  baseUrl: unset(outside, SettingFormat.url),
  apiKey: unset(outside, SettingFormat.secret),
  /** Further API keys of the same service. */
  apiKeys: unset(outside, SettingFormat.secrets),
  referrer: unset(outside, SettingFormat.text),
  venueUrl: unset(outside, SettingFormat.url),
  /** The venue API key that signs: the name of a stored key, a file that contains one, or the key itself. */
  venueKey: unset(user, SettingFormat.name),
  venueKeyFile: unset(user, SettingFormat.text),
  venuePrivateKey: unset(outside, SettingFormat.secret),
} as const;

export type Property = keyof typeof table;

export type Values = { [P in Property]: (typeof table)[P]['initial'] };

export const properties = Object.keys(table) as Property[];

export const definitions = Object.fromEntries(
  properties.map((property) => {
    const { key = property, ...row } = table[property] as Row<unknown>;
    return [property, { ...row, key, env: `FERRY_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}` }];
  }),
) as { readonly [P in Property]: Definition<Values[P]> };

/** The settings that a network may have of its own: who pays there, and what a transfer there may cost. */
export const ofNetworks = [
  'account',
  'accountSigner',
  'keyFile',
  'passwordFile',
  'venueKey',
  'venueKeyFile',
  'slippageBps',
  'maxImpactBps',
  'maxFeeUsd',
  'maxVenueFee',
  'maxGasUsd',
  'maxTipWei',
  'maxAgeMs',
  'timeoutMs',
] as const;

/** The settings of one network in the user file: `networks.<name>.<key>`. */
export const networkFormats = {
  baseUrl: SettingFormat.url,
  apiKey: SettingFormat.secret,
  /** Further API keys: requests go out with the one that has room within its limits. */
  apiKeys: SettingFormat.secrets,
  referrer: SettingFormat.text,
  /** Only for a network that does not ship with ferry. Defaults to true. */
  realMoney: SettingFormat.flag,
  /** Requests per minute to its service. */
  rateLimit: SettingFormat.rate,
  /** Facts that the user accepts on one witness there. */
  allow: SettingFormat.allowed,
  ...(Object.fromEntries(ofNetworks.map((each) => [definitions[each].key, definitions[each].format])) as object),
} as const;

/** The chain id that the venue's signatures are bound to, which is not the id that the service uses for the venue. */
const signingChainId: SettingFormat.Format<number> = {
  ...SettingFormat.id,
  expects: 'the chain id that the venue’s signatures are bound to, which is never 3586256',
  read: (raw) => {
    const found = SettingFormat.id.read(raw);
    return found?.value === 3_586_256 ? undefined : found;
  },
};

/** The settings of a network's venue in the user file: `networks.<name>.venue.<key>`. */
export const venueFormats = {
  baseUrl: SettingFormat.url,
  signingChainId,
  accountIndex: SettingFormat.index,
  apiKeyIndex: SettingFormat.slot,
} as const;

/** The settings of one chain in the user file: `networks.<name>.chains.<chain>.<key>`. */
export const chainFormats = {
  id: SettingFormat.id,
  // What ferry ships of its own chains, and must be told of any other.
  vm: SettingFormat.vm,
  nativeSymbol: SettingFormat.symbol,
  nativeDecimals: SettingFormat.decimals,
  rpcUrl: SettingFormat.url,
  rpcUrls: SettingFormat.urls,
  explorerUrl: SettingFormat.url,
} as const;

/** The property for a key in files; undefined if there is none. */
export function property(key: string): Property | undefined {
  return properties.find((each) => definitions[each].key === key);
}

/** The prefix of the variables for RPC URLs: `FERRY_RPC_URL_BASE`, `FERRY_RPC_URL_BASE_SEPOLIA`. */
export const rpcUrlPrefix = 'FERRY_RPC_URL_';

/** The same for further nodes of a chain: `FERRY_RPC_URLS_BASE`. */
export const rpcUrlsPrefix = 'FERRY_RPC_URLS_';

/** The variable for a chain's RPC URL. */
export function rpcUrlVariable(chain: string): string {
  return `${rpcUrlPrefix}${chain.toUpperCase().replaceAll('-', '_')}`;
}

/** Variables for the locations of files and programs, read before the configuration, with their descriptions. */
export const places: Readonly<Record<string, string>> = {
  FERRY_CONFIG_DIR: 'directory of your configuration (default: ~/.config/ferry)',
  FERRY_STATE_DIR: 'directory of run journals and of the sandbox (default: ~/.local/state/ferry)',
  FERRY_KEYSTORE_DIR: 'directory of encrypted keys (default: keys, in the configuration directory)',
  FERRY_DEBUG:
    'what to print of requests to stderr: http, rpc, timing, or several with commas; --verbose is all of them',
  FERRY_ANVIL: 'path of anvil, which the sandbox runs on (default: the one installed with ferry, else the one on PATH)',
};

/** Variables used by ferry's tests and build. */
const internal = ['FERRY_PUBLISHED', 'FERRY_VERSION'];

/** Whether ferry reads a variable; if not, the nearest variable that it reads. */
export function checkVariable(variable: string): { known: boolean; nearest?: string | undefined } {
  const known = [...properties.map((each) => definitions[each].env), ...Object.keys(places), ...internal];
  if (known.includes(variable) || /^FERRY_(RPC_URLS?|SANDBOX)_./.test(variable)) return { known: true };
  // Compared without the shared prefix, which would make short names look alike.
  const near = nearest(
    variable.slice(6),
    known.map((each) => each.slice(6)),
  );
  return { known: false, nearest: near === undefined ? undefined : `FERRY_${near}` };
}
