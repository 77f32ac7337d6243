/** Parses argv with a commander tree built from the command table. Nothing is run here. */

import { Command as Commander, Argument as CommanderArgument, CommanderError, Help, Option } from 'commander';
import { BaseError, type Code } from '../core/base/Errors.js';
import * as Secret from '../core/base/Secret.js';
import type { Argument, Command, CommandEntry, Flag, Options } from '../core/command/Command.js';
import { topics } from '../core/docs/HelpTopic.js';
import { isSlip, nearest } from '../core/text/DidYouMean.js';
import * as UnsafeCharacters from '../core/text/UnsafeCharacters.js';
import { entryOf, groups, table } from './commandTable.js';
import { type Globals, globals } from './globalFlags.js';

export type Parsed =
  | { kind: 'command'; entry: CommandEntry; command: Command; options: Options; globals: Globals }
  /** Help or version text for stdout. */
  | { kind: 'text'; text: string };

export type Terminal = { columns: number; hasColors: boolean };

/**
 * Parses argv into a command with its options, or into help text. Loads only the module of the named command.
 *
 * @throws usage.*
 */
export async function parse(typed: readonly string[], version: string, terminal: Terminal): Promise<Parsed> {
  const argv = withVersion(typed);
  const [first, ...rest] = wordsOf(argv);
  if (first === 'help') return help(rest, version, terminal);
  const entry = entryOf([first, ...rest]);
  if (!entry && first !== undefined && argv.some((word) => ['-h', '--help'].includes(word)))
    assertGroup([first, ...rest]);
  const command = entry && (await entry.load());
  let text = '';
  let parsed: Parsed | undefined;

  const root = rootOf(version, terminal, (part) => {
    text += part;
  });
  for (const each of table) {
    // With its subcommands registered, commander would parse a negative amount as an option of this command.
    if (entry && each.name.startsWith(`${entry.name} `)) continue;
    const node = descend(root, each.name).summary(each.summary);
    if (each !== entry || !command) {
      node.description(each.summary).action(() => {});
      continue;
    }
    describe(node, each, command, terminal);
    node.action((...given: unknown[]) => {
      const args = given.slice(0, command.args.length).flat() as (string | undefined)[];
      parsed = {
        kind: 'command',
        entry: each,
        command,
        options: {
          ...typedOptions(node, command),
          args: args.filter((a): a is string => a !== undefined),
        } as Options,
        globals: globalsOf(node),
      };
    });
  }

  const overview = (): Parsed => {
    root.outputHelp();
    return { kind: 'text', text: text.trimEnd() };
  };
  if (argv.length === 0) return overview();
  if (hasKey(argv, entry?.name)) throw exposedKey(entry?.name, 'private key');
  if (argv.some(isPhrase)) throw exposedKey(entry?.name, 'recovery phrase');
  try {
    await root.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'text', text: text.trimEnd() };
    const name = entry?.name ?? groupNamed(argv);
    if (error.code === 'commander.excessArguments' && name?.startsWith('key ') && argv.filter(isOfPhrase).length >= 12)
      throw exposedKey(name, 'recovery phrase');
    throw toUsageError(error, name, text);
  }
  return parsed ?? overview();
}

/** The columns that a description needs beside an option. */
const leastBeside = 20;

/** The command above all others, with what its help shows; `write` receives help and version. */
function rootOf(version: string, terminal: Terminal, write: (text: string) => void): Commander {
  const root = new Commander('ferry')
    .description('Quote, prove, sign and follow cross-chain swaps, bridges and venue transfers.')
    .version(version, '-V, --version', 'print the version; so does -v')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: () => {},
      getOutHelpWidth: () => terminal.columns,
      getOutHasColors: () => terminal.hasColors,
    })
    .configureHelp({
      minWidthToWrap: leastBeside,
      // Where too little of the line is left beside an option, what it does stands below it.
      formatItem: (term, width, description, helper) =>
        !description || terminal.columns - width - 4 >= leastBeside
          ? Help.prototype.formatItem.call(helper, term, width, description, helper)
          : [`  ${term}`, ...wrapped(description, '      ', terminal)].join('\n'),
    });
  addGlobals(root);
  return root.addHelpText(
    'after',
    [
      '',
      'Examples:',
      ...items(
        [
          ['ferry demo', 'watch complete transfers on the sandbox'],
          ['ferry quote 100 alpha/usdc beta/usdc', 'quote a bridge transfer'],
          ['ferry execute 100 alpha/usdc beta/usdc', 'verify, sign, submit and follow it'],
        ],
        terminal,
      ),
      '',
      ...wrapped(
        'With nothing configured, every command runs on the sandbox, the complete service on this machine.',
        '',
        terminal,
      ),
      ...wrapped('See ferry help <command> for details and examples.', '', terminal),
      '',
      'Help topics:',
      ...items(
        topics.map(({ name, summary }) => [`ferry help ${name}`, summary]),
        terminal,
      ),
    ].join('\n'),
  );
}

