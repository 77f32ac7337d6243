/** Configuration files: what they may contain, and what a project file may not, since anyone may have written it. */

import * as AddressName from '../accounts/AddressName.js';
import { isMapping } from '../api/schema/Mapping.js';
import { BaseError, type Fact } from '../base/Errors.js';
import * as Redaction from '../base/Redaction.js';
import * as NetworkRegistry from '../network/NetworkRegistry.js';
import { nearest } from '../text/DidYouMean.js';
import * as TerminalText from '../text/TerminalText.js';
import * as SettingDefinitions from './SettingDefinitions.js';
import type { Format, Setting, Source } from './SettingFormat.js';
import * as SettingFormat from './SettingFormat.js';

/** A file as read: the user's own, or one found in the project. */
export type ConfigFile = { kind: 'user' | 'project'; path: string; content: unknown };

/** The port to the user's configuration file. */
export type ConfigFiles = {
  /** The path of the user file, whether or not it exists. */
  userPath: string;
  /** Its current content; undefined if there is no file. @throws config.unreadable */
  content(): Promise<unknown>;
  /** @throws config.unwritable for a format that ferry reads but does not write */
  assertWritable(): void;
  /** Writes all changes atomically and keeps everything else. @throws config.* · usage.invalid */
  write(changes: readonly Change[]): Promise<void>;
  /** The user file as text; empty if there is none. @throws config.unreadable */
  text(): string;
  /** Puts a text in its place, if it is a valid configuration. @throws config.* */
  replace(text: string): Promise<void>;
  /** The path of the project file in effect, if there is one. @throws config.invalid */
  projectPath(): string | undefined;
  /** The file of signatures for decoding traces, if there is one. @throws config.unreadable */
  signatures(): Promise<{ path: string; text: string } | undefined>;
};

/** The settings of a file, each with its source. */
export type Said = {
  values: { readonly [P in SettingDefinitions.Property]?: Setting<SettingDefinitions.Values[P]> };
  networks: ReadonlyMap<string, NetworkSettings>;
  aliases: ReadonlyMap<string, Setting<string>>;
};

/** One network of the user file. */
export type NetworkSettings = Read<typeof SettingDefinitions.networkFormats> & {
  /** What holds there in place of the settings of the same name for every network. */
  values: Said['values'];
  chains: ReadonlyMap<string, ChainSettings>;
  venue: Read<typeof SettingDefinitions.venueFormats>;
};

/** One chain of a network. One that does not ship with ferry needs the first four. */
export type ChainSettings = Read<typeof SettingDefinitions.chainFormats>;

type Read<F> = { [K in keyof F]?: F[K] extends Format<infer T> ? Setting<T> : never };

/**
 * Reads a file's content.
 *
 * @throws config.invalid with the file, the key and the expected value · config.untrusted if a project file changes
 *   something that only the user may change
 */
export function read(file: ConfigFile): Said {
  const content = file.content ?? {};
  if (!isMapping(content)) throw invalidSetting(file, '', 'a mapping of keys to values');
  const values: Record<string, Setting<unknown>> = {};
  let networks = new Map<string, NetworkSettings>();
  let aliases = new Map<string, Setting<string>>();
  for (const [key, raw] of Object.entries(content)) {
    const property = SettingDefinitions.property(key);
    const definition = property && SettingDefinitions.definitions[property];
    if (file.kind === 'project' && (!definition?.inFiles || definition.project === 'nothing'))
      throw untrusted(file.path, innermost(key, raw));
    if (key === '$import')
      throw new BaseError('config.invalid', 'Configuration files do not include other files: $import is not allowed.', {
        facts: [['file', file.path]],
        hint: 'Put the settings in the file itself.',
        next: mending(file),
      });
    if (key === 'networks') networks = readNetworks(file, raw);
    else if (key === 'aliases') aliases = readAliases(file, raw);
    else if (!property || !definition) throw unknownKey(file, key, topKeys());
    else if (!definition.inFiles) {
      const hints: Record<string, string> = {
        privateKey: 'A private key does not belong in a configuration file. Encrypt it with ferry key import.',
      };
      throw new BaseError('config.invalid', `${key} is not allowed at the top level of a configuration file.`, {
        facts: [['file', file.path]],
        hint: hints[key] ?? `It belongs to one network: write it as networks.<name>.${key}.`,
        next: mending(file),
      });
    } else values[property] = readOne(file, key, raw, definition.format as Format<unknown>);
  }
  return { values, networks, aliases };
}

/** A setting by its dotted key, with its new value as typed; undefined removes the setting, or what is none. */
export type Change = readonly [key: string, value: string | undefined];

/**
 * The content of a user file with changes applied.
 *
 * @throws config.invalid · usage.invalid for an unknown key or an invalid value
 */
