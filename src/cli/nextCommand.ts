/** Completes the advice of an error by what was typed: the command to type next keeps the network and the account. */
import * as Address from '../core/base/Address.js';
import type { BaseError } from '../core/base/Errors.js';
import type { Command, CommandEntry } from '../core/command/Command.js';
import { UnknownNetworkError } from '../core/config/EffectiveNetwork.js';
import * as Network from '../core/network/Network.js';
import * as NetworkRegistry from '../core/network/NetworkRegistry.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import { entryOf, table } from './commandTable.js';
import type { Globals } from './globalFlags.js';

/** The command line that failed. */
export type Typed = {
  entry: CommandEntry;
  options: Readonly<Record<string, unknown>> & { args: readonly string[] };
  globals: Globals;
  /** The address of the user's account of a name on the network, once that is known. */
  accountNamed?: (name: string) => Promise<Address.Address | undefined>;
};

/** Options that a following command needs too, if it has them. */
const kept = ['account', 'accountSigner', 'keyFile', 'passwordFile'] as const;

/** Commands that are the same on every network. */
const withoutNetwork = /^(completion|config|key|sandbox|schema)\b/;

/** The error with its hint and next command completed. */
export async function completed(error: BaseError, typed: Typed): Promise<BaseError> {
  const { hint = error.hint, next = error.next } = await adviceOf(error, typed);
  return error.with({ hint, next: next === undefined ? undefined : await keeping(next, typed) });
}

type Advice = { hint?: string; next?: string };

/** What is known better here: where a chain or an account of the name is. */
async function adviceOf(error: BaseError, typed: Typed): Promise<Advice> {
  if (error instanceof Network.UnknownChainError)
    return (await onAnotherNetwork(error, typed)) ?? (await corrected(error, typed));
  if (error instanceof Address.InvalidAddressError) return await withAddress(error, typed);
  if (error instanceof UnknownNetworkError && typed.globals.network !== undefined && error.near !== undefined)
    return { next: await again(typed, error.near) };
  return {};
}

/** What was typed with other words in it. */
function replaced(options: Typed['options'], by: (word: string) => string): Typed['options'] {
  const flags = Object.entries(options).map(([key, value]) => [key, typeof value === 'string' ? by(value) : value]);
  return { ...Object.fromEntries(flags), args: options.args.map(by) };
}

/** A mistyped chain: the same line with the one that was probably meant. */
async function corrected(
  { text, near }: Network.UnknownChainError,
  { entry, options, globals }: Typed,
): Promise<Advice> {
  if (near === undefined) return {};
  const meant = (word: string): string =>
    word === text || word.startsWith(`${text}/`) ? `${near}${word.slice(text.length)}` : word;
  const line = await again({ entry, options: replaced(options, meant), globals });
  return line === (await again({ entry, options, globals })) ? {} : { next: line };
}

/** The name of an account where an address belongs: the same line with its address. */
async function withAddress({ text }: Address.InvalidAddressError, typed: Typed): Promise<Advice> {
  const address = await typed.accountNamed?.(text).catch(() => undefined);
  if (address === undefined) return {};
  const meant = replaced(typed.options, (word) => (word === text ? address : word));
  return {
    hint: `${text} is an account of yours: ${address}.`,
    next: await again({ ...typed, options: meant }),
  };
}

/** A chain that another network has: what to type for it. */
async function onAnotherNetwork(error: Network.UnknownChainError, typed: Typed): Promise<Advice | undefined> {
  const others = (await NetworkRegistry.all()).filter(({ name }) => name !== error.network);
  const found = others.find(({ chains }) => chains.some((chain) => isNamed(chain, error.text)));
  if (!found) return undefined;
  const money = found.realMoney ? ', where money is real; a price needs no key' : '';
  const { entry, options, globals } = typed;
  const named = options.args.slice(1).map((token) => token.split('/', 1)[0] ?? '');
  const priced =
    options.args.length === 3 &&
    ['quote', 'execute'].includes(entry.name) &&
    named.every((name) => found.chains.some((chain) => isNamed(chain, name)));
  // What would pay on the sandbox is only priced on another network.
  const usual = (word: string): string => {
    const [chain = '', ...rest] = word.split('/');
    return rest.length > 0 ? [Network.usualName(chain), ...rest].join('/') : word;
  };
  const args = options.args.map(usual);
  return {
    hint: `${found.name} has ${Network.usualName(error.text)}${money}.`,
    next: priced
      ? await again({ entry: { ...entry, name: 'quote' }, options: { ...options, args }, globals }, found.name)
      : ShellCommand.line`ferry chains --network ${found.name}`,
  };
}

function isNamed({ name, id }: Network.Network['chains'][number], text: string): boolean {
  return name === Network.usualName(text) || name === text.toLowerCase() || String(id) === text;
}

/**
 * The same command, on another network if one is given, for the same account. Confirmed in advance was the network that
 * was typed, and a setting may be a secret: neither is repeated.
 */
async function again({ entry, options, globals }: Typed, network = globals.network): Promise<string> {
  if (withoutNetwork.test(entry.name)) return ShellCommand.line`ferry ${entry.name.split(' ')} --help`;
  const known = await optionsOf(entry.name);
  const { args, ...flags } = options;
  const repeated = Object.fromEntries(Object.entries(flags).filter(([key]) => known.has(key)));
  return ShellCommand.from(entry.name, args, { ...repeated, network });
}

async function keeping(next: string, { options, globals }: Typed): Promise<string> {
  const [program, ...words] = next.split(' ');
  // What is none of ferry's, or asks for help, stays as it is.
  const entry = program !== 'ferry' || / (--help|-- )/.test(next) ? undefined : entryOf(words);
  if (!entry || withoutNetwork.test(entry.name)) return next;
  const known = await optionsOf(entry.name);
  const flags = {
    ...Object.fromEntries(kept.filter((key) => known.has(key)).map((key) => [key, options[key]])),
    network: globals.network,
  };
  const added = Object.entries(flags).flatMap(([key, value]) => {
    const flag = ShellCommand.flagName(key);
    return typeof value !== 'string' || next.split(' ').includes(flag) ? [] : [flag, ShellCommand.word(value)];
  });
  return [next, ...added].join(' ');
}

async function optionsOf(name: string): Promise<ReadonlySet<string>> {
  const command: Command | undefined = await table.find((entry) => entry.name === name)?.load();
  return new Set(Object.keys(command?.options ?? {}));
}
