/** The table of settings: for each, its key in files, its environment variable and what a project file may do. */
import type { Secret } from '../base/Secret.js';
import { nearest } from '../text/DidYouMean.js';
import * as SettingFormat from './SettingFormat.js';

/** The settings with a single value. Networks and aliases, which have many, are in `Config`. */
export type Values = {
  /** The network in use. */
  network: string;
  /** The account that signs: a keystore's name, an address, or `dev0` to `dev9` on the sandbox. An address alone can be priced and read for. */
  account: string | undefined;
  /** A command that signs for the account, which is selected by its address. */
  accountSigner: string | undefined;
  /** A file that contains the private key. */
  keyFile: string | undefined;
  /** A file that contains the keystore's password. */
  passwordFile: string | undefined;
  privateKey: Secret | undefined;
  /** In basis points; undefined lets the service decide. */
  slippageBps: number | undefined;
  /** The maximum total loss, in basis points of the input's value. */
  maxImpactBps: number;
  /** The maximum total fees, in millionths of a dollar; undefined for no cap. */
  maxFeeUsd: bigint | undefined;
  /** The maximum fee that the venue may charge for a transfer on top of the amount, in millionths of USDC. */
  maxVenueFee: bigint;
  /** The maximum that the gas of the account's own transactions may cost, in millionths of a dollar. */
  maxGasUsd: bigint;
  /** The maximum tip per unit of gas, in wei; undefined for what each chain needs. */
  maxTipWei: bigint | undefined;
  /** The maximum age of a quote at execution. */
  maxAgeMs: number;
  /** How many witnesses must show what decides about money: with two, nothing that rests on one is let pass. */
  witnesses: SettingFormat.Witnesses;
  /** The facts that the user accepts on one witness, on the network in use. */
  allow: readonly string[] | undefined;
  /** How long to follow a transfer. */
  timeoutMs: number;
  /** Requests per minute to the service; infinity for no limit, undefined for the limits that the service publishes. */
  rateLimit: number | undefined;
  /** The command that is told how a run has ended. */
  notify: string | undefined;
  /** Whether the terminal's bell rings then. */
  bell: boolean;
  color: SettingFormat.Color;
  quiet: boolean;
  /** The URL of the database that keeps runs, nonces and rates for all machines; undefined for files of this one. */
  store: string | undefined;
  /** Whether a standby of the database may lack its last commits. */
  storeAsync: boolean;
  /** Whose batches a worker takes; an account's own are taken in any case. */
  submitters: readonly string[] | undefined;
  /** Who a worker may pay; undefined for anybody. */
  recipients: readonly string[] | undefined;
  /** The most that a line, and all lines of a day, may pay at a worker, by symbol; undefined for no cap. */
  maxLine: Readonly<Record<string, string>> | undefined;
  maxDay: Readonly<Record<string, string>> | undefined;
  /** Overrides of the network in use. */
  baseUrl: string | undefined;
  apiKey: Secret | undefined;
  /** Further API keys of the same service. */
  apiKeys: readonly Secret[] | undefined;
  referrer: string | undefined;
  /** The URL of the venue of the network in use. */
  venueUrl: string | undefined;
  /** The venue API key that signs: the name of a stored key, a file that contains one, or the key itself. */
  venueKey: string | undefined;
  venueKeyFile: string | undefined;
  venuePrivateKey: Secret | undefined;
};

export type Property = keyof Values;

export type Definition<T = unknown> = {
  /** The key in files and for `ferry config get`. */
  key: string;
  /** The environment variable. */
  env: string;
  format: SettingFormat.Format<T>;
  /** The default value. */
  initial: T;
  /** Whether configuration files may contain it. */
  inFiles: boolean;
  /** What a project file may do: nothing, choose any value, only lower the value, or only choose the strictest. */
  project: 'nothing' | 'choose' | 'lower' | 'tighten';
  /** The strictest value. */
  strictest?: T;
  /** Whether a flag of the same name means something else: it then is no source of the setting. */
  hasOtherFlag?: boolean;
  /** The effective value if unset, as an upper bound for a project file. */
  unset?: T;
};

