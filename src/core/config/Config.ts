/** The merged configuration, each value with its source. Flag > variable > project file > user file > default. */

import type { AddressBook } from '../accounts/AddressBook.js';
import * as AddressText from '../base/AddressText.js';
import { BaseError } from '../base/Errors.js';
import * as Secret from '../base/Secret.js';
import * as Url from '../base/Url.js';
import * as NetworkRegistry from '../network/NetworkRegistry.js';
import * as ShellCommand from '../text/ShellCommand.js';
import { flagName } from '../text/ShellCommand.js';
import * as TerminalText from '../text/TerminalText.js';
import * as ConfigFile from './ConfigFile.js';
import * as SettingDefinitions from './SettingDefinitions.js';
import * as SettingFormat from './SettingFormat.js';

export type Config = {
  readonly [P in SettingDefinitions.Property]: SettingFormat.Setting<SettingDefinitions.Values[P]>;
} & {
  /** RPC URLs of the network in use, by the suffix of their variable: `BASE` for `FERRY_RPC_URL_BASE`. */
  rpcUrls: ReadonlyMap<string, SettingFormat.Setting<string>>;
  /** The same of further nodes of a chain. */
  moreRpcUrls: ReadonlyMap<string, SettingFormat.Setting<readonly string[]>>;
  networks: ReadonlyMap<string, ConfigFile.NetworkSettings>;
  aliases: ReadonlyMap<string, SettingFormat.Setting<string>>;
  /** Warnings for the user: misspelled variables, and caps that a project file tried to raise. */
  warnings: readonly string[];
};

/** The layers to merge. Unknown flags and variables are ignored. */
export type Layers = {
  /** Command-line flags by camelCase key: `maxImpact`, `keyFile`, `color`. */
  flags?: Readonly<Record<string, unknown>>;
  env?: Readonly<Record<string, string | undefined>>;
  project?: { path: string; content: unknown } | undefined;
  user?: { path: string; content: unknown } | undefined;
};

/** One line of `ferry config list`. */
export type Row = {
  key: string;
  /** The value as a user writes it, with secrets masked and URLs redacted. Null if not set. */
  value: string | null;
  source: SettingFormat.Source;
};

/**
 * Merges the layers. An empty variable counts as unset.
 *
 * @throws usage.invalid for a flag · config.invalid for a variable or a file · config.untrusted
 */
export function merge({ flags = {}, env = {}, project, user }: Layers): Config {
  const userFile = user && ConfigFile.read({ ...user, kind: 'user' });
  const projectFile = project && ConfigFile.read({ ...project, kind: 'project' });
  if (project && projectFile?.values.network)
    assertTestNetwork(project.path, projectFile.values.network.value, userFile?.networks);
  assertUnquoted(env);
  const warnings = unknownVariables(env);

  const settingOf = (property: SettingDefinitions.Property, ofNetwork?: ConfigFile.Said['values']) => {
    const definition = SettingDefinitions.definitions[property] as SettingDefinitions.Definition;
    const initial = { value: definition.initial, source: { kind: 'default' as const } };
    const raw = env[definition.env];
    const below = ofNetwork?.[property] ?? userFile?.values[property] ?? initial;
    return (
      fromFlag(definition, flags) ??
      (raw ? readVariable(definition.env, raw, definition.format) : undefined) ??
      fromProject(definition, projectFile?.values[property], below, warnings)
    );
  };
  const ofNetwork = userFile?.networks.get(String(settingOf('network').value))?.values;
  const values = Object.fromEntries(
    SettingDefinitions.properties.map((property) => [property, settingOf(property, ofNetwork)]),
  );
  for (const property of named) assertNoKey(values[property] as SettingFormat.Setting<unknown>);
  return {
    ...(values as { [P in SettingDefinitions.Property]: SettingFormat.Setting<SettingDefinitions.Values[P]> }),
    rpcUrls: byChain(env, SettingDefinitions.rpcUrlPrefix, SettingFormat.url),
    moreRpcUrls: byChain(env, SettingDefinitions.rpcUrlsPrefix, SettingFormat.urls),
    networks: userFile?.networks ?? new Map(),
    aliases: userFile?.aliases ?? new Map(),
    warnings,
  };
}

