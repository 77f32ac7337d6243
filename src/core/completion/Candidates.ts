/** The completion candidates at a position, with descriptions. */
import * as ConfigFile from '../config/ConfigFile.js';
import * as SettingDefinitions from '../config/SettingDefinitions.js';
import { docs } from '../docs/SettingDocs.js';
import type { Chain } from '../network/Network.js';
import * as NetworkRegistry from '../network/NetworkRegistry.js';
import * as TerminalText from '../text/TerminalText.js';
import { type Tree, type Value, wordsAfter } from './CommandTree.js';
import type { Position } from './CursorContext.js';
import type { LocalNames, Named } from './LocalNames.js';
import type { Line } from './PartialCommand.js';
import type { Shell } from './ShellQuoting.js';

export type Candidates = {
  candidates: readonly Candidate[];
  /** Whether files are also valid here. */
  files: boolean;
};

export type Candidate = {
  /** The whole word, unquoted. */
  text: string;
  about: string;
};

/** Finds the candidates. Never accesses the network: all data comes from `known`. */
export async function from(position: Position, tree: Tree, known: LocalNames): Promise<Candidates> {
  const { before, flags, words, value } = position;
  const values = value ? await ofValue(value, position, tree, known) : nothing;
  const all = [
    ...words.map(({ name, summary }) => ({ text: name, about: summary })),
    ...values.candidates,
    ...flags.map(({ long, description }) => ({ text: long, about: description })),
  ];
  return {
    candidates: all.flatMap(({ text, about }) =>
      isTypeable(text) ? [{ text: before + text, about: TerminalText.escape(about).slice(0, 100) }] : [],
    ),
    files: values.files,
  };
}

const nothing: Candidates = { candidates: [], files: false };

/** Whether a text can be typed and seen: no control characters, invisible characters or lone surrogates. */
function isTypeable(text: string): boolean {
  return text !== '' && (/^[ -~]+$/.test(text) || !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text));
}

async function ofValue(value: Value, position: Position, tree: Tree, known: LocalNames): Promise<Candidates> {
  if (value.choices) return only(value.choices.map((text) => ({ text, about: '' })));
  const { args, typed } = position;
  const network = () => known.network(position.network);
  switch (value.names) {
    case 'file':
    case 'program':
      return { candidates: [], files: true };
    case 'network':
      return only(await networks(known));
    case 'chain':
      return only(chains((await network())?.chains ?? [], typed, ''));
    case 'currency':
      return only(currencies((await network())?.chains ?? [], typed));
    case 'account':
      return only([
        ...known.keys().map(toCandidate),
        ...((await network())?.name === 'sandbox' ? development : []),
        ...(await addresses(known)),
      ]);
    case 'address':
    case 'alias':
      return only(await addresses(known));
    case 'page':
      return only([...requests(known), ...(await addresses(known))]);
    case 'key':
      return only([...known.keys(), ...known.venueKeys()].map(toCandidate));
    case 'venue-key':
      return only(known.venueKeys().map(toCandidate));
    case 'run':
    case 'unfinished-run':
      return only(runs(known, { unfinished: value.names === 'unfinished-run' }));
    case 'request':
      return only(requests(known));
    case 'transfer':
    case 'bill':
      if (args.length === 0) return { candidates: value.names === 'bill' ? requests(known) : [], files: true };
      // An amount is followed by two currencies, a file by nothing.
      if (args.length > 2 || !/^(max|[\d.]+)$/.test(args[0] ?? '')) return nothing;
      return only(currencies((await network())?.chains ?? [], typed));
    case 'setting':
      return only(await settings(typed, known));
    case 'setting-value':
      return ofSetting(args.at(-1) ?? '', position, tree, known);
    case 'command':
    case 'topic':
      return only(names(value.names, args, tree));
    default:
      return nothing;
  }
}

function only(candidates: readonly Candidate[]): Candidates {
  return { candidates, files: false };
}

function toCandidate({ name, about }: Named): Candidate {
  return { text: name, about };
}

async function networks(known: LocalNames): Promise<Candidate[]> {
  const { networks: own } = await known.configured();
  return [
    ...NetworkRegistry.names.map((text) => ({
      text,
      about: NetworkRegistry.testNames.includes(text) ? 'no real money' : 'real money',
    })),
    ...own
      .filter(({ name }) => !NetworkRegistry.isShipped(name))
      .map(({ name }) => ({ text: name, about: 'user-defined' })),
  ];
}

/** The user's names for addresses. */
async function addresses(known: LocalNames): Promise<Candidate[]> {
  return (await known.configured()).aliases.map(({ name, address }) => ({ text: name, about: address }));
}

/** Chains by name, or by id if a digit was typed. */
function chains(all: readonly Chain[], typed: string, end: string): Candidate[] {
  const isId = /^\d/.test(typed);
  return all.map(({ id, name, displayName }) => ({ text: `${isId ? id : name}${end}`, about: displayName }));
}