/** `ferry help` followed by these words. @throws usage.unknown-command */
async function help(words: readonly string[], version: string, terminal: Terminal): Promise<Parsed> {
  const HelpLookup = await import('../core/docs/HelpLookup.js');
  const names = [...Object.keys(groups), ...table.map(({ name }) => name)];
  const subject = await HelpLookup.from(words, { topics, names }, terminal.columns);
  if ('text' in subject) return { kind: 'text', text: subject.text };
  return parse([...subject.words, '--help'], version, terminal);
}

/** `--version` with anything else, such as `--json`, is the command of that name; so is `-v`. */
function withVersion(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => ['-v', '-V', '--version'].includes(word));
  const before = argv.slice(0, Math.max(0, at));
  const isAsked = at >= 0 && wordsOf(before).length === 0 && !before.includes('--');
  if (isAsked && (argv.length > 1 || argv[0] === '-v')) return ['version', ...before, ...argv.slice(at + 1)];
  return argv.length === 1 && argv[0] === '' ? [] : argv;
}

/** Throws if words that name no command name no group of commands either. @throws usage.unknown-command */
function assertGroup([first = '', second]: readonly string[]): void {
  if (!Object.hasOwn(groups, first)) throw mistypedCommand(first, undefined);
  if (second !== undefined) throw mistypedCommand(second, first);
}

/** The words of argv that are neither options nor values of global options. */
function wordsOf(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).filter(
    (word, index) => !word.startsWith('-') && !['--network', '--fields'].includes(argv[index - 1] ?? ''),
  );
}

function groupNamed(argv: readonly string[]): string | undefined {
  return argv.find((word) => Object.hasOwn(groups, word));
}

/** Commands to type and what they do, aligned; where that is wider than the terminal, it stands below them. */
function items(
  all: readonly (readonly [command: string, what: string])[],
  { columns }: Pick<Terminal, 'columns'>,
): string[] {
  const wide = Math.max(...all.map(([command]) => command.length)) + 4;
  const fits = all.every(([, what]) => wide + what.length <= columns);
  return all.flatMap(([command, what]) =>
    fits ? [`  ${command.padEnd(wide - 2)}${what}`] : [`  ${command}`, ...wrapped(what, '      ', { columns })],
  );
}