/** Every setting in table order, followed by the RPC URLs, networks and aliases that are set. */
export function list(config: Config): Row[] {
  const rows: Row[] = SettingDefinitions.properties.map((property) => {
    const { key, format } = SettingDefinitions.definitions[property] as SettingDefinitions.Definition;
    return row(key, config[property] as SettingFormat.Setting<unknown>, format);
  });
  const { rpcUrlPrefix, rpcUrlsPrefix } = SettingDefinitions;
  for (const [chain, setting] of config.rpcUrls) rows.push(row(`${rpcUrlPrefix}${chain}`, setting, SettingFormat.url));
  for (const [chain, setting] of config.moreRpcUrls)
    rows.push(row(`${rpcUrlsPrefix}${chain}`, setting, SettingFormat.urls));
  for (const [name, { chains, venue, values: _, ...settings }] of config.networks) {
    rows.push(...nested(`networks.${name}`, settings), ...nested(`networks.${name}.venue`, venue));
    for (const [chain, each] of chains) rows.push(...nested(`networks.${name}.chains.${chain}`, each));
  }
  for (const [name, setting] of config.aliases)
    rows.push({ key: `aliases.${name}`, value: setting.value, source: setting.source });
  return rows;
}

/** Finds a setting by key. @throws usage.invalid if there is no such setting */
export function get(config: Config, key: string): Row {
  const found = list(config).find((each) => each.key === key);
  if (found) return found;
  // A valid key of a network or an alias that is not set.
  if (!ConfigFile.formatOf(key)) throw ConfigFile.unknownSetting(key);
  return { key, value: null, source: { kind: 'default' } };
}

export function addressBook({ aliases }: Pick<Config, 'aliases'>): AddressBook {
  return new Map([...aliases].map(([name, { value }]) => [name, value]));
}

/** Every secret in the configuration and in the proxy variables, for masking in output. */
export function secrets(config: Config, env: Layers['env'] = {}): string[] {
  const networks = [...config.networks.values()];
  const keys = [
    ...[config.privateKey, config.venuePrivateKey],
    ...[config, ...networks].flatMap(({ apiKey, apiKeys }) => [apiKey, apiKeys]),
  ].flatMap((each) => each?.value ?? []);
  const urls = [
    ...[config.baseUrl, config.venueUrl, ...config.rpcUrls.values(), ...config.moreRpcUrls.values()],
    ...networks.flatMap(({ baseUrl, venue, chains }) => [
      ...[baseUrl, venue.baseUrl],
      ...[...chains.values()].flatMap(({ rpcUrl, rpcUrls }) => [rpcUrl, rpcUrls]),
    ]),
  ].flatMap((each) => each?.value ?? []);
  const proxies = Object.entries(env).flatMap(([name, value = '']) =>
    /^(https?|all)_proxy$/i.test(name) ? value : [],
  );
  return [...new Set([...keys.map((key) => key.reveal()), ...[...urls, ...proxies].flatMap(Url.secrets)])];
}

function fromFlag(
  { key, format, hasOtherFlag = false }: SettingDefinitions.Definition,
  flags: Readonly<Record<string, unknown>>,
): SettingFormat.Setting<unknown> | undefined {
  const raw = !hasOtherFlag && Object.hasOwn(flags, key) ? flags[key] : undefined;
  // An absent flag is undefined; an absent boolean flag may also be false.
  if (raw === undefined || (raw === false && key !== 'color')) return undefined;
  const flag = flagName(key);
  return { value: SettingFormat.option<unknown>(format, raw, flag), source: { kind: 'flag', name: flag } };
}

function readVariable<T>(variable: string, raw: string, format: SettingFormat.Format<T>): SettingFormat.Setting<T> {
  // A file of variables with the line ends of Windows leaves one of them.
  const found = format.read(raw.trim());
  if (!found) {
    const hidden = AddressText.invisible(raw.trim());
    throw new BaseError('config.invalid', `${variable} must be ${format.expects}.`, {
      facts: format.privacy === 'open' ? [['value', ConfigFile.shown(raw).slice(0, 80)]] : [],
      hint: hidden === undefined ? undefined : `Its value has an invisible character, ${hidden}.`,
      next: ShellCommand.line`unset ${variable}`,
    });
  }
  return { value: found.value, source: { kind: 'env', name: variable } };
}