export function change(file: ConfigFile, changes: readonly Change[]): Record<string, unknown> {
  const content = file.content ?? {};
  if (!isMapping(content)) throw invalidSetting(file, '', 'a mapping of keys to values');
  const root: Record<string, unknown> = structuredClone(content);
  for (const [key, value] of changes) {
    const path = key.split('.');
    if (value === undefined) {
      remove(root, path);
      continue;
    }
    const format = formatOf(key);
    if (!format) throw unknownSetting(key);
    const found = SettingFormat.option(format, value, key);
    const last = path.pop() ?? key;
    const at = path.reduce((above: Record<string, unknown>, step) => {
      if (!isMapping(above[step])) above[step] = {};
      return above[step] as Record<string, unknown>;
    }, root);
    at[last] = typeof found === 'boolean' ? found : value;
  }
  // What is wrong elsewhere in the file does not keep what is wrong here from being removed.
  if (changes.some(([, value]) => value !== undefined)) read({ ...file, content: root });
  return root;
}

/** Removes a value, and the mappings around it that hold nothing else. */
function remove(mapping: Record<string, unknown>, [key = '', ...rest]: readonly string[]): void {
  const inner = Object.hasOwn(mapping, key) ? mapping[key] : undefined;
  if (rest.length > 0 && isMapping(inner)) remove(inner, rest);
  if (rest.length === 0 || (isMapping(inner) && Object.keys(inner).length === 0)) delete mapping[key];
}