/** A sentence in lines, broken at its spaces. Not by a module of texts: help is to load nothing more. */
function wrapped(text: string, indent: string, { columns }: Pick<Terminal, 'columns'>): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(indent + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** The commander node for a name. Creates its group if missing. */
function descend(root: Commander, name: string): Commander {
  const words = name.split(' ');
  const leaf = words[words.length - 1] ?? name;
  let parent = root;
  for (const word of words.slice(0, -1)) {
    const known = parent.commands.find((c) => c.name() === word);
    parent =
      known ??
      parent
        .command(word)
        .description(groups[word] ?? '')
        .helpCommand(false);
    if (!known) parent.helpGroup(groupOf(name));
  }
  const node = parent.command(leaf).helpCommand(false);
  if (parent === root) node.helpGroup(groupOf(name));
  return node;
}

function groupOf(name: string): string {
  return `${table.find((entry) => entry.name === name)?.group ?? 'Commands'}:`;
}

function describe(node: Commander, { name }: CommandEntry, command: Command, terminal: Terminal): void {
  node.description(command.description);
  for (const each of command.args) node.addArgument(argument(each));
  for (const [key, flag] of Object.entries(command.options)) node.addOption(option(key, flag));
  if (command.options.output) node.hook('preAction', () => assertNoFormat(node.getOptionValue('output')));
  addGlobals(node);
  const examples = command.examples.map(([line, what]) => [...wrapped(what, '  # ', terminal), `  ${line}`].join('\n'));
  const below = table.filter((each) => each.name.startsWith(`${name} `));
  const also = below.flatMap((each) => {
    const text = `ferry ${each.name}: ${each.summary.charAt(0).toLowerCase()}${each.summary.slice(1)}`;
    return wrapped(text, '  ', terminal);
  });
  node.addHelpText(
    'after',
    ['', 'Examples:', examples.join('\n\n'), ...(also.length > 0 ? ['', 'See also:', ...also] : [])].join('\n'),
  );
}

/** Elsewhere `-o` names a format. @throws usage.invalid for what is one there */
function assertNoFormat(value: unknown): void {
  if (typeof value !== 'string' || !formats.has(value.toLowerCase())) return;
  throw new BaseError('usage.invalid', `The option -o names a file, and ${value} is a format elsewhere.`, {
    hint: `--json prints one JSON document, --fields some of it. For a file of that name: -o ./${value}`,
  });
}

const formats: ReadonlySet<string> = new Set(['json', 'jsonpath', 'name', 'table', 'text', 'wide', 'yaml', 'yml']);

function argument({ name, description, optional, variadic, choices }: Argument): CommanderArgument {
  const word = `${name}${variadic ? '...' : ''}`;
  const made = new CommanderArgument(optional ? `[${word}]` : `<${word}>`, description);
  return choices ? made.choices([...choices]) : made;
}

function option(key: string, flag: Flag): Option {
  // The same as `flagName`, whose module would be one more file to load for every help text.
  const long = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const value = flag.value === undefined ? '' : ` <${flag.value}>`;
  const made = new Option(`${flag.short ? `-${flag.short}, ` : ''}${long}${value}`, flag.description);
  if (flag.choices) made.choices([...flag.choices]);
  if (flag.repeats) made.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
  return made;
}

/** The given options under the flags' own names: commander stores `--no-wait` as `wait`. */
function typedOptions(node: Commander, command: Command): Record<string, unknown> {
  const typed = node.opts() as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(command.options).map((key) => {
      const negated = /^no[A-Z]/.test(key) ? key.charAt(2).toLowerCase() + key.slice(3) : undefined;
      return [key, negated === undefined ? typed[key] : typed[negated] === false || undefined];
    }),
  );
}

/** Adds the global options. The root and every command have them, so they work before and after the command name. */
function addGlobals(node: Commander): void {
  node.optionsGroup('Global options:');
  for (const [key, flag] of Object.entries(globals)) node.addOption(option(key, flag));
  node.setOptionValueWithSource('color', undefined, 'default');
}

function globalsOf(node: Commander): Globals {
  const chain: Commander[] = [];
  for (let at: Commander | null = node; at; at = at.parent) chain.push(at);
  const first = (name: string): unknown =>
    chain.map((each) => each.getOptionValue(name)).find((value) => value !== undefined);
  return {
    json: first('json') === true || first('fields') !== undefined,
    fields: first('fields') as string | undefined,
    yes: first('yes') === true,
    quiet: first('quiet') === true,
    verbose: first('verbose') === true,
    utc: first('utc') === true,
    network: first('network') as string | undefined,
    color: first('color') as boolean | undefined,
  };
}

function helpOf(name: string | undefined): string {
  return name ? `ferry ${name} --help` : 'ferry --help';
}

const usageCodes: Readonly<Record<string, Code>> = {
  'commander.unknownCommand': 'usage.unknown-command',
  'commander.unknownOption': 'usage.unknown-option',
  'commander.missingArgument': 'usage.missing',
  'commander.missingMandatoryOptionValue': 'usage.missing',
  'commander.optionMissingArgument': 'usage.missing',
  'commander.help': 'usage.missing',
};

/** Whether a private key, of a wallet or of the venue, stands where a name or a file is wanted, and never a hash. */
function hasKey(argv: readonly string[], name = ''): boolean {
  const words = argv.flatMap((word) => word.split('='));
  return words.some(
    (word, at) =>
      Secret.isKey(word) &&
      (/^(key |config set$)/.test(name) || /^--(account|[a-z-]*(key|password)-file)$/.test(words[at - 1] ?? '')),
  );
}

/** Whether an argument is a whole recovery phrase, after an option's name perhaps. */
function isPhrase(argument: string): boolean {
  const words = argument
    .trim()
    .replace(/^--[a-z-]+=/, '')
    .split(/\s+/);
  return [12, 15, 18, 21, 24].includes(words.length) && words.every(isOfPhrase);
}

/** Whether a word may be one of a recovery phrase. */
function isOfPhrase(word: string): boolean {
  return /^[a-z]{3,8}$/i.test(word);
}