const user = { inFiles: true, project: 'nothing' } as const;
const free = { inFiles: true, project: 'choose' } as const;
const cap = { inFiles: true, project: 'lower' } as const;
const outside = { inFiles: false, project: 'nothing' } as const;

const { optional } = SettingFormat;

/** Every setting by its property. */
export const definitions: { readonly [P in Property]: Definition<Values[P]> } = {
  network: { ...free, key: 'network', env: 'FERRY_NETWORK', format: SettingFormat.name, initial: 'sandbox' },
  account: {
    ...user,
    key: 'account',
    env: 'FERRY_ACCOUNT',
    format: optional(SettingFormat.account),
    initial: undefined,
  },
  // Only the user may name a command that is run.
  accountSigner: {
    ...user,
    key: 'accountSigner',
    env: 'FERRY_ACCOUNT_SIGNER',
    format: optional(SettingFormat.text),
    initial: undefined,
  },
  keyFile: { ...user, key: 'keyFile', env: 'FERRY_KEY_FILE', format: optional(SettingFormat.text), initial: undefined },
  passwordFile: {
    ...user,
    key: 'passwordFile',
    env: 'FERRY_PASSWORD_FILE',
    format: optional(SettingFormat.text),
    initial: undefined,
  },
  privateKey: {
    ...outside,
    key: 'privateKey',
    env: 'FERRY_PRIVATE_KEY',
    format: optional(SettingFormat.secret),
    initial: undefined,
  },
  slippageBps: {
    ...cap,
    key: 'slippage',
    env: 'FERRY_SLIPPAGE',
    format: optional(SettingFormat.percent, 'auto'),
    initial: undefined,
    // The service's default. Without this bound, a project file could raise the loss by setting a slippage.
    unset: 200,
  },
  maxImpactBps: { ...cap, key: 'maxImpact', env: 'FERRY_MAX_IMPACT', format: SettingFormat.percent, initial: 500 },
  maxFeeUsd: {
    ...cap,
    key: 'maxFeeUsd',
    env: 'FERRY_MAX_FEE_USD',
    format: optional(SettingFormat.usd, 'none'),
    initial: undefined,
  },
  // Several times the venue's usual fee.
  maxVenueFee: {
    ...cap,
    key: 'maxVenueFee',
    env: 'FERRY_MAX_VENUE_FEE',
    format: SettingFormat.usd,
    initial: 10_000_000n,
  },
  // Far above an honest price on every chain but in a rush, and a loss that can be borne.
  maxGasUsd: { ...cap, key: 'maxGasUsd', env: 'FERRY_MAX_GAS_USD', format: SettingFormat.usd, initial: 25_000_000n },
  maxTipWei: {
    ...cap,
    key: 'maxTip',
    env: 'FERRY_MAX_TIP',
    format: optional(SettingFormat.gwei, 'auto'),
    initial: undefined,
    // The tip that is paid on most chains: a project file may only lower it.
    unset: 3_000_000_000n,
  },
  maxAgeMs: { ...cap, key: 'maxAge', env: 'FERRY_MAX_AGE', format: SettingFormat.duration, initial: 30_000 },
  witnesses: {
    inFiles: true,
    project: 'tighten',
    key: 'witnesses',
    env: 'FERRY_WITNESSES',
    format: SettingFormat.witnesses,
    initial: 'one',
    strictest: 'two',
  },
  // --allow takes any check and is for one command; it is added to these.
  allow: {
    ...outside,
    hasOtherFlag: true,
    key: 'allow',
    env: 'FERRY_ALLOW',
    format: optional(SettingFormat.allowed),
    initial: undefined,
  },
  timeoutMs: { ...user, key: 'timeout', env: 'FERRY_TIMEOUT', format: SettingFormat.duration, initial: 300_000 },
  rateLimit: {
    ...cap,
    key: 'rateLimit',
    env: 'FERRY_RATE_LIMIT',
    format: optional(SettingFormat.rate, 'auto'),
    initial: undefined,
    // A project's limit applies in addition to the published ones.
    unset: Number.POSITIVE_INFINITY,
  },
  notify: { ...user, key: 'notify', env: 'FERRY_NOTIFY', format: optional(SettingFormat.text), initial: undefined },
  bell: { ...user, key: 'bell', env: 'FERRY_BELL', format: SettingFormat.flag, initial: false },
  color: { ...free, key: 'color', env: 'FERRY_COLOR', format: SettingFormat.color, initial: 'auto' },
  quiet: { ...free, key: 'quiet', env: 'FERRY_QUIET', format: SettingFormat.flag, initial: false },
  store: { ...user, key: 'store', env: 'FERRY_STORE', format: optional(SettingFormat.database), initial: undefined },
  storeAsync: { ...user, key: 'storeAsync', env: 'FERRY_STORE_ASYNC', format: SettingFormat.flag, initial: false },
  submitters: {
    ...user,
    key: 'submitters',
    env: 'FERRY_SUBMITTERS',
    format: optional(SettingFormat.addresses),
    initial: undefined,
  },
  recipients: {
    ...user,
    key: 'recipients',
    env: 'FERRY_RECIPIENTS',
    format: optional(SettingFormat.addresses),
    initial: undefined,
  },
  maxLine: {
    ...user,
    key: 'maxLine',
    env: 'FERRY_MAX_LINE',
    format: optional(SettingFormat.amounts),
    initial: undefined,
  },
  maxDay: { ...user, key: 'maxDay', env: 'FERRY_MAX_DAY', format: optional(SettingFormat.amounts), initial: undefined },
  baseUrl: {
    ...outside,
    key: 'baseUrl',
    env: 'FERRY_BASE_URL',
    format: optional(SettingFormat.url),
    initial: undefined,
  },
  apiKey: {
    ...outside,
    key: 'apiKey',
    env: 'FERRY_API_KEY',
    format: optional(SettingFormat.secret),
    initial: undefined,
  },
  apiKeys: {
    ...outside,
    key: 'apiKeys',
    env: 'FERRY_API_KEYS',
    format: optional(SettingFormat.secrets),
    initial: undefined,
  },
  referrer: {
    ...outside,
    key: 'referrer',
    env: 'FERRY_REFERRER',
    format: optional(SettingFormat.text),
    initial: undefined,
  },
  venueUrl: {
    ...outside,
    key: 'venueUrl',
    env: 'FERRY_VENUE_URL',
    format: optional(SettingFormat.url),
    initial: undefined,
  },
  venueKey: {
    ...user,
    key: 'venueKey',
    env: 'FERRY_VENUE_KEY',
    format: optional(SettingFormat.name),
    initial: undefined,
  },
  venueKeyFile: {
    ...user,
    key: 'venueKeyFile',
    env: 'FERRY_VENUE_KEY_FILE',
    format: optional(SettingFormat.text),
    initial: undefined,
  },
  venuePrivateKey: {
    ...outside,
    key: 'venuePrivateKey',
    env: 'FERRY_VENUE_PRIVATE_KEY',
    format: optional(SettingFormat.secret),
    initial: undefined,
  },
};

/** The properties in table order. */
export const properties = Object.keys(definitions) as Property[];

/** The settings that a network may have of its own: who pays there, and what a transfer there may cost. */
const ofNetworks = [
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

/** Whether a network may have a value of its own for a setting. */
export function isOfNetworks(property: Property): boolean {
  return (ofNetworks as readonly Property[]).includes(property);
}

/** The settings of one network in the user file: `networks.<name>.<key>`. */
export const networkFormats = {
  baseUrl: SettingFormat.url,
  apiKey: SettingFormat.secret,
  apiKeys: SettingFormat.secrets,
  referrer: SettingFormat.text,
  realMoney: SettingFormat.flag,
  rateLimit: SettingFormat.rate,
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