/** The project file's value, unless it would raise a cap: then the value of the layer below, and a warning. */
function fromProject(
  definition: SettingDefinitions.Definition,
  setting: SettingFormat.Setting<unknown> | undefined,
  below: SettingFormat.Setting<unknown>,
  warnings: string[],
): SettingFormat.Setting<unknown> {
  if (!setting) return below;
  const { key, format, project, strictest, unset } = definition;
  const bound = (below.value ?? unset) as number | bigint | undefined;
  const value = setting.value as number | bigint | undefined;
  const isFit = {
    nothing: true,
    choose: true,
    tighten: setting.value === strictest || setting.value === below.value,
    lower: value !== undefined && (bound === undefined || value <= bound),
  };
  if (isFit[project]) return setting;
  const may = project === 'tighten' ? `set it to ${format.show(strictest)}` : 'lower it';
  warnings.push(
    `${SettingFormat.formatSource(setting.source)} sets ${key} to ${format.show(setting.value) ?? 'nothing'}, but a project file may only ${may}: using ${format.show(below.value) ?? 'nothing'}.`,
  );
  return below;
}

/** A project file may only select a network that moves no real money. */
function assertTestNetwork(path: string, name: string, networks: ConfigFile.Said['networks'] | undefined): void {
  const isHarmless = (NetworkRegistry.testNames as readonly string[]).includes(name);
  const isDeclaredHarmless = !NetworkRegistry.isShipped(name) && networks?.get(name)?.realMoney?.value === false;
  if (!isHarmless && !isDeclaredHarmless)
    throw ConfigFile.untrusted(
      path,
      'network',
      `A project file may select ${NetworkRegistry.testNames.join(' or ')}. Select ${TerminalText.escape(name)} yourself with --network or FERRY_NETWORK.`,
    );
}

/** The settings of the variables with a prefix, by the chain that follows it. */
function byChain<T>(
  env: Readonly<Record<string, string | undefined>>,
  prefix: string,
  format: SettingFormat.Format<T>,
): Map<string, SettingFormat.Setting<T>> {
  const found = new Map<string, SettingFormat.Setting<T>>();
  for (const [variable, raw] of Object.entries(env))
    if (raw && variable.startsWith(prefix))
      found.set(variable.slice(prefix.length), readVariable(variable, raw, format));
  return found;
}

/** Quotes around a value mean nothing in any of ferry's variables but a command, in which a shell reads them. */
function assertUnquoted(env: Readonly<Record<string, string | undefined>>): void {
  for (const [variable, raw = ''] of Object.entries(env))
    if (/^FERRY_(?!ACCOUNT_SIGNER)/.test(variable) && /^(["'`]).*\1$/s.test(raw.trim()))
      throw new BaseError('config.invalid', `The value of ${TerminalText.escape(variable)} is in quotes.`, {
        hint: 'docker --env-file, systemd and others keep them: remove them from the file. In a shell, write them once.',
        next: ShellCommand.line`unset ${variable}`,
      });
}

/** What is a name or a path is printed, and a private key may have been put there. */
const named = ['account', 'keyFile', 'passwordFile', 'venueKey', 'venueKeyFile'] as const;

function assertNoKey({ value, source }: SettingFormat.Setting<unknown>): void {
  if (typeof value === 'string' && Secret.isKey(value))
    throw new BaseError('config.invalid', 'A private key stands where a name or a file is wanted.', {
      facts: [['in', SettingFormat.formatSource(source)]],
      hint: 'Encrypt it with ferry key import, and name the key. In CI, FERRY_PRIVATE_KEY takes a key, and FERRY_VENUE_PRIVATE_KEY one of the venue.',
    });
}

function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const own = Object.keys(env).filter((variable) => env[variable] && variable.startsWith('FERRY_'));
  return own.flatMap((variable) => {
    const { known, nearest } = SettingDefinitions.checkVariable(variable);
    const hint = nearest ? ` Did you mean ${nearest}?` : '';
    return known ? [] : [`Unknown environment variable ${TerminalText.escape(variable)}.${hint}`];
  });
}

function nested(at: string, settings: Readonly<Record<string, SettingFormat.Setting<unknown> | undefined>>): Row[] {
  return Object.entries(settings).flatMap(([key, setting]) => {
    const format = ConfigFile.formatOf(`${at}.${key}`);
    return setting && format ? [row(`${at}.${key}`, setting, format)] : [];
  });
}

function row<T>(key: string, { value, source }: SettingFormat.Setting<T>, format: SettingFormat.Format<T>): Row {
  return { key, value: format.show(value) ?? null, source };
}