function toUsageError(error: CommanderError, name: string | undefined, help: string): BaseError {
  const code = usageCodes[error.code] ?? 'usage.invalid';
  // What an option that ferry does not have is given may be a secret.
  const typed = error.message.replace(/^error: /, '').replace(/('--[^'=]*)=.*'/s, "$1'");
  const [message = '', suggestion] = typed.split('\n');
  if (error.code === 'commander.help')
    return new BaseError(code, name ? `Which command of ferry ${name}?` : 'Which command?', {
      facts: name ? [['commands', commandsOf(name).join(', ')]] : [],
      next: helpOf(name),
      cause: help,
    });
  if (code === 'usage.unknown-command') return mistypedCommand(/'(.*)'/s.exec(message)?.[1] ?? '', name);
  const isSecret = /'--(private-key|password|mnemonic-phrase)(?!-file)\b/.test(message);
  return new BaseError(code, `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.?$/, '.')}`, {
    hint: /'(-o|--output|--format)\b/.test(message)
      ? '--json prints one JSON document, --fields some of it.'
      : isSecret
        ? 'A secret is no argument: other users see arguments, and the shell keeps them. Use an encrypted key, or a file by --key-file and --password-file.'
        : suggested(/'(--[^'=]*)/.exec(message)?.[1], /--[a-z-]+/.exec(suggestion ?? '')?.[0]),
    next: helpOf(name),
  });
}

/** Options that pay, or change what is signed: only a slip of a finger is taken for one. */
const grave: ReadonlySet<string> = new Set(
  ['again', 'allow', 'batch', 'gasless', 'permit', 'rate', 'retry-failed', 'take-over', 'yes'].map(
    (name) => `--${name}`,
  ),
);

/** The hint for a mistyped option. Hands miss letters, and rarely the first one: what begins otherwise is another word. */
function suggested(typed: string | undefined, near: string | undefined): string | undefined {
  if (typed === undefined || near === undefined || typed[2] !== near[2]) return undefined;
  const isMeant = grave.has(near) ? isSlip(typed, near) : nearest(typed, [near]) !== undefined;
  return isMeant ? `Did you mean ${near}?` : undefined;
}

function commandsOf(group: string): string[] {
  return table.filter((entry) => entry.name.startsWith(`${group} `)).map((entry) => entry.name.slice(group.length + 1));
}

/** Commands, and first words of commands, that neither pay, delete nor change what may be paid. */
const harmless: ReadonlySet<string> = new Set(
  [
    'account address add allowance balance batch chains completion config contracts compare delegation demo doctor exec explain export fault fees get',
    'import init key list logs new open pause quote receipt requests results runs sandbox schedule schema share show start status store',
    'tokens trace venue verify version',
  ].flatMap((line) => line.split(' ')),
);

/** What other tools call it. */
const synonyms: Readonly<Record<string, string>> = {
  alias: 'address',
  auth: 'key',
  history: 'runs',
  login: 'key',
  price: 'quote',
  wallet: 'key',
};

/** A key, or the words of one, was typed as an argument, where it is no secret any more. */
function exposedKey(name: string | undefined, what: 'private key' | 'recovery phrase'): BaseError {
  return new BaseError('usage.invalid', `A ${what} was typed as an argument: it is not secret any more.`, {
    hint: `The history of the shell has it, and other users could see it. Send what it holds to a new key. ferry reads ${what === 'private key' ? 'keys from a prompt, or' : 'words with --mnemonic from a prompt, or from'} a file with --key-file.`,
    next: name === undefined ? 'ferry --help' : `ferry ${name} --help`,
  });
}

function mistypedCommand(typed: string, group: string | undefined): BaseError {
  const names = group ? commandsOf(group) : [...new Set(table.map((entry) => entry.name.split(' ', 1)[0] ?? ''))];
  // Another word is no reason to suggest something that cannot be undone: only a slip of a finger is.
  const synonym = group === undefined && Object.hasOwn(synonyms, typed) ? synonyms[typed] : undefined;
  const near =
    synonym ??
    nearest(
      typed,
      names.filter((name) => harmless.has(name) || isSlip(typed, name)),
    );
  const under = group ? `ferry ${group}` : 'ferry';
  return new BaseError('usage.unknown-command', `There is no command "${under} ${UnsafeCharacters.escape(typed)}".`, {
    facts: group ? [['commands', names.join(', ')]] : [],
    hint: near ? `Did you mean ${near}?` : undefined,
    next: `${under} --help`,
  });
}
