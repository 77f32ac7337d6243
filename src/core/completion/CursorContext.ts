/** Parses a command line up to the cursor to determine what can be completed there. */
import type { Flag } from '../docs/CommandCatalog.js';
import { type Argument, type Command, type Tree, type Value, type Word, wordsAfter } from './CommandTree.js';

export type Position = {
  /** The current word up to the cursor; only `ma` of `--network=ma`. */
  typed: string;
  /** The part of the word before it: `--network=`. */
  before: string;
  /** Next words of command names. */
  words: readonly Word[];
  flags: readonly Flag[];
  /** The expected option value or argument. */
  value: Value | undefined;
  args: readonly string[];
  network: string | undefined;
};

const help: Flag = { long: '--help', short: '-h', repeatable: false, description: 'print help' };
const version: Flag = { long: '--version', short: '-V', repeatable: false, description: 'print the version' };

type State = {
  path: string[];
  args: string[];
  seen: Set<string>;
  /** The option whose value comes next. */
  pending: Flag | undefined;
  /** Whether `--` was seen, which ends options. */
  isOver: boolean;
  network: string | undefined;
};

/**
 * Parses a command line.
 *
 * @param words the words after `ferry`, without the one at the cursor
 */
export function from(tree: Tree, words: readonly string[], typed: string): Position {
  const state: State = {
    path: [],
    args: [],
    seen: new Set(),
    pending: undefined,
    isOver: false,
    network: undefined,
  };
  for (const word of words) read(tree, state, word);

  const { args, network, pending } = state;
  const none = { typed, before: '', words: [], flags: [], value: undefined, args, network };
  if (pending) return { ...none, value: pending };
  const free = flagsOf(tree, state).filter(({ long, repeatable }) => repeatable || !state.seen.has(long));
  if (!state.isOver && typed.startsWith('-') && typed !== '-') {
    const glued = /^(--[^=]+=)(.*)$/s.exec(typed);
    if (!glued) return { ...none, flags: free };
    const [, before = '', rest = ''] = glued;
    return { ...none, before, typed: rest, value: find(tree, state, before.slice(0, -1)) };
  }
  const value = argumentOf(tree, state);
  const nextWords = args.length === 0 && !state.isOver ? wordsAfter(tree, state.path) : [];
  // Options if nothing else is valid, or after a dash, which may start an option or mean stdin.
  const isOpen = !state.isOver && (typed === '-' || (value === undefined && nextWords.length === 0));
  return { ...none, words: nextWords, value, flags: isOpen ? free : [] };
}

function read(tree: Tree, state: State, word: string): void {
  if (state.pending) {
    if (state.pending.long === '--network') state.network = word;
    state.pending = undefined;
  } else if (!state.isOver && word === '--') state.isOver = true;
  else if (!state.isOver && word.startsWith('-') && word !== '-') readFlag(tree, state, word);
  else if (state.args.length === 0 && wordsAfter(tree, state.path).some(({ name }) => name === word))
    state.path.push(word);
  else state.args.push(word);
}

function readFlag(tree: Tree, state: State, word: string): void {
  const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  if (value !== undefined && name === '--network') state.network = value;
  // The last flag of a group such as `-yo` may take a value.
  const names = /^-[^-]/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [name];
  for (const [index, each] of names.entries()) {
    const flag = find(tree, state, each);
    if (!flag) return;
    state.seen.add(flag.long);
    if (flag.value === undefined) continue;
    if (value === undefined && index === names.length - 1) state.pending = flag;
    return;
  }
}

function find(tree: Tree, state: State, name: string): Flag | undefined {
  return flagsOf(tree, state).find(({ long, short }) => long === name || short === name);
}

/** The options of the current command, then the global ones. */
function flagsOf(tree: Tree, state: State): readonly Flag[] {
  const own = commandOf(tree, state)?.flags ?? [];
  return [...own, ...tree.globals, help, ...(state.path.length === 0 ? [version] : [])];
}

function commandOf(tree: Tree, { path }: State): Command | undefined {
  return tree.commands.find(({ name }) => name === path.join(' '));
}

function argumentOf(tree: Tree, state: State): Argument | undefined {
  const args = commandOf(tree, state)?.args ?? [];
  const last = args.at(-1);
  return args[state.args.length] ?? (last?.variadic ? last : undefined);
}