/** First chains, each with a slash, then the tokens of the typed chain. */
function currencies(all: readonly Chain[], typed: string): Candidate[] {
  const slash = typed.indexOf('/');
  if (slash < 0) return chains(all, typed, '/');
  const wanted = typed.slice(0, slash);
  const chain = all.find(({ id, name }) => name === wanted.toLowerCase() || String(id) === wanted);
  if (!chain) return [];
  return [chain.native, ...chain.tokens].flatMap(({ symbol, name }) =>
    // A slash in a symbol would be ambiguous.
    symbol === '' || symbol.includes('/') ? [] : [{ text: `${wanted}/${symbol.toLowerCase()}`, about: name }],
  );
}

const development: readonly Candidate[] = Array.from({ length: 10 }, (_, index) => ({
  text: `dev${index}`,
  about: 'development account',
}));

function runs(known: LocalNames, { unfinished }: { unfinished: boolean }): Candidate[] {
  return known
    .runs()
    .filter(({ isUnfinished }) => isUnfinished || !unfinished)
    .map(({ id, summary, isUnfinished }) => ({
      text: id,
      about: isUnfinished && !unfinished ? `${summary}, unfinished` : summary,
    }));
}

function requests(known: LocalNames): Candidate[] {
  return known.runs().flatMap(({ requestId, summary }) => (requestId ? [{ text: requestId, about: summary }] : []));
}

/** Completes a setting's key segment by segment: `networks.`, `networks.mainnet.`, `networks.mainnet.apiKey`. */
async function settings(typed: string, known: LocalNames): Promise<Candidate[]> {
  const { networks: own, aliases } = await known.configured();
  const path = typed.split('.').slice(0, -1);
  const [first, name, third, chain] = path;
  const at = path.map((each) => `${each}.`).join('');
  const below = (words: readonly string[], about = ''): Candidate[] =>
    words.map((word) => ({ text: `${at}${word}`, about }));
  if (first === undefined)
    return [
      ...SettingDefinitions.properties
        .map((property) => ({ text: SettingDefinitions.definitions[property].key, about: docs[property] }))
        .filter(({ text }) => ConfigFile.formatOf(text)),
      { text: 'networks.', about: 'settings of a network' },
      ...(aliases.length > 0 ? [{ text: 'aliases.', about: 'your names for addresses' }] : []),
    ];
  if (first === 'aliases') return path.length === 1 ? below(aliases.map((each) => each.name)) : [];
  if (first !== 'networks') return [];
  if (name === undefined)
    return below([...new Set([...NetworkRegistry.names, ...own.map((each) => each.name)])].map((each) => `${each}.`));
  if (third === undefined) return below([...Object.keys(SettingDefinitions.networkFormats), 'chains.', 'venue.']);
  if (third === 'venue') return path.length === 3 ? below(Object.keys(SettingDefinitions.venueFormats)) : [];
  if (third !== 'chains') return [];
  const configured = own.find((each) => each.name === name)?.chains ?? [];
  const all = NetworkRegistry.isShipped(name) ? (await NetworkRegistry.load(name)).chains.map((each) => each.name) : [];
  if (chain === undefined) return below([...new Set([...all, ...configured])].map((each) => `${each}.`));
  return path.length === 4 ? below(Object.keys(SettingDefinitions.chainFormats)) : [];
}

async function ofSetting(key: string, position: Position, tree: Tree, known: LocalNames): Promise<Candidates> {
  const named: Readonly<Record<string, Value['names']>> = {
    network: 'network',
    account: 'account',
    keyFile: 'file',
    passwordFile: 'file',
    venueKey: 'venue-key',
    venueKeyFile: 'file',
  };
  const names = Object.hasOwn(named, key) ? named[key] : undefined;
  if (names) return ofValue({ names }, position, tree, known);
  return only((ConfigFile.formatOf(key)?.words ?? []).map((text) => ({ text, about: '' })));
}

/** The next words of command names, plus topics or `error`. */
function names(kind: 'command' | 'topic', args: readonly string[], tree: Tree): Candidate[] {
  const words = wordsAfter(tree, args).filter(({ name }) => name !== 'help');
  const schemas = [
    { name: 'error', summary: 'Every failure' },
    { name: 'event', summary: 'Every line before the result' },
  ];
  const others = kind === 'topic' ? tree.topics : schemas;
  return [...words, ...(args.length === 0 ? others : [])].map(({ name, summary }) => ({ text: name, about: summary }));
}

/**
 * Formats the reply. Directives are `files` if files are also valid, and `open` if no space may follow the candidate.
 */
export function format({ candidates, files }: Candidates, line: Line, shell: Shell): string {
  const fitting = candidates.filter(({ text }) => text.toLowerCase().startsWith(line.typed.toLowerCase()));
  const how = [
    // bash and fish offer either one: files only if no candidate matches.
    ...(files && (shell === 'zsh' || fitting.length === 0) ? ['files'] : []),
    // A token follows a chain, and a key a group of settings.
    ...(fitting.length > 0 && fitting.every(({ text }) => /[/.=]$/.test(text)) ? ['open'] : []),
  ].join(' ');
  // zsh and fish have their own matching rules, which users may configure to be fuzzy.
  const rows =
    shell === 'bash'
      ? fitting.flatMap(({ text }) => line.write(text) ?? [])
      : candidates.map(({ text, about }) => `${text}\t${about}`);
  return `${[how, ...rows].join('\n')}\n`;
}
