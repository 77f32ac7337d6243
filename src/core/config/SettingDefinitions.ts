/** The settings there are: one entry each, with its name in files, its variable and what a project file may do. */
import type { Secret } from '../base/Secret.js';
import { nearest } from '../text/DidYouMean.js';
import * as SettingFormat from './SettingFormat.js';

/** The settings that are one value. Networks and aliases, which hold many, stand in `Config`. */
export type Values = {
  /** The network of every command. */
  network: string;
  /** Who signs: a keystore's name, or `dev0` to `dev9` on the sandbox. */
  account: string | undefined;
  /** A file that holds the private key. */
  keyFile: string | undefined;
  /** A file that holds the keystore's password. */
  passwordFile: string | undefined;
  privateKey: Secret | undefined;
  /** Basis points; undefined leaves it to the service. */
  slippageBps: number | undefined;
  /** Basis points of the input that may be lost in all. */
  maxImpactBps: number;
  /** Millionths of a dollar of fees; undefined sets no cap. */
  maxFeeUsd: bigint | undefined;
  /** Millionths of USDC that the venue may take for a transfer, on top of the amount. */
  maxVenueFee: bigint;
  /** How old a quote may be when it is executed. */
  maxAgeMs: number;
  /** How long to follow a transfer. */
  timeoutMs: number;
  /** Requests a minute to the service; infinite sets no limit, undefined leaves it to what the service publishes. */
  rateLimit: number | undefined;
  color: SettingFormat.Color;
  quiet: boolean;
  /** Overrides of the network in use. */
  baseUrl: string | undefined;
  apiKey: Secret | undefined;
  referrer: string | undefined;
  /** Where the venue of the network in use answers. */
  venueUrl: string | undefined;
  /** Which of the venue's API keys signs: a stored one, a file that holds one, or the key itself. */
  venueKey: string | undefined;
  venueKeyFile: string | undefined;
  venuePrivateKey: Secret | undefined;
};

export type Property = keyof Values;

export type Definition<T = unknown> = {
  /** As it stands in files, and as `ferry config get` takes it. */
  key: string;
  /** The environment variable. */
  env: string;
  format: SettingFormat.Format<T>;
  /** What holds while nobody says anything. */
  initial: T;
  /** Whether configuration files may hold it. */
  inFiles: boolean;
  /** What a project file may do: nothing, say anything, or only lower the value. */
  project: 'nothing' | 'choose' | 'lower';
  /** What an unset value amounts to when a project file lowers it. */
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
  account: { ...user, key: 'account', env: 'FERRY_ACCOUNT', format: optional(SettingFormat.name), initial: undefined },
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
    // The service's own default. Without it a project file could raise the loss by naming a slippage.
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
  // Several times what the venue is known to ask.
  maxVenueFee: {
    ...cap,
    key: 'maxVenueFee',
    env: 'FERRY_MAX_VENUE_FEE',
    format: SettingFormat.usd,
    initial: 10_000_000n,
  },
  maxAgeMs: { ...cap, key: 'maxAge', env: 'FERRY_MAX_AGE', format: SettingFormat.duration, initial: 30_000 },
  timeoutMs: { ...user, key: 'timeout', env: 'FERRY_TIMEOUT', format: SettingFormat.duration, initial: 300_000 },
  rateLimit: {
    ...cap,
    key: 'rateLimit',
    env: 'FERRY_RATE_LIMIT',
    format: optional(SettingFormat.rate, 'auto'),
    initial: undefined,
    // A project's limit comes on top of the published ones.
    unset: Number.POSITIVE_INFINITY,
  },
  color: { ...free, key: 'color', env: 'FERRY_COLOR', format: SettingFormat.color, initial: 'auto' },
  quiet: { ...free, key: 'quiet', env: 'FERRY_QUIET', format: SettingFormat.flag, initial: false },
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

/** The properties in the order of the table. */
export const properties = Object.keys(definitions) as Property[];

/** The settings of one network in the user file: `networks.<name>.<key>`. */
export const networkFormats = {
  baseUrl: SettingFormat.url,
  apiKey: SettingFormat.secret,
  referrer: SettingFormat.text,
  realMoney: SettingFormat.flag,
  rateLimit: SettingFormat.rate,
} as const;

/** What the venue's signatures are bound to: its own id, not the one by which the service knows its chain. */
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
  rpcUrl: SettingFormat.url,
  explorerUrl: SettingFormat.url,
} as const;

/** The property of a key as it stands in files. */
export function property(key: string): Property | undefined {
  return properties.find((each) => definitions[each].key === key);
}

/** An RPC URL of a chain of the network in use: `FERRY_RPC_URL_BASE`, `FERRY_RPC_URL_BASE_SEPOLIA`. */
export const rpcUrlPrefix = 'FERRY_RPC_URL_';

/** The variable that names a chain's RPC URL. */
export function rpcUrlVariable(chain: string): string {
  return `${rpcUrlPrefix}${chain.toUpperCase().replaceAll('-', '_')}`;
}

/** Variables that say where files and programs are, read before there is a configuration, with what each is. */
export const places: Readonly<Record<string, string>> = {
  FERRY_CONFIG_DIR: 'the folder of your configuration (default: ~/.config/ferry)',
  FERRY_STATE_DIR: 'the folder of journals and of the sandbox (default: ~/.local/state/ferry)',
  FERRY_KEYSTORE_DIR: 'the folder of encrypted keys (default: keys, in the folder of your configuration)',
  FERRY_ANVIL: 'the anvil that the sandbox runs on (default: the one that npm installed beside ferry, else on PATH)',
};

/** Variables of ferry's own tests and build. */
const internal = ['FERRY_PUBLISHED', 'FERRY_VERSION'];

/** Whether ferry reads a variable; for one that it does not, the nearest that it does. */
export function checkVariable(variable: string): { known: boolean; nearest?: string | undefined } {
  const known = [...properties.map((each) => definitions[each].env), ...Object.keys(places), ...internal];
  if (known.includes(variable) || /^FERRY_(RPC_URL|SANDBOX)_./.test(variable)) return { known: true };
  // Without the prefix that all have in common, which would make short names look alike.
  const near = nearest(
    variable.slice(6),
    known.map((each) => each.slice(6)),
  );
  return { known: false, nearest: near === undefined ? undefined : `FERRY_${near}` };
}