/** The value of a file by its dotted key; undefined if it does not set it. */
export function valueAt(content: unknown, key: string): unknown {
  const step = (at: unknown, name: string): unknown =>
    isMapping(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return key.split('.').reduce(step, content);
}

/** The format of a setting in a user file, by its dotted key; undefined if the key is unknown. */
export function formatOf(key: string): Format<unknown> | undefined {
  const [first = '', name, third = '', chain, fifth = '', ...rest] = key.split('.');
  if (rest.length > 0) return undefined;
  const property = SettingDefinitions.property(first);
  if (property && name === undefined)
    return SettingDefinitions.definitions[property].inFiles
      ? (SettingDefinitions.definitions[property].format as Format<unknown>)
      : undefined;
  if (name === undefined || !isName(name)) return undefined;
  if (first === 'aliases') return third === '' ? (aliasFormat as Format<unknown>) : undefined;
  if (first !== 'networks') return undefined;
  if (third === 'venue')
    return chain !== undefined && fifth === '' ? own(SettingDefinitions.venueFormats, chain) : undefined;
  if (third !== 'chains') return chain === undefined ? own(SettingDefinitions.networkFormats, third) : undefined;
  return chain !== undefined && isName(chain) ? own(SettingDefinitions.chainFormats, fifth) : undefined;
}

function readNetworks(file: ConfigFile, raw: unknown): Map<string, NetworkSettings> {
  const networks = new Map<string, NetworkSettings>();
  for (const [name, settings] of entries(file, 'networks', raw)) {
    const at = `networks.${name}`;
    const { chains = {}, venue = {}, ...rest } = Object.fromEntries(entries(file, at, settings));
    const read = readKnown(file, at, rest, SettingDefinitions.networkFormats, ['chains', 'venue']);
    if (read.realMoney && NetworkRegistry.isShipped(name))
      throw invalidSetting(file, `${at}.realMoney`, `omitted: ferry knows whether ${name} moves real money`);
    const chainSettings = new Map<string, ChainSettings>();
    for (const [chain, each] of entries(file, `${at}.chains`, chains)) {
      const where = `${at}.chains.${chain}`;
      const known = Object.fromEntries(entries(file, where, each));
      chainSettings.set(chain, readKnown(file, where, known, SettingDefinitions.chainFormats, []));
    }
    const venueSettings = Object.fromEntries(entries(file, `${at}.venue`, venue));
    networks.set(name, {
      ...read,
      values: valuesOf(read),
      chains: chainSettings,
      venue: readKnown(file, `${at}.venue`, venueSettings, SettingDefinitions.venueFormats, []),
    });
  }
  return networks;
}

/** The settings that a network has of its own, by property. */
function valuesOf(read: Readonly<Record<string, Setting<unknown> | undefined>>): Said['values'] {
  const { ofNetworks, definitions } = SettingDefinitions;
  return Object.fromEntries(ofNetworks.map((property) => [property, read[definitions[property].key]]));
}

/** The dotted key that is meant: that of a network, `networks.mainnet.account`, if `--network` names one and it can have it. */
export function keyOn({ network }: { network: Setting<string> }, key: string): string {
  const isMeant = network.source.kind === 'flag' && own(SettingDefinitions.networkFormats, key) !== undefined;
  return isMeant ? `networks.${network.value}.${key}` : key;
}

function readAliases(file: ConfigFile, raw: unknown): Map<string, Setting<string>> {
  const all = entries(file, 'aliases', raw);
  for (const [name] of all) {
    const near = AddressName.lookalike(
      name,
      all.map(([each]) => each),
    );
    const expects = AddressName.objection(name) ?? (near && `another: it looks like ${near}`);
    if (expects) throw invalidSetting(file, `The name aliases.${name}`, expects);
  }
  return new Map(all.map(([name, value]) => [name, readOne(file, `aliases.${name}`, value, aliasFormat)]));
}

function readKnown<F extends object>(
  file: ConfigFile,
  at: string,
  raw: Readonly<Record<string, unknown>>,
  formats: F,
  others: readonly string[],
): Read<F> {
  const found: Record<string, Setting<unknown>> = {};
  for (const [key, value] of Object.entries(raw)) {
    const format = own(formats, key);
    if (!format) throw unknownKey(file, `${at}.${key}`, [...Object.keys(formats), ...others]);
    found[key] = readOne(file, `${at}.${key}`, value, format);
  }
  return found as Read<F>;
}

function readOne<T>(file: ConfigFile, key: string, raw: unknown, format: Format<T>): Setting<T> {
  const found = format.read(raw);
  if (!found) throw invalidSetting(file, key, format.expects, format.privacy === 'open' ? raw : undefined);
  const source: Source = { kind: file.kind, path: file.path };
  return { value: found.value, source };
}

/** The entries of a mapping whose keys are names or known keywords. */
function entries(file: ConfigFile, at: string, raw: unknown): [string, unknown][] {
  if (!isMapping(raw)) throw invalidSetting(file, at, 'a mapping of names to values');
  for (const name of Object.keys(raw))
    if (!isName(name)) throw invalidSetting(file, `${at}.${name}`, 'named with letters, digits and dashes');
  return Object.entries(raw);
}

/** The full key of the first nested setting, so an error can name `networks.mainnet.baseUrl`, not just `networks`. */
function innermost(key: string, raw: unknown): string {
  const first = isMapping(raw) ? Object.entries(raw)[0] : undefined;
  return first ? `${key}.${innermost(...first)}` : key;
}

/** Only the form is checked here; the checksum is where the name is used, since it takes longer than to start. */
const aliasFormat = SettingFormat.matching('an address: 0x followed by 40 hexadecimal digits', /^0x[0-9a-fA-F]{40}$/);

function own<F extends object>(formats: F, key: string): Format<unknown> | undefined {
  return Object.hasOwn(formats, key) ? (formats as Record<string, Format<unknown>>)[key] : undefined;
}

function isName(text: string): boolean {
  return SettingFormat.name.read(text) !== undefined;
}

function topKeys(): string[] {
  const inFiles = SettingDefinitions.properties
    .map((each) => SettingDefinitions.definitions[each])
    .filter((each) => each.inFiles);
  return [...inFiles.map((each) => each.key), 'networks', 'aliases'];
}

/** A part of a file, or the value of a variable, without what looks like a key: a secret may be in the wrong place. */
export function shown(text: string): string {
  return TerminalText.escape(Redaction.ofKeyLike(text));
}

/** What opens a file to mend it: that of the user has a command. */
function mending({ kind }: Pick<ConfigFile, 'kind'>): string | undefined {
  return kind === 'user' ? 'ferry config edit' : undefined;
}

function invalidSetting(
  file: Pick<ConfigFile, 'kind' | 'path'>,
  key: string,
  expects: string,
  raw?: unknown,
): BaseError {
  const facts: Fact[] = [['file', file.path]];
  if (raw !== undefined) facts.push(['value', shown(JSON.stringify(raw) ?? String(raw)).slice(0, 80)]);
  return new BaseError('config.invalid', `${key ? shown(key) : 'The configuration file'} must be ${expects}.`, {
    facts,
    next: mending(file),
  });
}

function unknownKey(file: ConfigFile, key: string, known: readonly string[]): BaseError {
  const near = nearest(key.slice(key.lastIndexOf('.') + 1), known);
  return new BaseError('config.invalid', `${shown(key)} is not a setting.`, {
    facts: [['file', file.path]],
    hint: near ? `Did you mean ${near}?` : `The settings here are ${known.join(', ')}.`,
    next: mending(file),
  });
}

export function untrusted(path: string, key: string, why?: string): BaseError {
  return new BaseError('config.untrusted', `The project file sets ${shown(key)}, which only you may change.`, {
    facts: [
      ['file', path],
      ['key', shown(key)],
    ],
    hint:
      why ??
      'A project file may select a test network, color and quiet, and lower slippage, maxImpact, maxFeeUsd, maxVenueFee, maxGasUsd, maxTip, maxAge and rateLimit, and set witnesses to two. Set everything else in your own file, an environment variable or a flag.',
    next: 'ferry config set <key> <value>',
  });
}

export function unknownSetting(key: string): BaseError {
  const near = nearest(key, topKeys());
  return new BaseError('usage.invalid', `${TerminalText.escape(key)} is not a setting.`, {
    hint: near
      ? `Did you mean ${near}?`
      : `The settings are ${topKeys().slice(0, -2).join(', ')}, networks.<name>.<key>, networks.<name>.chains.<chain>.rpcUrl and aliases.<name>.`,
    next: 'ferry config list',
  });
}
